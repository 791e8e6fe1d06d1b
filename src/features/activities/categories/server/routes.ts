import { translateNames } from '#features/schools/content-translations/server/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  createCategory,
  deleteCategory,
  exportCategories,
  listCategories,
  translateCategories,
  updateCategory,
} from '../contract.ts';
import {
  addCategory,
  buildCategoriesFile,
  changeCategory,
  listForAdministrators,
  removeCategory,
  translatableCategories,
} from './actions.ts';

export function mountCategories(mount: Mount, deps: Deps): void {
  mount(listCategories, 'see categories and activities', ({ viewer, query }) =>
    listForAdministrators(deps, viewer, query),
  );

  mount(exportCategories, 'see categories and activities', ({ viewer, request, body }) =>
    buildCategoriesFile(deps, { viewer, request }, body),
  );

  mount(createCategory, 'edit categories', ({ viewer, request, body, once }) =>
    once((trx) => addCategory(trx, deps, { viewer, request }, body)),
  );

  mount(translateCategories, 'edit categories', async (call) =>
    translateNames(deps, await translatableCategories(deps.database.db, call.viewer, call.body), call),
  );

  mount(updateCategory, 'edit categories', ({ viewer, request, params, body, ifMatch }) =>
    changeCategory(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteCategory, 'edit categories', (call) => removeCategory(deps, call, call.params.id));
}
