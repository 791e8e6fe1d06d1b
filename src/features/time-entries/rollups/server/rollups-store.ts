import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { lockTables } from '#server/db/row-locks.ts';
import { derivedTables } from '#server/db/sums.ts';

/** A rollup row that differs from the sum of the entries; `null` where one side has no such row. */
export type Drift = Readonly<{ table: string; key: string; stored: string | null; counted: string | null }>;

/** The names of the rollup tables. */
export function rollupTables(db: Db): string[] {
  return derivedTables(db).map(({ table }) => table);
}

/**
 * All rollup rows that differ from the entries; empty when all match. `db` must be consistent: a snapshot, or a
 * transaction that locks the entries.
 */
export async function findDrift(db: Db): Promise<Drift[]> {
  const found: Drift[][] = [];
  for (const { table, key, values, mayBeEmpty, counted } of derivedTables(db)) {
    const columns = [...key, ...values].map((column) => sql.ref(column));
    const isThere = mayBeEmpty ? sql`entries <> 0` : sql`1 = 1`;
    const stored = sql`select ${sql.join(columns)} from ${sql.table(table)} where ${isThere}`;
    const { rows } = await sql<Record<string, unknown>>`
      select 'stored' as side, lost.* from (select * from (${stored}) as a except select * from (${counted}) as b) as lost
      union all
      select 'counted' as side, lost.* from (select * from (${counted}) as b except select * from (${stored}) as a) as lost
    `.execute(db);
    found.push(toDrift(table, key, values, rows));
  }
  return found.flat();
}

/** Locks the tables that the rollups are computed from until the transaction ends. */
export function lockEntries(trx: Trx): Promise<void> {
  return lockTables(trx, ['time_entries', 'users']);
}

/** Rebuilds the rollups from the entries, which are locked meanwhile. */
export async function rebuildRollups(trx: Trx): Promise<void> {
  await lockEntries(trx);
  const all = derivedTables(trx);
  for (const { table } of all) await sql`delete from ${sql.table(table)}`.execute(trx);
  for (const { table, key, values, counted } of all) {
    const columns = [...key, ...values].map((column) => sql.ref(column));
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) ${counted}`.execute(trx);
  }
}

function toDrift(
  table: string,
  key: readonly string[],
  values: readonly string[],
  rows: readonly Record<string, unknown>[],
): Drift[] {
  const describe = (row: Record<string, unknown>, columns: readonly string[]) =>
    columns.map((column) => `${column} ${String(row[column])}`).join(', ');
  const byKey = Map.groupBy(rows, (row) => describe(row, key));
  return [...byKey].map(([name, sides]) => {
    const side = (wanted: string) => sides.find((row) => row['side'] === wanted);
    const [stored, counted] = [side('stored'), side('counted')];
    return {
      table,
      key: name,
      stored: stored === undefined ? null : describe(stored, values),
      counted: counted === undefined ? null : describe(counted, values),
    };
  });
}

/** How many schools have sums that differ from their entries. */
export async function countWrongRollups(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from schools
    left join school_sums as stored on stored.school_id = schools.id
    left join (select school_id, count(*) as entries, sum(hours_hundredths) as hours_hundredths,
        sum(counted_hundredths) as counted_hundredths
      from time_entries where deleted_at is null group by school_id) as counted on counted.school_id = schools.id
    where coalesce(stored.entries, 0) <> coalesce(counted.entries, 0)
      or coalesce(stored.hours_hundredths, 0) <> coalesce(counted.hours_hundredths, 0)
      or coalesce(stored.counted_hundredths, 0) <> coalesce(counted.counted_hundredths, 0)`.execute(db);
  return rows[0]?.count ?? 0;
}
