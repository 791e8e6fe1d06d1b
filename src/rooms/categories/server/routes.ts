import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { actorOf } from '#server/http/viewer.ts';
import { createCategory, deleteCategory, listCategories, updateCategory } from '../contract.ts';
import { addCategory, changeCategory, listForAdministrators, removeCategory } from './actions.ts';

export function mountCategories(mount: Mount, deps: Deps): void {
  mount(listCategories, 'admin', ({ viewer, query }) => listForAdministrators(deps, viewer, query));

  mount(createCategory, 'admin', ({ viewer, request, body, once }) =>
    once((trx) => addCategory(trx, deps, actorOf(viewer, request), body)),
  );

  mount(updateCategory, 'admin', ({ viewer, request, params, body, ifMatch }) =>
    changeCategory(deps, actorOf(viewer, request), { id: params.id, change: body, ifMatch }),
  );

  mount(deleteCategory, 'admin', ({ viewer, request, params }) =>
    removeCategory(deps, actorOf(viewer, request), params.id),
  );
}
