import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { actorOf } from '#server/http/viewer.ts';
import {
  createSchool,
  deleteSchool,
  getLogo,
  listPublicSchools,
  listSchools,
  removeLogo,
  updateSchool,
  uploadLogo,
} from '../contract.ts';
import { addSchool, changeSchool, listForAdministrators, removeSchool } from './actions.ts';
import { changeLogo, logoFile, takeLogoAway } from './logos.ts';
import { allSchools } from './store.ts';

export function mountSchools(mount: Mount, deps: Deps): void {
  mount(listPublicSchools, 'public', async () => ({ schools: await allSchools(deps.database.db) }));

  mount(listSchools, 'admin', ({ query }) => listForAdministrators(deps, query));

  mount(createSchool, 'admin', ({ viewer, request, body, once }) =>
    once((trx) => addSchool(trx, deps, actorOf(viewer, request), body)),
  );

  mount(updateSchool, 'admin', ({ viewer, request, params, body, ifMatch }) =>
    changeSchool(deps, actorOf(viewer, request), { id: params.id, change: body, ifMatch }),
  );

  mount(deleteSchool, 'admin', ({ viewer, request, params }) =>
    removeSchool(deps, actorOf(viewer, request), params.id),
  );

  mount(uploadLogo, 'admin', ({ viewer, request, params, files, folder, ifMatch }) =>
    changeLogo(deps, actorOf(viewer, request), { id: params.id, file: files[0], folder, ifMatch }),
  );

  mount(removeLogo, 'admin', ({ viewer, request, params, ifMatch }) =>
    takeLogoAway(deps, actorOf(viewer, request), { id: params.id, ifMatch }),
  );

  mount(getLogo, 'public', ({ params }) => logoFile(deps, params.name));
}
