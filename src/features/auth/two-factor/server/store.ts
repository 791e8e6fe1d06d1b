import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Whether an account has a second factor. Recovery codes alone do not count. */
export async function hasTwoFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from totp_secrets where user_id = ${userId}
    union all select 1 from passkeys where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the stored requirement, whether the user has a second factor, and since when they administer the district
 * (`startGracePeriod`, or the account's creation) or a school (`startGracePeriod`, or the oldest role).
 */
export async function findTwoFactorStatus(
  db: Db,
  name: string,
  userId: number,
): Promise<{ setting: unknown; has: boolean; promotedAt: Instant | null; grantedAt: Instant | null }> {
  type Standing = {
    setting: string | null;
    has: number;
    begins_at: Instant | null;
    made_at: Instant | null;
    granted_at: Instant | null;
  };
  const { rows } = await sql<Standing>`select
    (select value from district_settings where name = ${name}) as setting,
    (select count(*) from totp_secrets where user_id = ${userId})
      + (select count(*) from passkeys where user_id = ${userId}) as has,
    (select begins_at from two_factor_grace_periods where user_id = ${userId}) as begins_at,
    (select created_at from users where id = ${userId}) as made_at,
    (select min(created_at) from user_grants where user_id = ${userId} and role = 'school-admin') as granted_at`.execute(
    db,
  );
  const [row] = rows;
  return {
    setting: row?.setting === null || row?.setting === undefined ? undefined : JSON.parse(row.setting),
    has: row !== undefined && row.has > 0,
    promotedAt: row?.begins_at ?? row?.made_at ?? null,
    grantedAt: row?.begins_at ?? row?.granted_at ?? null,
  };
}

/** Stores when an account first became an administrator of the district or of a school. The grace period is granted once. */
export async function startGracePeriod(trx: Trx, userId: number, at: Instant): Promise<void> {
  await trx
    .insertInto('two_factor_grace_periods')
    .values({ user_id: userId, begins_at: at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Deletes the grace period. */
export async function deleteGracePeriod(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('two_factor_grace_periods').where('user_id', '=', userId).execute();
}

/** Exports the status of a user's second factor for the data download, never the secret. */
export async function exportTwoFactorStatus(db: Db, userId: number) {
  const totp = await db
    .selectFrom('totp_secrets')
    .select(['created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const codes = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('recoveryCodesLeft'))
    .select((eb) => eb.fn.min('created_at').as('recoveryCodesMadeAt'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    authenticator: totp === undefined ? null : { addedAt: totp.created_at, lastUsedAt: totp.last_used_at },
    ...codes,
  };
}

/** A user's authenticator with its encrypted secret, or undefined. */
export function findTotp(db: Db, userId: number): Promise<Row<'totp_secrets'> | undefined> {
  return db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Stores an authenticator and replaces an older one; `step` is the time step of the code that confirmed it. */
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
 * Uses up the code of a step and of all earlier steps. Returns false if it was used before or the secret has changed: the
 * second of two requests with one code updates no row.
 */
export function claimTotpStep(
  trx: Trx,
  userId: number,
  { sealed, step, at }: { sealed: string; step: number; at: Instant },
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('totp_secrets')
      .set({ last_step: step, last_used_at: at })
      .where('user_id', '=', userId)
      .where('sealed', '=', sealed)
      .where('last_step', '<', step),
  );
}

/** Deletes a user's authenticator; false if there was none. */
export function deleteTotp(trx: Trx, userId: number): Promise<boolean> {
  return changesRows(trx.deleteFrom('totp_secrets').where('user_id', '=', userId));
}

/** Stores an offered secret and replaces an older offer. */
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

/** The encrypted secret offered to a user; undefined if there is none or it is too old. */
export async function findTotpSetup(db: Db, userId: number, now: Instant): Promise<string | undefined> {
  const row = await db
    .selectFrom('totp_offers')
    .select('sealed')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.sealed;
}

/** Ends an offer. Returns false if another request ended it, or offered another secret meanwhile. */
export function completeTotpSetup(trx: Trx, userId: number, sealed: string): Promise<boolean> {
  return changesRows(
    trx.deleteFrom('totp_offers').where('user_id', '=', userId).where('sealed', '=', sealed),
  );
}

/** Deletes the secret offered to a user. */
export async function deleteTotpSetup(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('totp_offers').where('user_id', '=', userId).execute();
}

/** Deletes expired offers. */
export async function deleteExpiredTotpSetups(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('totp_offers').where('expires_at', '<', now).execute();
}

/** Deletes all authenticators. */
export async function deleteEveryTotp(trx: Trx): Promise<void> {
  await trx.deleteFrom('totp_secrets').execute();
}

/** Stores these codes and deletes all older ones. */
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

/** Uses up a code. Returns false if it does not exist or was used. */
export function redeemRecoveryCode(trx: Trx, userId: number, hash: string): Promise<boolean> {
  return changesRows(
    trx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', '=', hash),
  );
}

/** Deletes all recovery codes of a user. */
export async function deleteRecoveryCodes(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** The number of unused codes of a user. */
export function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId));
}

/** Deletes all users' codes after a restore, because codes in the backup may have been used since. */
export async function endAllRecoveryCodes(trx: Trx): Promise<void> {
  await trx.deleteFrom('recovery_codes').execute();
}
