import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { emailKey } from '../contract.ts';

/** Stores a link that confirms an address, and replaces an older link to the same address. */
export async function saveConfirmation(
  trx: Trx,
  values: Omit<Row<'email_confirmations'>, 'id' | 'email_key'>,
): Promise<void> {
  await trx
    .insertInto('email_confirmations')
    .values({ ...values, email_key: emailKey(values.email) })
    .onConflict((conflict) => conflict.column('email_key').doUpdateSet(values))
    .execute();
}

/** When the link to an address was emailed, or undefined if there is none. */
export async function confirmationSentAt(db: Db, email: string): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('email_confirmations')
    .select('created_at')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  return row?.created_at;
}

/** Returns the pending confirmation of a link, if it is still valid. */
export function findConfirmation(
  db: Db,
  tokenHash: string,
  now: Instant,
): Promise<Row<'email_confirmations'> | undefined> {
  return db
    .selectFrom('email_confirmations')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Claims a link by deleting its row. Returns undefined if the link was used or replaced, or has expired. */
export function redeemConfirmation(
  trx: Trx,
  tokenHash: string,
  now: Instant,
): Promise<Row<'email_confirmations'> | undefined> {
  return trx
    .deleteFrom('email_confirmations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the registration link of an address. An account's link to confirm the address stays. */
export async function deleteRegistrationOf(trx: Trx, email: string): Promise<void> {
  await trx
    .deleteFrom('email_confirmations')
    .where('email_key', '=', emailKey(email))
    .where('user_id', 'is', null)
    .execute();
}

/** Deletes the links that confirm an account's address. */
export async function deleteConfirmationsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('email_confirmations').where('user_id', '=', userId).execute();
}

/** Deletes expired links with their registrations. */
export async function deleteExpiredConfirmations(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('email_confirmations').where('expires_at', '<', now).execute();
}
