import { translateNames } from '#features/schools/content-translations/server/actions.ts';
import type { Deps } from '#server/deps.ts';
import { type Mount, memberOr } from '#server/http/route-mount.ts';
import { translate } from '#server/i18n/translator.ts';
import { bulkActivities, getStarterSet, listBatches, undoBulk } from '../bulk/contract.ts';
import {
  createActivities,
  listRecentBatches,
  previewBulk,
  undoActivityBatch,
} from '../bulk/server/actions.ts';
import { buildStarterSet } from '../bulk/server/starter-set.ts';
import {
  createActivity as createActivityCall,
  deleteActivity,
  exportActivities,
  listActivities,
  listAdminActivities,
  messages,
  translateActivities,
  updateActivity,
} from '../contract.ts';
import { makeLogCode, openLogCode } from '../log-codes/contract.ts';
import { findActivityByCode, getLogAddress } from '../log-codes/server/actions.ts';
import {
  buildActivitiesFile,
  changeActivity,
  createActivity,
  listForAdministrators,
  listForViewer,
  removeActivity,
  translatableActivities,
} from './actions.ts';

// Long because it has one entry per route.
export function mountActivities(mount: Mount, deps: Deps): void {
  mount(listActivities, memberOr('see categories and activities'), ({ viewer, query }) =>
    listForViewer(deps, viewer, query),
  );

  mount(listAdminActivities, 'see categories and activities', ({ viewer, query }) =>
    listForAdministrators(deps, viewer, query),
  );

  mount(exportActivities, 'see categories and activities', ({ viewer, request, body }) =>
    buildActivitiesFile(deps, { viewer, request }, body),
  );

  mount(createActivityCall, 'edit activities', ({ viewer, request, body, once }) =>
    once(async (trx) => ({
      activity: await createActivity(trx, { viewer, request }, body),
      message: translate(deps, messages.created),
    })),
  );

  mount(bulkActivities, 'edit activities', ({ viewer, request, body, once, previewed }) => {
    if (body.preview !== true) return once((trx) => createActivities(trx, deps, { viewer, request }, body));
    previewed();
    return previewBulk(deps, viewer, body);
  });

  mount(translateActivities, 'edit activities', async (call) =>
    translateNames(deps, await translatableActivities(deps.database.db, call.viewer, call.body), call),
  );

  mount(listBatches, 'edit activities', (call) => listRecentBatches(deps, call, call.query));

  mount(getStarterSet, 'edit activities', async () => buildStarterSet(deps));

  mount(undoBulk, 'edit activities', (call) => undoActivityBatch(deps, call, call.params.id));

  mount(updateActivity, 'edit activities', ({ viewer, request, params, body, ifMatch }) =>
    changeActivity(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(makeLogCode, 'edit activities', ({ viewer, request, params, body }) =>
    getLogAddress(deps, { viewer, request }, { id: params.id, renew: body.renew === true }),
  );

  mount(openLogCode, 'signedIn', (call) => findActivityByCode(deps, call, call.body.code));

  mount(deleteActivity, 'edit activities', (call) => removeActivity(deps, call, call.params.id));
}
