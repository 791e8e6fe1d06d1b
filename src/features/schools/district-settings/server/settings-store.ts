import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { databaseFailure, isTemporaryFailure } from '#server/db/database-errors.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { lockTables } from '#server/db/row-locks.ts';

/** Returns a stored setting parsed from JSON, or undefined if it was never set. */
export async function findSetting(db: Db, name: string): Promise<unknown> {
  const text = await findSettingText(db, name);
  return text === null ? undefined : JSON.parse(text);
}

/** Returns a stored setting as JSON text, or null. */
export async function findSettingText(db: Db, name: string): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`${VALUE} ${name}`.execute(db);
  return rows[0]?.value ?? null;
}

// Raw SQL for speed, because every request without a session runs it.
const VALUE = sql.raw('select value from district_settings where name =');

/** Stores a setting. */
export async function saveSetting(trx: Trx, name: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await trx
    .insertInto('district_settings')
    .values({ name, value: json })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: json }))
    .execute();
}

/** Whether there are any time entries, including deleted ones. */
export function hasEntries(db: Db): Promise<boolean> {
  return hasRows(db.selectFrom('time_entries'));
}

/** Locks all settings until the transaction ends. Read a setting after this to change a part of it. */
export function lockSettings(trx: Trx): Promise<void> {
  return lockTables(trx, ['district_settings']);
}

/** Whether there is a passkey for this relying party; false while the database is unavailable. */
export async function hasAnyPasskey(db: Db, rpId: string): Promise<boolean> {
  try {
    return await hasRows(db.selectFrom('passkeys').where('rp_id', '=', rpId));
  } catch (error) {
    // The sign-in page must work without the database.
    if (isTemporaryFailure(databaseFailure(error))) return false;
    throw error;
  }
}
