import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { importTemplate, importUsers, listImports, previewImport, undoImport } from '../contract.ts';
import {
  listUserImports,
  prepareImport,
  previewUserImport,
  runImport,
  templateFile,
  trackRunningImport,
} from './actions.ts';
import { undoUserImport } from './undo-import.ts';

export function mountUserImports(mount: Mount, deps: Deps): void {
  mount(importTemplate, 'import people', () => templateFile());

  mount(previewImport, 'import people', ({ viewer, body }) => previewUserImport(deps, viewer, body));

  mount(importUsers, 'import people', ({ viewer, request, body, once }) =>
    trackRunningImport(deps, { by: viewer.userId, startedAt: request.at }, async () => {
      const ready = await prepareImport(deps, { viewer, request }, body);
      return once((trx) => runImport(trx, deps, { viewer, request }, { input: body, ready }));
    }),
  );

  mount(listImports, 'import people', (call) => listUserImports(deps, call, call.query));

  mount(undoImport, 'import people', (call) => undoUserImport(deps, call, call.params.id));
}
