import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { decide, listVerifications, undoDecision } from '../contract.ts';
import { listOwnVerifierRequests } from '../external-verifiers/request-contract.ts';
import { listOwnRequests } from '../external-verifiers/server/actions.ts';
import { getWeeklyMail, setWeeklyMail } from '../weekly-reminder/contract.ts';
import { readWeeklyReminder, updateWeeklyReminder } from '../weekly-reminder/server/actions.ts';
import { decideInBatch, listVerificationQueue, undoBatch } from './actions.ts';

export function mountVerification(mount: Mount, deps: Deps): void {
  // Filtering by flag checks every entry with the status, so it uses the connections for reports.
  const reports = withConnectionPool(deps, 'reports');
  mount(listVerifications, 'see entries', ({ viewer, query }) =>
    listVerificationQueue(query.flag === undefined ? deps : reports, viewer, query),
  );

  mount(decide, 'verify hours', (call) => call.once((trx) => decideInBatch(trx, deps, call, call.body)));

  mount(undoDecision, 'verify hours', (call) => undoBatch(deps, call, call.params.batch));

  mount(listOwnVerifierRequests, 'signedIn', ({ viewer }) =>
    listOwnRequests(deps.database.db, viewer.userId),
  );

  mount(getWeeklyMail, 'signedIn', ({ viewer }) => readWeeklyReminder(deps, viewer));

  mount(setWeeklyMail, 'signedIn', ({ viewer, body }) => updateWeeklyReminder(deps, viewer, body));
}
