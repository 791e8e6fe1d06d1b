import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  getHoursImport,
  importTimeEntries,
  listHoursImports,
  previewHoursImport,
  undoHoursImport,
} from '../contract.ts';
import {
  listTimeEntryImports,
  prepareImport,
  previewEntryImport,
  readImportWithKept,
  runImport,
  undoTimeEntryImport,
} from './actions.ts';

export function mountTimeEntryImports(mount: Mount, deps: Deps): void {
  mount(previewHoursImport, 'import hours', (call) => previewEntryImport(deps, call, call.body));

  mount(importTimeEntries, 'import hours', async ({ viewer, request, body, once }) => {
    const plan = await prepareImport(deps, { viewer, request }, body);
    return once((trx) => runImport(trx, deps, { viewer, request }, { input: body, plan }));
  });

  mount(listHoursImports, 'import hours', (call) => listTimeEntryImports(deps, call, call.query));

  mount(getHoursImport, 'import hours', ({ viewer, request, params }) =>
    readImportWithKept(deps.database.db, deps, { viewer, request }, params.id),
  );

  mount(undoHoursImport, 'import hours', ({ viewer, request, params, body }) =>
    undoTimeEntryImport(deps, { viewer, request }, params.id, body.reason),
  );
}
