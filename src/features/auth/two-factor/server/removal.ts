import type { Trx } from '#server/db/database.ts';
import { deletePasskeysOf } from './passkey-store.ts';
import { deletePendingSignInsOf } from './pending-sign-in-store.ts';
import { deleteRecoveryCodes, deleteTotp, deleteTotpSetup, hasTwoFactor } from './store.ts';

/** Removes every second factor of a user. Returns which there were, or undefined if there was none. */
export async function removeTwoFactor(
  trx: Trx,
  userId: number,
): Promise<{ passkeys: boolean; authenticator: boolean } | undefined> {
  const authenticator = await deleteTotp(trx, userId);
  const passkeys = (await deletePasskeysOf(trx, userId)) > 0;
  await deleteTotpSetup(trx, userId);
  await deleteRecoveryCodes(trx, userId);
  await deletePendingSignInsOf(trx, userId);
  return authenticator || passkeys ? { passkeys, authenticator } : undefined;
}

/** Deletes recovery codes that no longer belong to a second factor. */
export async function deleteUnusedRecoveryCodes(trx: Trx, userId: number): Promise<void> {
  if (!(await hasTwoFactor(trx, userId))) await deleteRecoveryCodes(trx, userId);
}
