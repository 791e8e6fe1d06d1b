import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  createSchool,
  deleteSchool,
  exportSchools,
  listSchools,
  removeDistrictLogo,
  removeLogo,
  translateSchools,
  updateSchool,
  uploadDistrictLogo,
  uploadLogo,
} from '../admin-contract.ts';
import { translateNames } from '../content-translations/server/actions.ts';
import { getLogo, listPublicSchools } from '../contract.ts';
import {
  addSchool,
  buildSchoolsFile,
  changeSchool,
  listForAdministrators,
  removeSchool,
  translatableSchools,
} from './actions.ts';
import {
  changeDistrictLogo,
  changeLogo,
  readLogoFile,
  removeDistrictLogoFile,
  removeLogoFile,
} from './logos.ts';
import { listAllSchools } from './store.ts';

// Long because it has one entry per route.
export function mountSchools(mount: Mount, deps: Deps): void {
  mount(listPublicSchools, 'public', async () => ({ schools: await listAllSchools(deps.database.db) }));

  mount(listSchools, 'see schools', ({ viewer, query }) => listForAdministrators(deps, viewer, query));

  mount(exportSchools, 'see schools', (call) => buildSchoolsFile(deps, call, call.body));

  mount(createSchool, 'run the district', ({ viewer, request, body, once }) =>
    once((trx) => addSchool(trx, deps, { viewer, request }, body)),
  );

  mount(translateSchools, 'edit school', (call) =>
    translateNames(deps, translatableSchools(call.viewer), call),
  );

  mount(updateSchool, 'edit school', ({ viewer, request, params, body, ifMatch }) =>
    changeSchool(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(deleteSchool, 'run the district', (call) => removeSchool(deps, call, call.params.id));

  mount(uploadLogo, 'edit school', ({ viewer, request, params, files, folder, ifMatch }) =>
    changeLogo(deps, { viewer, request }, { id: params.id, file: files[0], folder, ifMatch }),
  );

  mount(removeLogo, 'edit school', ({ viewer, request, params, ifMatch }) =>
    removeLogoFile(deps, { viewer, request }, { id: params.id, ifMatch }),
  );

  mount(uploadDistrictLogo, 'run the district', ({ viewer, request, files, folder }) =>
    changeDistrictLogo(deps, { viewer, request }, { file: files[0], folder }),
  );

  mount(removeDistrictLogo, 'run the district', (call) => removeDistrictLogoFile(deps, call));

  mount(getLogo, 'public', ({ params }) => readLogoFile(deps, params.name));
}
