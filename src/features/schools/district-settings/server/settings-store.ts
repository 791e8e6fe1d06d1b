import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { databaseFailure, isTemporaryFailure } from '#server/db/database-errors.ts';
import { lockTables } from '#server/db/row-locks.ts';

/** A setting that an administrator changes while the system runs, as JSON; nothing until somebody does. */
export async function findSetting(db: Db, name: string): Promise<unknown> {
  const text = await findSettingText(db, name);
  return text === null ? undefined : JSON.parse(text);
}

/** The same as it is kept, or null. */
export async function findSettingText(db: Db, name: string): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`${VALUE} ${name}`.execute(db);
  return rows[0]?.value ?? null;
}

// Raw SQL, since every call without a session runs it.
const VALUE = sql.raw('select value from district_settings where name =');

/** Keeps a setting. */
export async function saveSetting(trx: Trx, name: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await trx
    .insertInto('district_settings')
    .values({ name, value: json })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: json }))
    .execute();
}

/** Whether anybody logged hours, deleted or not. */
export async function hasEntries(db: Db): Promise<boolean> {
  return (await db.selectFrom('time_entries').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Lets no other request change a setting until the transaction ends: who changes a part of one must read it after this. */
export function lockSettings(trx: Trx): Promise<void> {
  return lockTables(trx, ['district_settings']);
}

/** Whether anybody has a passkey for this relying party; not while the database cannot say. */
export async function hasAnyPasskey(db: Db, rpId: string): Promise<boolean> {
  try {
    const query = db.selectFrom('passkeys').select('id').where('rp_id', '=', rpId).limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  } catch (error) {
    // The sign-in page shows without the database.
    if (isTemporaryFailure(databaseFailure(error))) return false;
    throw error;
  }
}
