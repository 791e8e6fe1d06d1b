import { type Deps, inLane } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import {
  createTimeEntry,
  createTimeEntryFor,
  deleteAdminTimeEntry,
  deleteTimeEntry,
  listAdminTimeEntries,
  listTimeEntries,
  logRoster as logRosterCall,
  mostActive,
  restoreTimeEntry,
  summarizeTimeEntries,
  updateAdminTimeEntry,
  updateTimeEntry,
} from '../contract.ts';
import { cancelExport, downloadTimeEntries, exportTimeEntries, readExport } from '../export-contract.ts';
import { deleteEntry, editEntry, logHours, mostActiveTasks, recentEntries, restoreEntry } from './actions.ts';
import { listForAdministrators, logFor, logRoster, summary } from './admin.ts';
import { cancelOwnExport, exportProgress, makeExport, sendExport } from './exports/export.ts';

// Long because it has one entry per route.
export function mountTimeEntries(mount: Mount, deps: Deps): void {
  mount(listTimeEntries, 'signedIn', ({ viewer, query }) => recentEntries(deps, viewer, query));

  mount(mostActive, 'signedIn', ({ viewer, request, query }) =>
    mostActiveTasks(deps, viewer, request, query),
  );

  mount(createTimeEntry, 'signedIn', ({ viewer, request, body, once }) =>
    once((trx) => logHours(trx, deps, { viewer, request, input: body })),
  );

  mount(updateTimeEntry, 'signedIn', ({ viewer, request, params, body, ifMatch }) =>
    editEntry(deps, viewer, request, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteTimeEntry, 'signedIn', ({ viewer, request, params, ifMatch }) =>
    deleteEntry(deps, viewer, request, { id: params.id, ifMatch }),
  );

  mount(restoreTimeEntry, 'signedIn', ({ viewer, request, params }) =>
    restoreEntry(deps, viewer, request, params.id),
  );

  mount(listAdminTimeEntries, 'admin', ({ viewer, query }) => listForAdministrators(deps, viewer, query));

  const reports = inLane(deps, 'reports');
  mount(summarizeTimeEntries, 'admin', ({ viewer, query }) => summary(reports, viewer, query));

  mount(createTimeEntryFor, 'admin', ({ viewer, request, body, once }) =>
    once((trx) => logFor(trx, deps, { viewer, request, input: body })),
  );

  mount(logRosterCall, 'admin', ({ viewer, request, body, once }) =>
    once((trx) => logRoster(trx, deps, { viewer, request, input: body })),
  );

  mount(updateAdminTimeEntry, 'admin', ({ viewer, request, params, body, ifMatch }) =>
    editEntry(deps, viewer, request, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteAdminTimeEntry, 'admin', ({ viewer, request, params, ifMatch }) =>
    deleteEntry(deps, viewer, request, { id: params.id, ifMatch }),
  );

  mountExports(mount, deps);
}

function mountExports(mount: Mount, deps: Deps): void {
  mount(exportTimeEntries, 'admin', ({ viewer, request, body, once }) =>
    once((trx) => makeExport(trx, deps, { viewer, request }, body)),
  );

  // The link is the permission: a browser that saves a file sends no token.
  mount(downloadTimeEntries, 'public', ({ request, params }) => sendExport(deps, request, params.token));

  mount(readExport, 'admin', ({ viewer, request, params }) =>
    exportProgress(deps, viewer, request, params.id),
  );

  mount(cancelExport, 'admin', ({ viewer, request, params }) =>
    cancelOwnExport(deps, viewer, request, params.id),
  );
}
