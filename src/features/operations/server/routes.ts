import { changeFirstRun, getFirstRun } from '#features/schools/first-run-checklist/contract.ts';
import { readFirstRun, saveFirstRun } from '#features/schools/first-run-checklist/server/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import * as contract from '../contract.ts';
import {
  changeBackupEmailPreference,
  confirmDate,
  type Running,
  readBackupEmailPreference,
  readSystem,
  startBackup,
} from './actions.ts';
import { runJobNow } from './background-jobs.ts';
import { discardQueuedEmail, readMailQueue, sendNow, sendTestEmail } from './email-queue.ts';

// Long because it has one line for each route.
export function mountSystem(mount: Mount, deps: Deps, running: Running): void {
  mount(contract.getSystem, 'run the district', () => readSystem(deps, running));

  mount(getFirstRun, 'run the district', ({ viewer }) => readFirstRun(deps, viewer.userId));

  mount(changeFirstRun, 'run the district', ({ viewer, request, body }) =>
    saveFirstRun(deps, { viewer, request }, body),
  );

  mount(contract.listMailQueue, 'run the district', ({ query }) => readMailQueue(deps, query));

  mount(contract.retryEmail, 'run the district', ({ viewer, request, params }) =>
    sendNow(deps, { viewer, request }, params.id),
  );

  mount(contract.discardEmail, 'run the district', ({ viewer, request, params }) =>
    discardQueuedEmail(deps, { viewer, request }, params.id),
  );

  mount(contract.sendTestMail, 'run the district', ({ viewer, request, body }) =>
    sendTestEmail(deps, { viewer, request }, body.to),
  );

  mount(contract.confirmServerDate, 'run the district', ({ viewer, request, body }) =>
    confirmDate(deps, { viewer, request }, body),
  );

  mount(contract.runBackup, 'run the district', ({ viewer, request }) =>
    startBackup(deps, { viewer, request }),
  );

  mount(contract.getBackupMail, 'run the district', ({ viewer }) => readBackupEmailPreference(deps, viewer));

  mount(contract.setBackupMail, 'run the district', ({ viewer, body }) =>
    changeBackupEmailPreference(deps, viewer, body),
  );

  mount(contract.runJob, 'run the district', ({ viewer, request, params }) =>
    runJobNow(deps, running.jobs, { viewer, request }, params.name),
  );
}
