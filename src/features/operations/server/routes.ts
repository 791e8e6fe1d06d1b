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

  mount(changeFirstRun, 'run the district', (call) => saveFirstRun(deps, call, call.body));

  mount(contract.listMailQueue, 'run the district', ({ query }) => readMailQueue(deps, query));

  mount(contract.retryEmail, 'run the district', (call) => sendNow(deps, call, call.params.id));

  mount(contract.discardEmail, 'run the district', (call) => discardQueuedEmail(deps, call, call.params.id));

  mount(contract.sendTestMail, 'run the district', (call) => sendTestEmail(deps, call, call.body.to));

  mount(contract.confirmServerDate, 'run the district', (call) => confirmDate(deps, call, call.body));

  mount(contract.runBackup, 'run the district', (call) => startBackup(deps, call));

  mount(contract.getBackupMail, 'run the district', ({ viewer }) => readBackupEmailPreference(deps, viewer));

  mount(contract.setBackupMail, 'run the district', ({ viewer, body }) =>
    changeBackupEmailPreference(deps, viewer, body),
  );

  mount(contract.runJob, 'run the district', (call) => runJobNow(deps, running.jobs, call, call.params.name));
}
