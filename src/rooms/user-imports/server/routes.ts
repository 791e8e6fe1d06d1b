import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { importTemplate, importUsers, listImports, previewImport, undoImport } from '../contract.ts';
import { listUserImports, prepareImport, preview, runImport, templateFile } from './imports.ts';
import { undoUserImport } from './undo.ts';

export function mountUserImports(mount: Mount, deps: Deps): void {
  mount(importTemplate, 'admin', () => templateFile());

  mount(previewImport, 'admin', ({ body }) => preview(deps, body));

  mount(importUsers, 'admin', async ({ request, viewer, body, once }) => {
    const ready = await prepareImport(deps, request, body);
    return once((trx) => runImport(trx, deps, request, viewer, body, ready));
  });

  mount(listImports, 'admin', ({ request, query }) => listUserImports(deps, request, query));

  mount(undoImport, 'admin', ({ request, viewer, params }) =>
    undoUserImport(deps, request, viewer, params.id),
  );
}
