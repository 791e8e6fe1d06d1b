import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Keeps a challenge, and deletes those of the account that are over. */
export async function insertPendingSignIn(
  trx: Trx,
  challenge: Omit<Row<'sign_in_challenges'>, 'mistakes'>,
  now: Instant,
): Promise<void> {
  await trx
    .deleteFrom('sign_in_challenges')
    .where('user_id', '=', challenge.user_id)
    .where('expires_at', '<', now)
    .execute();
  await trx.insertInto('sign_in_challenges').values(challenge).execute();
}

/** A challenge that is not over, or undefined. */
export function findPendingSignIn(db: Db, tokenHash: string, now: Instant) {
  return db
    .selectFrom('sign_in_challenges')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Ends a challenge; false when it is over already, so that of two requests one goes on. */
export async function deletePendingSignIn(trx: Trx, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sign_in_challenges')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Counts a mistake, and ends the challenge with the last one that it allows. True when it ended. */
export async function countFailedCode(trx: Trx, tokenHash: string, most: number): Promise<boolean> {
  await trx
    .updateTable('sign_in_challenges')
    .set((eb) => ({ mistakes: eb('mistakes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .execute();
  const { numDeletedRows } = await trx
    .deleteFrom('sign_in_challenges')
    .where('token_hash', '=', tokenHash)
    .where('mistakes', '>=', most)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all challenges of an account. */
export async function deletePendingSignInsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

/** Removes challenges that nobody met in time. */
export async function sweepChallenges(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('sign_in_challenges').where('expires_at', '<', now).execute();
}
