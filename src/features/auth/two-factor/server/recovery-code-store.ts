import type { Db, Trx } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Keeps these codes in place of all older ones. */
export async function replaceRecoveryCodes(
  trx: Trx,
  userId: number,
  hashes: readonly string[],
  at: Instant,
): Promise<void> {
  await deleteRecoveryCodes(trx, userId);
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: at })))
    .execute();
}

/** Uses up a code; false when there is no such code, or no longer. */
export async function redeemRecoveryCode(trx: Trx, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all codes of somebody. */
export async function deleteRecoveryCodes(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** How many codes somebody has left. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ends everybody's codes: nobody knows which of a backup's were used since. */
export async function endAllRecoveryCodes(trx: Trx): Promise<void> {
  await trx.deleteFrom('recovery_codes').execute();
}
