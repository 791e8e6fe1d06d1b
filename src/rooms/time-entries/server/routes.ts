import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import {
  createTimeEntry,
  deleteTimeEntry,
  listTimeEntries,
  mostActive,
  restoreTimeEntry,
  updateTimeEntry,
} from '../contract.ts';
import { deleteEntry, editEntry, logHours, mostActiveTasks, recentEntries, restoreEntry } from './actions.ts';

export function mountTimeEntries(mount: Mount, deps: Deps): void {
  mount(listTimeEntries, 'signedIn', ({ viewer, query }) => recentEntries(deps, viewer, query));

  mount(mostActive, 'signedIn', ({ viewer, request, query }) =>
    mostActiveTasks(deps, viewer, request, query),
  );

  mount(createTimeEntry, 'signedIn', ({ viewer, request, body, once }) =>
    once((trx) => logHours(trx, deps, viewer, request, body)),
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
}
