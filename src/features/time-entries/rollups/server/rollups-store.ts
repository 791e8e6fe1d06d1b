import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { bitOf, monthOf } from '#server/db/queries/months.ts';
import { holdTables } from '#server/db/row-locks.ts';

/** A rollup row that differs from the sum of the entries; `null` where one side has no such row. */
export type Drift = Readonly<{ table: string; key: string; kept: string | null; counted: string | null }>;

type Rollup = {
  table: string;
  key: readonly string[];
  sums: readonly string[];
  counted: RawBuilder<unknown>;
};

/** Every rollup with the query that computes it from the entries. Rollups that others count people from come first. */
function rollups(db: Db): readonly Rollup[] {
  const sums = ['entries', 'hours_hundredths', 'counted_hundredths'];
  const withPeople = [...sums, 'people'];
  const added = sql`count(*) as entries, sum(hours_hundredths) as hours_hundredths,
    sum(counted_hundredths) as counted_hundredths`;
  const people = sql`count(distinct user_id) as people`;
  const live = sql`from time_entries where deleted_at is null`;
  const month = monthOf(db, 'entry_date');
  return [
    {
      table: 'school_people',
      key: ['school_id', 'user_id', 'sort_key'],
      sums,
      counted: sql`select found.school_id, found.user_id, users.sort_key, found.entries, found.hours_hundredths,
          found.counted_hundredths
        from (select school_id, user_id, ${added} ${live} group by school_id, user_id) as found
        join users on users.id = found.user_id`,
    },
    {
      table: 'activity_people',
      key: ['activity_id', 'user_id'],
      sums,
      counted: sql`select activity_id, user_id, ${added} ${live} group by activity_id, user_id`,
    },
    {
      table: 'school_sums',
      key: ['school_id'],
      sums: withPeople,
      counted: sql`select school_id, ${added}, ${people} ${live} group by school_id`,
    },
    {
      table: 'activity_sums',
      key: ['activity_id'],
      sums: withPeople,
      counted: sql`select activity_id, ${added}, ${people} ${live} group by activity_id`,
    },
    {
      table: 'day_sums',
      key: ['school_id', 'entry_date'],
      sums,
      counted: sql`select school_id, entry_date, ${added} ${live} group by school_id, entry_date`,
    },
    {
      table: 'month_sums',
      key: ['school_id', 'month', 'activity_id'],
      sums,
      counted: sql`select school_id, ${month} as month, activity_id, ${added} ${live}
        group by school_id, ${month}, activity_id`,
    },
    {
      table: 'month_people',
      key: ['school_id', 'month', 'user_id'],
      sums: ['days', 'last_before'],
      counted: sql`select school_id, month, user_id, days,
          lag(last) over (partition by school_id, user_id order by month) as last_before
        from (select school_id, month, user_id, sum(${bitOf(db, 'entry_date')}) as days, max(entry_date) as last
          from (select distinct school_id, ${month} as month, user_id, entry_date ${live}) as helped
          group by school_id, month, user_id) as months`,
    },
  ];
}

/** The names of the rollup tables. */
export function rollupTables(db: Db): string[] {
  return rollups(db).map(({ table }) => table);
}

/**
 * All rollup rows that differ from the entries; empty when all match. `db` must see one moment: a snapshot, or a
 * transaction that holds the entries.
 */
export async function findDrift(db: Db): Promise<Drift[]> {
  const found: Drift[][] = [];
  for (const { table, key, sums, counted } of rollups(db)) {
    const columns = [...key, ...sums].map((column) => sql.ref(column));
    // Rollups that count entries may keep a row with 0 entries.
    const isThere = sums.includes('entries') ? sql`entries <> 0` : sql`1 = 1`;
    const kept = sql`select ${sql.join(columns)} from ${sql.table(table)} where ${isThere}`;
    const { rows } = await sql<Record<string, unknown>>`
      select 'kept' as side, lost.* from (select * from (${kept}) as a except select * from (${counted}) as b) as lost
      union all
      select 'counted' as side, lost.* from (select * from (${counted}) as b except select * from (${kept}) as a) as lost
    `.execute(db);
    found.push(driftIn(table, key, sums, rows));
  }
  return found.flat();
}

/** Lets nobody else change what the rollups are computed from until the transaction ends. */
export function holdEntries(trx: Trx): Promise<void> {
  return holdTables(trx, ['time_entries', 'users']);
}

/** Rebuilds the rollups from the entries, which are locked meanwhile. */
export async function rebuildRollups(trx: Trx): Promise<void> {
  await holdEntries(trx);
  const all = rollups(trx);
  for (const { table } of all) await sql`delete from ${sql.table(table)}`.execute(trx);
  for (const { table, key, sums, counted } of all) {
    const columns = [...key, ...sums].map((column) => sql.ref(column));
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) ${counted}`.execute(trx);
  }
}

function driftIn(
  table: string,
  key: readonly string[],
  sums: readonly string[],
  rows: readonly Record<string, unknown>[],
): Drift[] {
  const said = (row: Record<string, unknown>, columns: readonly string[]) =>
    columns.map((column) => `${column} ${String(row[column])}`).join(', ');
  const byKey = Map.groupBy(rows, (row) => said(row, key));
  return [...byKey].map(([name, sides]) => {
    const side = (wanted: string) => sides.find((row) => row['side'] === wanted);
    const [kept, counted] = [side('kept'), side('counted')];
    return {
      table,
      key: name,
      kept: kept === undefined ? null : said(kept, sums),
      counted: counted === undefined ? null : said(counted, sums),
    };
  });
}

/** How many schools have sums that differ from their entries. */
export async function countWrongSchools(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from schools
    left join school_sums as kept on kept.school_id = schools.id
    left join (select school_id, count(*) as entries, sum(hours_hundredths) as hours_hundredths,
        sum(counted_hundredths) as counted_hundredths
      from time_entries where deleted_at is null group by school_id) as counted on counted.school_id = schools.id
    where coalesce(kept.entries, 0) <> coalesce(counted.entries, 0)
      or coalesce(kept.hours_hundredths, 0) <> coalesce(counted.hours_hundredths, 0)
      or coalesce(kept.counted_hundredths, 0) <> coalesce(counted.counted_hundredths, 0)`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
