import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import type { Mount } from '#server/http/serve.ts';
import { actorOf } from '#server/http/viewer.ts';
import {
  createActivity as createActivityCall,
  deleteActivity,
  listActivities,
  listAdminActivities,
  messages,
  updateActivity,
} from '../contract.ts';
import {
  changeActivity,
  createActivity,
  listForAdministrators,
  listForViewer,
  removeActivity,
} from './actions.ts';

export function mountActivities(mount: Mount, deps: Deps): void {
  mount(listActivities, 'signedIn', ({ viewer, query }) => listForViewer(deps, viewer, query));

  mount(listAdminActivities, 'admin', ({ viewer, query }) => listForAdministrators(deps, viewer, query));

  mount(createActivityCall, 'admin', ({ viewer, request, body, once }) =>
    once(async (trx) => ({
      activity: await createActivity(trx, actorOf(viewer, request), body),
      message: text(deps, messages.created),
    })),
  );

  mount(updateActivity, 'admin', ({ viewer, request, params, body, ifMatch }) =>
    changeActivity(deps, actorOf(viewer, request), { id: params.id, change: body, ifMatch }),
  );

  mount(deleteActivity, 'admin', ({ viewer, request, params }) =>
    removeActivity(deps, actorOf(viewer, request), params.id),
  );
}
