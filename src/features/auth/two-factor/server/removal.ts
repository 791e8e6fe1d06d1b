import type { Trx } from '#server/db/database.ts';
import { deletePasskeysOf } from './passkey-store.ts';
import { deleteChallengesOf } from './pending-sign-in-store.ts';
import { deleteCodes } from './recovery-code-store.ts';
import { hasSecondProof } from './store.ts';
import { deleteOffer, deleteTotp } from './totp-store.ts';

/** Takes away everything that is a second proof of somebody. Returns what there was; undefined for nothing. */
export async function endSecondProof(
  trx: Trx,
  userId: number,
): Promise<{ passkeys: boolean; authenticator: boolean } | undefined> {
  const authenticator = await deleteTotp(trx, userId);
  const passkeys = (await deletePasskeysOf(trx, userId)) > 0;
  await deleteOffer(trx, userId);
  await deleteCodes(trx, userId);
  await deleteChallengesOf(trx, userId);
  return authenticator || passkeys ? { passkeys, authenticator } : undefined;
}

/** Ends recovery codes that stand for no second proof any more. */
export async function endUselessCodes(trx: Trx, userId: number): Promise<void> {
  if (!(await hasSecondProof(trx, userId))) await deleteCodes(trx, userId);
}
