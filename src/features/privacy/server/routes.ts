import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { declineErasure, eraseUser, listErasureRequests } from '../admin-contract.ts';
import { downloadOwnData, requestErasure, withdrawErasure } from '../contract.ts';
import {
  askForErasure,
  declineErasureWish,
  erasePerson,
  listErasureWishes,
  withdrawErasureWish,
} from './account-deletion.ts';
import { ownData } from './data-export.ts';

export function mountOwnData(mount: Mount, deps: Deps): void {
  mount(downloadOwnData, 'signedIn', ({ viewer, request, gone, query }) =>
    ownData(deps, { viewer, request, gone }, query.format ?? 'json'),
  );

  mount(requestErasure, 'signedIn', ({ viewer, request, body, once }) =>
    once((trx) => askForErasure(trx, deps, { viewer, request }, body.reason ?? null)),
  );

  mount(withdrawErasure, 'signedIn', ({ viewer, request }) => withdrawErasureWish(deps, viewer, request));
  mount(listErasureRequests, 'run the district', ({ query }) => listErasureWishes(deps, query));

  mount(declineErasure, 'run the district', ({ viewer, request, params, body }) =>
    declineErasureWish(deps, viewer, request, { id: params.id, reason: body.reason ?? null }),
  );

  mount(eraseUser, 'run the district', ({ viewer, request, params }) =>
    erasePerson(deps, viewer, request, params.id),
  );
}
