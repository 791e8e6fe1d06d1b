import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { importTemplate, importUsers, listImports, previewImport, undoImport } from '../contract.ts';
import { listUserImports, prepareImport, preview, runImport, templateFile } from './imports.ts';
import { undoUserImport } from './undo.ts';

export function mountUserImports(mount: Mount, deps: Deps): void {
  mount(importTemplate, 'admin', () => templateFile());

  mount(previewImport, 'admin', ({ body }) => preview(deps, body));

  mount(importUsers, 'admin', async ({ viewer, request, body, once }) => {
    const ready = await prepareImport(deps, request, body);
    return once((trx) => runImport(trx, deps, { viewer, request }, { input: body, ready }));
  });

  mount(listImports, 'admin', ({ request, query }) => listUserImports(deps, request, query));

  mount(undoImport, 'admin', ({ viewer, request, params }) =>
    undoUserImport(deps, viewer, request, params.id),
  );
}
