import type { Db, Trx } from '#server/db/connect.ts';
import { holdTables } from '#server/db/lock.ts';

/** A setting that an administrator changes while the system runs, as JSON; nothing until somebody does. */
export async function findSetting(db: Db, name: string): Promise<unknown> {
  const row = await db
    .selectFrom('district_settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.value);
}

/** Keeps a setting. */
export async function keepSetting(trx: Trx, name: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await trx
    .insertInto('district_settings')
    .values({ name, value: json })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: json }))
    .execute();
}

/** Lets no other request change a setting until the transaction ends: who changes a part of one must read it after this. */
export function holdSettings(trx: Trx): Promise<void> {
  return holdTables(trx, ['district_settings']);
}
