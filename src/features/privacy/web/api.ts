import { useVisibleAccount } from '#features/users/web/api.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { requestAccountDeletion, withdrawDeletionRequest } from '../contract.ts';

/** Asks for one's account to be deleted, or withdraws that request; every screen shows the answer at once. */
export function useOwnDeletionRequest() {
  const show = useVisibleAccount();
  return {
    ask: async (body: BodyOf<typeof requestAccountDeletion>) =>
      show(await call(requestAccountDeletion, { body })),
    withdraw: async () => show(await call(withdrawDeletionRequest)),
  };
}
