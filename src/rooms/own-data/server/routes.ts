import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { declineErasure } from '../admin-contract.ts';
import {
  downloadOwnData,
  eraseUser,
  listErasureRequests,
  requestErasure,
  withdrawErasure,
} from '../contract.ts';
import { ownData } from './download.ts';
import {
  askForErasure,
  declineErasureWish,
  erasePerson,
  listErasureWishes,
  withdrawErasureWish,
} from './erasure.ts';

export function mountOwnData(mount: Mount, deps: Deps): void {
  mount(downloadOwnData, 'signedIn', ({ request, viewer, query }) =>
    ownData(deps, request, viewer, query.format ?? 'json'),
  );

  mount(requestErasure, 'signedIn', ({ request, viewer, body, once }) =>
    once((trx) => askForErasure(trx, deps, request, viewer, body.reason ?? null)),
  );

  mount(withdrawErasure, 'signedIn', ({ request, viewer }) => withdrawErasureWish(deps, request, viewer));
  mount(listErasureRequests, 'admin', ({ query }) => listErasureWishes(deps, query));

  mount(declineErasure, 'admin', ({ request, viewer, params, body }) =>
    declineErasureWish(deps, request, viewer, params.id, body.reason ?? null),
  );

  mount(eraseUser, 'admin', ({ request, viewer, params }) => erasePerson(deps, request, viewer, params.id));
}
