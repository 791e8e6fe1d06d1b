import { type passwordChosenBy, storePasswordHash } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import { resetDeviceFailures } from './known-device-store.ts';

/**
 * Stores an account's password hash, or removes it (null), and resets every count of wrong passwords. Without `chosen`, the
 * record of who set the password does not change.
 */
export async function setPassword(
  trx: Trx,
  userId: number,
  passwordHash: string | null,
  chosen?: ReturnType<typeof passwordChosenBy>,
): Promise<void> {
  await storePasswordHash(trx, userId, passwordHash, chosen);
  await resetDeviceFailures(trx, userId);
}
