import type { Instant } from '#shared/calendar-date.ts';
import type { Db } from './db/database.ts';

/** A problem with the server's setup that an administrator should fix; `detail` completes the sentence. */
export type SystemWarning = Readonly<{ name: 'proxy-not-trusted'; detail: string; notedAt: Instant }>;

/** Stores a warning, replacing an older one of the same name. */
export async function storeWarning(db: Db, { name, detail, notedAt }: SystemWarning): Promise<void> {
  await db
    .insertInto('system_warnings')
    .values({ name, detail, noted_at: notedAt })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ detail, noted_at: notedAt }))
    .execute();
}

/** Deletes a warning after its cause was fixed. */
export async function deleteWarning(db: Db, name: SystemWarning['name']): Promise<void> {
  await db.deleteFrom('system_warnings').where('name', '=', name).execute();
}

/** All warnings by name. */
export async function listWarnings(db: Db): Promise<SystemWarning[]> {
  const rows = await db.selectFrom('system_warnings').selectAll().orderBy('name').execute();
  return rows.map((row) => ({ name: row.name, detail: row.detail, notedAt: row.noted_at }));
}
