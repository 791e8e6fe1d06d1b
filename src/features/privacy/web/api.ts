import { useShownAccount } from '#features/users/web/api.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { requestErasure, withdrawErasure } from '../contract.ts';

/** Asks for one's account to be deleted, or withdraws that request; every screen shows the answer at once. */
export function useErasureWish() {
  const show = useShownAccount();
  return {
    ask: async (body: BodyOf<typeof requestErasure>) => show(await call(requestErasure, { body })),
    withdraw: async () => show(await call(withdrawErasure)),
  };
}
