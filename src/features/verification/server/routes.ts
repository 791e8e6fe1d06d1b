import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { decide, listVerifications, undoDecision } from '../contract.ts';
import { listOwnAsked } from '../external-verifiers/request-contract.ts';
import { ownAsked } from '../external-verifiers/server/actions.ts';
import { getWeeklyMail, setWeeklyMail } from '../weekly-reminder/contract.ts';
import { readWeeklyReminder, updateWeeklyReminder } from '../weekly-reminder/server/actions.ts';
import { decideTogether, listVerificationQueue, undo } from './actions.ts';

export function mountVerification(mount: Mount, deps: Deps): void {
  // Which entries are marked is found by looking at all that wait.
  const reports = withConnectionPool(deps, 'reports');
  mount(listVerifications, 'see entries', ({ viewer, query }) =>
    listVerificationQueue(query.flag === undefined ? deps : reports, viewer, query),
  );

  mount(decide, 'verify hours', ({ viewer, request, body, once }) =>
    once((trx) => decideTogether(trx, deps, { viewer, request }, body)),
  );

  mount(undoDecision, 'verify hours', ({ viewer, request, params }) =>
    undo(deps, { viewer, request }, params.batch),
  );

  mount(listOwnAsked, 'signedIn', ({ viewer }) => ownAsked(deps.database.db, viewer.userId));

  mount(getWeeklyMail, 'signedIn', ({ viewer }) => readWeeklyReminder(deps, viewer));

  mount(setWeeklyMail, 'signedIn', ({ viewer, body }) => updateWeeklyReminder(deps, viewer, body));
}
