import { useVisibleAccount } from '#features/users/web/api.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { requestAccountDeletion, withdrawDeletionRequest } from '../contract.ts';

/** Requests deletion of the viewer's account, or withdraws the request. Updates every screen. */
export function useOwnDeletionRequest() {
  const show = useVisibleAccount();
  return {
    ask: async (body: BodyOf<typeof requestAccountDeletion>) =>
      show(await call(requestAccountDeletion, { body })),
    withdraw: async () => show(await call(withdrawDeletionRequest)),
  };
}
