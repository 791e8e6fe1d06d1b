import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Somebody's authenticator, its secret sealed, or undefined. */
export function findTotp(db: Db, userId: number): Promise<Row<'totp_secrets'> | undefined> {
  return db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Keeps an authenticator in place of an older one; `step` is that of the code that confirmed it. */
export async function saveTotp(
  trx: Trx,
  userId: number,
  { sealed, step, at }: { sealed: string; step: number; at: Instant },
): Promise<void> {
  const values = { sealed, last_step: step, created_at: at, last_used_at: null };
  await trx
    .insertInto('totp_secrets')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/**
 * Uses up the code of a step, and with it those of all earlier ones. False when it was used before, or when the secret is
 * another by now: of two requests with one code the second changes no row.
 */
export async function claimTotpStep(
  trx: Trx,
  userId: number,
  { sealed, step, at }: { sealed: string; step: number; at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('totp_secrets')
    .set({ last_step: step, last_used_at: at })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes somebody's authenticator; false when there was none. */
export async function deleteTotp(trx: Trx, userId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Keeps a secret that is offered, in place of an older offer. */
export async function saveTotpSetup(
  trx: Trx,
  userId: number,
  { sealed, expiresAt }: { sealed: string; expiresAt: Instant },
): Promise<void> {
  const values = { sealed, expires_at: expiresAt };
  await trx
    .insertInto('totp_offers')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The secret that is offered to somebody, sealed; undefined when there is none or it is too old. */
export async function findTotpSetup(db: Db, userId: number, now: Instant): Promise<string | undefined> {
  const row = await db
    .selectFrom('totp_offers')
    .select('sealed')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.sealed;
}

/** Ends an offer, once: false when another request did, or offered another secret since. */
export async function completeTotpSetup(trx: Trx, userId: number, sealed: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('totp_offers')
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes what is offered to somebody. */
export async function deleteTotpSetup(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('totp_offers').where('user_id', '=', userId).execute();
}

/** Removes offers that nobody confirmed. */
export async function sweepTotpOffers(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('totp_offers').where('expires_at', '<', now).execute();
}

/** Ends everybody's authenticators. */
export async function deleteEveryTotp(trx: Trx): Promise<void> {
  await trx.deleteFrom('totp_secrets').execute();
}
