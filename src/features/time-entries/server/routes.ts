import { type Deps, withConnectionPool } from '#server/deps.ts';
import { type Mount, memberOr } from '#server/http/route-mount.ts';
import type { Request } from '#server/http/viewer.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { isKept, listForAdministrators, logFor, summary } from '../admin-list/server/actions.ts';
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
  updateAdminTimeEntry,
  updateTimeEntry,
} from '../contract.ts';
import { cancelExport, downloadTimeEntries, exportTimeEntries, readExport } from '../export/contract.ts';
import { cancelOwnExport, exportProgress, makeExport, sendExport } from '../export/server/actions.ts';
import { logRoster as logRosterCall, undoRoster as undoRosterCall } from '../group-entry/contract.ts';
import { logRoster, undoRoster } from '../group-entry/server/actions.ts';
import { logSeveral as logSeveralCall, undoSeveral as undoSeveralCall } from '../multiple-days/contract.ts';
import { logSeveral, undoSeveral } from '../multiple-days/server/actions.ts';
import { downloadSignInSheet, makeSignInSheet } from '../sign-in-sheets/contract.ts';
import { createSignInSheet, sendSignInSheet } from '../sign-in-sheets/server/actions.ts';
import { changeSupervisor as changeSupervisorCall, requestReopening } from '../verification-contract.ts';
import { deleteEntry, editEntry, logHours, mostActiveTasks, recentEntries, restoreEntry } from './actions.ts';
import { changeSupervisor } from './external-verifiers.ts';
import { createReopenRequest } from './verification-status.ts';

/** What is done once hours that wait are stored: their supervisor outside may have to be asked. */
export type AfterLogging = (request: Request, entryIds: readonly number[]) => Promise<void>;

type LoggedReply = ReplyOf<typeof createTimeEntry>;

// Long because it has one entry per route.
export function mountTimeEntries(mount: Mount, deps: Deps, afterLogging: AfterLogging): void {
  const tellVerifiers = async (request: Request, { timeEntry }: LoggedReply) => {
    if (timeEntry.verification?.status === 'waiting') await afterLogging(request, [timeEntry.id]);
  };

  mount(listTimeEntries, memberOr('see entries'), ({ viewer, query }) => recentEntries(deps, viewer, query));

  mount(mostActive, memberOr('see entries'), ({ viewer, request, query }) =>
    mostActiveTasks(deps, viewer, request, query),
  );

  mount(createTimeEntry, memberOr('log for others'), async ({ viewer, request, body, once }) => {
    const reply = await once(
      (trx) => logHours(trx, deps, { viewer, request, input: body }),
      ({ timeEntry }) => timeEntry.id,
    );
    await tellVerifiers(request, reply);
    return reply;
  });

  mount(logSeveralCall, memberOr('log for others'), async ({ viewer, request, body, once }) => {
    const reply = await once((trx) => logSeveral(trx, deps, { viewer, request, input: body }));
    const waiting = reply.timeEntries.filter(({ verification }) => verification?.status === 'waiting');
    if (waiting.length > 0)
      await afterLogging(
        request,
        waiting.map(({ id }) => id),
      );
    return reply;
  });

  mount(undoSeveralCall, memberOr('edit entries'), ({ viewer, request, body }) =>
    undoSeveral(deps, viewer, request, body.batch),
  );

  mount(updateTimeEntry, memberOr('edit entries'), ({ viewer, request, params, body, ifMatch }) =>
    editEntry(deps, viewer, request, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteTimeEntry, memberOr('edit entries'), ({ viewer, request, params, body, ifMatch }) =>
    deleteEntry(deps, viewer, request, { id: params.id, ifMatch, reason: body.reason }),
  );

  mount(restoreTimeEntry, memberOr('restore deleted'), ({ viewer, request, params }) =>
    restoreEntry(deps, viewer, request, params.id),
  );

  mount(requestReopening, memberOr('see entries'), ({ viewer, request, params, body }) =>
    createReopenRequest(deps, { viewer, request }, { id: params.id, note: body.note }),
  );

  mount(changeSupervisorCall, memberOr('see entries'), async ({ viewer, request, params, body }) => {
    const reply = await changeSupervisor(deps, { viewer, request }, { id: params.id, address: body.address });
    if (reply.entryIds.length > 0) await afterLogging(request, reply.entryIds);
    return reply;
  });

  mount(listAdminTimeEntries, 'see entries', ({ viewer, query }) =>
    listForAdministrators(deps, viewer, query),
  );

  const reports = withConnectionPool(deps, 'reports');
  // What is kept ready is read sooner than another process is asked for it.
  mount(summarizeTimeEntries, 'see entries', ({ viewer, query }) =>
    summary(isKept(query) ? deps : reports, viewer, query),
  );

  mount(createTimeEntryFor, 'log for others', async ({ viewer, request, body, once }) => {
    const reply = await once((trx) => logFor(trx, deps, { viewer, request, input: body }));
    await tellVerifiers(request, reply);
    return reply;
  });

  mount(makeSignInSheet, 'log for others', ({ viewer, request, params, body }) =>
    createSignInSheet(deps, viewer, request, { activityId: params.id, ...body }),
  );

  // The link is the permission: a browser that saves a file sends no token.
  mount(downloadSignInSheet, 'public', ({ request, params, gone }) =>
    sendSignInSheet(deps, { request, gone }, params.token),
  );

  mount(logRosterCall, 'log for others', ({ viewer, request, body, once }) =>
    once((trx) => logRoster(trx, deps, { viewer, request, input: body })),
  );

  mount(undoRosterCall, 'log for others', ({ viewer, request, body }) =>
    undoRoster(deps, viewer, request, body.batch),
  );

  mount(updateAdminTimeEntry, 'edit entries', ({ viewer, request, params, body, ifMatch }) =>
    editEntry(deps, viewer, request, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteAdminTimeEntry, 'edit entries', ({ viewer, request, params, body, ifMatch }) =>
    deleteEntry(deps, viewer, request, { id: params.id, ifMatch, reason: body.reason }),
  );

  mountExports(mount, deps);
}

function mountExports(mount: Mount, deps: Deps): void {
  mount(exportTimeEntries, 'export entries', ({ viewer, request, body, once }) =>
    once((trx) => makeExport(trx, deps, { viewer, request }, body)),
  );

  // The link is the permission: a browser that saves a file sends no token.
  mount(downloadTimeEntries, 'public', ({ request, params }) => sendExport(deps, request, params.token));

  mount(readExport, 'export entries', ({ viewer, request, params }) =>
    exportProgress(deps, viewer, request, params.id),
  );

  mount(cancelExport, 'export entries', ({ viewer, request, params }) =>
    cancelOwnExport(deps, viewer, request, params.id),
  );
}
