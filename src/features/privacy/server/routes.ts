import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { declineDeletionRequest, deleteUserData, listDeletionRequests } from '../admin-contract.ts';
import { downloadPersonalData, requestAccountDeletion, withdrawDeletionRequest } from '../contract.ts';
import {
  cancelOwnDeletionRequest,
  createDeletionRequest,
  deletePersonAccount,
  pageOfOpenDeletionRequests,
  rejectDeletionRequest,
} from './account-deletion.ts';
import { createDataExport } from './data-export.ts';

export function mountPrivacy(mount: Mount, deps: Deps): void {
  mount(downloadPersonalData, 'signedIn', ({ viewer, request, gone, query }) =>
    createDataExport(deps, { viewer, request, gone }, query.format ?? 'json'),
  );

  mount(requestAccountDeletion, 'signedIn', ({ viewer, request, body, once }) =>
    once((trx) => createDeletionRequest(trx, deps, { viewer, request }, body.reason ?? null)),
  );

  mount(withdrawDeletionRequest, 'signedIn', (call) => cancelOwnDeletionRequest(deps, call));
  mount(listDeletionRequests, 'run the district', ({ query }) => pageOfOpenDeletionRequests(deps, query));

  mount(declineDeletionRequest, 'run the district', ({ viewer, request, params, body }) =>
    rejectDeletionRequest(deps, { viewer, request }, { id: params.id, reason: body.reason ?? null }),
  );

  mount(deleteUserData, 'run the district', (call) => deletePersonAccount(deps, call, call.params.id));
}
