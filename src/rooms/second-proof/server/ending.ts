import type { Trx } from '#server/db/connect.ts';
import { deleteChallengesOf } from './challenge-store.ts';
import { deletePasskeysOf } from './passkey-store.ts';
import { hasSecondProof } from './proof-store.ts';
import { deleteCodes } from './recovery-code-store.ts';
import { deleteOffer, deleteTotp } from './totp-store.ts';

/** Takes away everything that is a second proof of somebody. False when there was nothing. */
export async function endSecondProof(trx: Trx, userId: number): Promise<boolean> {
  const had = await hasSecondProof(trx, userId);
  await deleteTotp(trx, userId);
  await deletePasskeysOf(trx, userId);
  await deleteOffer(trx, userId);
  await deleteCodes(trx, userId);
  await deleteChallengesOf(trx, userId);
  return had;
}

/** Ends recovery codes that stand for no second proof any more. */
export async function endUselessCodes(trx: Trx, userId: number): Promise<void> {
  if (!(await hasSecondProof(trx, userId))) await deleteCodes(trx, userId);
}
