import { previewNames, saveNames } from '#rooms/district/server/name-list.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { type Mount, memberOr } from '#server/http/serve.ts';
import { bulkActivities, getStarterSet, listBatches, undoBulk } from '../bulk-contract.ts';
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
import { makeLogCode, openLogCode } from '../log-code-contract.ts';
import {
  changeActivity,
  createActivity,
  listForAdministrators,
  listForViewer,
  removeActivity,
} from './actions.ts';
import { activitiesFile } from './activities-file.ts';
import { createMany, listRecent, previewBulk, undoMany } from './bulk.ts';
import { activityByCode, logAddress } from './log-code.ts';
import { namedActivities } from './name-list.ts';
import { starterSet } from './starter-set.ts';

// Long because it has one entry per route.
export function mountActivities(mount: Mount, deps: Deps): void {
  mount(listActivities, memberOr('see categories and activities'), ({ viewer, query }) =>
    listForViewer(deps, viewer, query),
  );

  mount(listAdminActivities, 'see categories and activities', ({ viewer, query }) =>
    listForAdministrators(deps, viewer, query),
  );

  mount(exportActivities, 'see categories and activities', ({ viewer, request, body }) =>
    activitiesFile(deps, { viewer, request }, body),
  );

  mount(createActivityCall, 'edit activities', ({ viewer, request, body, once }) =>
    once(async (trx) => ({
      activity: await createActivity(trx, { viewer, request }, body),
      message: text(deps, messages.created),
    })),
  );

  mount(bulkActivities, 'edit activities', ({ viewer, request, body, once, previewed }) => {
    if (body.preview !== true) return once((trx) => createMany(trx, deps, { viewer, request }, body));
    previewed();
    return previewBulk(deps, viewer, body);
  });

  mount(translateActivities, 'edit activities', async ({ viewer, request, body, once, previewed }) => {
    const activities = await namedActivities(deps.database.db, viewer, body);
    if (body.preview !== true) {
      const acting = { viewer, request };
      return once((trx) => saveNames(trx, deps, activities, { input: body, acting }));
    }
    previewed();
    return previewNames(deps, activities, body);
  });

  mount(listBatches, 'edit activities', ({ viewer, request, query }) =>
    listRecent(deps, viewer, request, query),
  );

  mount(getStarterSet, 'edit activities', async () => starterSet(deps));

  mount(undoBulk, 'edit activities', ({ viewer, request, params }) =>
    undoMany(deps, viewer, request, params.id),
  );

  mount(updateActivity, 'edit activities', ({ viewer, request, params, body, ifMatch }) =>
    changeActivity(deps, viewer, request, { id: params.id, change: body, ifMatch }),
  );

  mount(makeLogCode, 'edit activities', ({ viewer, request, params, body }) =>
    logAddress(deps, viewer, request, { id: params.id, renew: body.renew === true }),
  );

  mount(openLogCode, 'signedIn', ({ viewer, request, body }) =>
    activityByCode(deps, viewer, request, body.code),
  );

  mount(deleteActivity, 'edit activities', ({ viewer, request, params }) =>
    removeActivity(deps, viewer, request, params.id),
  );
}
