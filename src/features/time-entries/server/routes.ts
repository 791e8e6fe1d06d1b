import { type Deps, withConnectionPool } from '#server/deps.ts';
import { type Mount, memberOr } from '#server/http/route-mount.ts';
import type { Request } from '#server/http/viewer.ts';
import {
  isServedFromRollups,
  listForAdministrators,
  logForVolunteer,
  summarizeEntries,
} from '../admin-list/server/actions.ts';
import {
  createTimeEntry,
  createTimeEntryFor,
  deleteAdminTimeEntry,
  deleteTimeEntry,
  listAdminTimeEntries,
  listTimeEntries,
  mostActive,
  restoreTimeEntry,
  summarizeTimeEntries,
  type TimeEntry,
  updateAdminTimeEntry,
  updateTimeEntry,
} from '../contract.ts';
import { cancelExport, downloadTimeEntries, exportTimeEntries, readExport } from '../export/contract.ts';
import { cancelOwnExport, createExport, readExportProgress, sendExport } from '../export/server/actions.ts';
import { logRoster, undoRoster } from '../group-entry/contract.ts';
import { logGroupEntry, undoGroupEntry } from '../group-entry/server/actions.ts';
import { logSeveral, undoSeveral } from '../multiple-days/contract.ts';
import { logMultipleDays, undoMultipleDays } from '../multiple-days/server/actions.ts';
import { downloadSignInSheet, makeSignInSheet } from '../sign-in-sheets/contract.ts';
import { createSignInSheet, sendSignInSheet } from '../sign-in-sheets/server/actions.ts';
import { changeSupervisor as changeSupervisorCall, requestReopening } from '../verification-contract.ts';
import {
  deleteEntry,
  editEntry,
  listMostActiveTasks,
  listRecentEntries,
  logHours,
  restoreEntry,
} from './actions.ts';
import { changeSupervisor } from './external-verifiers.ts';
import { createReopenRequest } from './verification-status.ts';

/**
 * Runs after the transaction that stored the entries or changed their external verifier. All of them wait for verification.
 * Must not throw.
 */
type HoursLoggedHandler = (deps: Deps, request: Request, entryIds: readonly number[]) => Promise<void>;

// Long because it has one entry per route.
/** Mounts the routes. `onHoursLogged` is of a feature that depends on this one, so this feature cannot import it. */
export function mountTimeEntries(mount: Mount, deps: Deps, onHoursLogged: HoursLoggedHandler): void {
  const notifyWaiting = (request: Request, entries: readonly TimeEntry[]) => {
    const waiting = entries.filter(({ verification }) => verification?.status === 'waiting');
    return onHoursLogged(
      deps,
      request,
      waiting.map(({ id }) => id),
    );
  };

  mount(listTimeEntries, memberOr('see entries'), ({ viewer, query }) =>
    listRecentEntries(deps, viewer, query),
  );

  mount(mostActive, memberOr('see entries'), (call) => listMostActiveTasks(deps, call, call.query));

  mount(createTimeEntry, memberOr('log for others'), async ({ viewer, request, body, once }) => {
    const reply = await once(
      (trx) => logHours(trx, deps, { viewer, request, input: body }),
      ({ timeEntry }) => timeEntry.id,
    );
    await notifyWaiting(request, [reply.timeEntry]);
    return reply;
  });

  mount(logSeveral, memberOr('log for others'), async ({ viewer, request, body, once }) => {
    const reply = await once((trx) => logMultipleDays(trx, deps, { viewer, request, input: body }));
    await notifyWaiting(request, reply.timeEntries);
    return reply;
  });

  mount(undoSeveral, memberOr('edit entries'), (call) => undoMultipleDays(deps, call, call.body.batch));

  mount(updateTimeEntry, memberOr('edit entries'), ({ viewer, request, params, body, ifMatch }) =>
    editEntry(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteTimeEntry, memberOr('edit entries'), ({ viewer, request, params, body, ifMatch }) =>
    deleteEntry(deps, { viewer, request }, { id: params.id, ifMatch, reason: body.reason }),
  );

  mount(restoreTimeEntry, memberOr('restore deleted'), (call) => restoreEntry(deps, call, call.params.id));

  mount(requestReopening, memberOr('see entries'), ({ viewer, request, params, body }) =>
    createReopenRequest(deps, { viewer, request }, { id: params.id, note: body.note }),
  );

  mount(changeSupervisorCall, memberOr('see entries'), async ({ viewer, request, params, body }) => {
    const reply = await changeSupervisor(deps, { viewer, request }, { id: params.id, address: body.address });
    await onHoursLogged(deps, request, reply.entryIds);
    return reply;
  });

  mount(listAdminTimeEntries, 'see entries', ({ viewer, query }) =>
    listForAdministrators(deps, viewer, query),
  );

  const reports = withConnectionPool(deps, 'reports');
  // Reading rollups is faster than sending the query to the reports process.
  mount(summarizeTimeEntries, 'see entries', ({ viewer, query }) =>
    summarizeEntries(isServedFromRollups(query) ? deps : reports, viewer, query),
  );

  mount(createTimeEntryFor, 'log for others', async ({ viewer, request, body, once }) => {
    const reply = await once((trx) => logForVolunteer(trx, deps, { viewer, request, input: body }));
    await notifyWaiting(request, [reply.timeEntry]);
    return reply;
  });

  mount(makeSignInSheet, 'log for others', ({ viewer, request, params, body }) =>
    createSignInSheet(deps, { viewer, request }, { activityId: params.id, ...body }),
  );

  // The link itself grants access, because a browser that saves a file sends no token.
  mount(downloadSignInSheet, 'public', ({ request, params, gone }) =>
    sendSignInSheet(deps, { request, gone }, params.token),
  );

  mount(logRoster, 'log for others', ({ viewer, request, body, once }) =>
    once((trx) => logGroupEntry(trx, deps, { viewer, request, input: body })),
  );

  mount(undoRoster, 'log for others', (call) => undoGroupEntry(deps, call, call.body.batch));

  mount(updateAdminTimeEntry, 'edit entries', ({ viewer, request, params, body, ifMatch }) =>
    editEntry(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteAdminTimeEntry, 'edit entries', ({ viewer, request, params, body, ifMatch }) =>
    deleteEntry(deps, { viewer, request }, { id: params.id, ifMatch, reason: body.reason }),
  );

  mountExports(mount, deps);
}

function mountExports(mount: Mount, deps: Deps): void {
  mount(exportTimeEntries, 'export entries', ({ viewer, request, body, once }) =>
    once((trx) => createExport(trx, deps, { viewer, request }, body)),
  );

  // The link itself grants access, because a browser that saves a file sends no token.
  mount(downloadTimeEntries, 'public', ({ request, params }) => sendExport(deps, request, params.token));

  mount(readExport, 'export entries', (call) => readExportProgress(deps, call, call.params.id));

  mount(cancelExport, 'export entries', (call) => cancelOwnExport(deps, call, call.params.id));
}
