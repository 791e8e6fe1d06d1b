import type { BodyOf } from '#base/endpoint.ts';
import { useShownAccount } from '#rooms/users/web/api.ts';
import { call } from '#web/lib/call.ts';
import { requestErasure, withdrawErasure } from '../contract.ts';

/** Asks for one's account to be deleted, or withdraws that request; every screen shows the answer at once. */
export function useErasureWish() {
  const show = useShownAccount();
  return {
    ask: async (body: BodyOf<typeof requestErasure>) => show(await call(requestErasure, { body })),
    withdraw: async () => show(await call(withdrawErasure)),
  };
}
