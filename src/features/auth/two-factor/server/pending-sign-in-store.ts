import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Stores a challenge, and deletes the account's expired ones. */
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

/** A challenge that is still open, or undefined. */
export function findPendingSignIn(db: Db, tokenHash: string, now: Instant) {
  return db
    .selectFrom('sign_in_challenges')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Ends a challenge. Returns false if it has already ended, so that only one of two requests continues. */
export function deletePendingSignIn(trx: Trx, tokenHash: string): Promise<boolean> {
  return changesRows(trx.deleteFrom('sign_in_challenges').where('token_hash', '=', tokenHash));
}

/** Counts a wrong code, and ends the challenge with the last attempt. Returns whether it ended. */
export async function countFailedCode(trx: Trx, tokenHash: string, most: number): Promise<boolean> {
  await trx
    .updateTable('sign_in_challenges')
    .set((eb) => ({ mistakes: eb('mistakes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .execute();
  return changesRows(
    trx.deleteFrom('sign_in_challenges').where('token_hash', '=', tokenHash).where('mistakes', '>=', most),
  );
}

/** Deletes all challenges of an account. */
export async function deletePendingSignInsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

/** Deletes expired challenges. */
export async function deleteExpiredPendingSignIns(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('sign_in_challenges').where('expires_at', '<', now).execute();
}
