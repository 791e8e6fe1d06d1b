import type { BodyOf } from '#base/endpoint.ts';
import { useShownAccount } from '#rooms/users/web/api.ts';
import { call } from '#web/lib/call.ts';
import { requestErasure, withdrawErasure } from '../contract.ts';

/** Asks to be deleted, and takes that back; every screen shows the answer at once. */
export function useErasureWish() {
  const show = useShownAccount();
  return {
    ask: async (body: BodyOf<typeof requestErasure>) => show(await call(requestErasure, { body })),
    withdraw: async () => show(await call(withdrawErasure)),
  };
}
