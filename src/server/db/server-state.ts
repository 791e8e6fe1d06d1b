import type { Instant } from '#shared/calendar-date.ts';
import type { Db, Trx } from './database.ts';

/** Notes something about the servers of this database under a name, in place of what was noted there before. */
export async function setServerState(db: Db, name: string, value: string, at: Instant): Promise<void> {
  await db
    .insertInto('server_state')
    .values({ name, value, noted_at: at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, noted_at: at }))
    .execute();
}

/** The same, unless something is noted there already; returns what is. */
export async function getOrSetServerState(db: Db, name: string, value: string, at: Instant): Promise<string> {
  await db
    .insertInto('server_state')
    .values({ name, value, noted_at: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const noted = await db
    .selectFrom('server_state')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return noted.value;
}

/** What is noted under a name; undefined when nothing is. */
export async function getServerState(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('server_state').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** What is noted under some names, and when each was. */
export async function getServerStates(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, Readonly<{ value: string; at: Instant }>>> {
  const rows = await db
    .selectFrom('server_state')
    .select(['name', 'value', 'noted_at as at'])
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Notes something in place of exactly what was noted before; nothing when `before` is undefined. Returns false when
 * another server noted something else meanwhile.
 */
export async function compareAndSetServerState(
  db: Db,
  name: string,
  before: Readonly<{ value: string; at: Instant }> | undefined,
  { value, at }: Readonly<{ value: string; at: Instant }>,
): Promise<boolean> {
  if (before === undefined) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('server_state')
      .values({ name, value, noted_at: at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('server_state')
    .set({ value, noted_at: at })
    .where('name', '=', name)
    .where('value', '=', before.value)
    .where('noted_at', '=', before.at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets what is noted under a name and returns it; undefined when nothing is, or another process took it. */
export async function takeServerState(trx: Trx, name: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('server_state')
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirst();
  return row?.value;
}

/** Forgets what is noted under a name. */
export async function deleteServerState(db: Db, name: string): Promise<void> {
  await db.deleteFrom('server_state').where('name', '=', name).execute();
}

/** Forgets everything that servers noted, when a database begins anew somewhere else. */
export async function deleteAllServerState(db: Db): Promise<void> {
  await db.deleteFrom('server_state').execute();
}
