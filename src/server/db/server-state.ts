import type { Instant } from '#shared/calendar-date.ts';
import type { Db, Trx } from './database.ts';
import { changesRows } from './queries/changes-rows.ts';

/** Stores a value about the servers of this database, replacing an older one. */
export async function setServerState(db: Db, name: string, value: string, at: Instant): Promise<void> {
  await db
    .insertInto('server_state')
    .values({ name, value, noted_at: at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, noted_at: at }))
    .execute();
}

/** Stores a value unless one exists; returns the stored one. */
export async function getOrSetServerState(db: Db, name: string, value: string, at: Instant): Promise<string> {
  await db
    .insertInto('server_state')
    .values({ name, value, noted_at: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await db
    .selectFrom('server_state')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return stored.value;
}

/** Returns a stored value; undefined if there is none. */
export async function getServerState(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('server_state').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Returns several stored values, with the times when they were stored. */
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
 * Stores a value if the current one is still `before` (undefined: none exists). Returns false when another
 * server changed it meanwhile.
 */
export function compareAndSetServerState(
  db: Db,
  name: string,
  before: Readonly<{ value: string; at: Instant }> | undefined,
  { value, at }: Readonly<{ value: string; at: Instant }>,
): Promise<boolean> {
  if (before === undefined) {
    return changesRows(
      db
        .insertInto('server_state')
        .values({ name, value, noted_at: at })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    );
  }
  return changesRows(
    db
      .updateTable('server_state')
      .set({ value, noted_at: at })
      .where('name', '=', name)
      .where('value', '=', before.value)
      .where('noted_at', '=', before.at),
  );
}

/** Deletes a value and returns it; undefined if there is none or another process deleted it first. */
export async function takeServerState(trx: Trx, name: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('server_state')
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirst();
  return row?.value;
}

/** Deletes a value. */
export async function deleteServerState(db: Db, name: string): Promise<void> {
  await db.deleteFrom('server_state').where('name', '=', name).execute();
}

/** Deletes all values, because a restored database starts over in another installation. */
export async function deleteAllServerState(db: Db): Promise<void> {
  await db.deleteFrom('server_state').execute();
}
