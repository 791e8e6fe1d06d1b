import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { bitOf, monthOf } from './queries/date-columns.ts';

/** A rollup table of the live entries: its key and its sums. */
export type EntrySums = Readonly<{
  table: string;
  /** The entry columns that key a row; `month` is the first day of the entry's month. */
  key: readonly string[];
  /** A column copied from the user. */
  copied?: 'sort_key';
  /** The table with a row per volunteer of this total. Triggers count those with entries in the column `people` of `table`. */
  peopleIn?: string;
}>;

/** The summed columns of each rollup. */
export const SUMMED = ['entries', 'hours_hundredths', 'counted_hundredths'] as const;

/**
 * The rollup tables, in the order in which a write of an entry changes them: the school's row first, so that
 * on PostgreSQL writers at one school queue up and cannot deadlock.
 */
export const ENTRY_SUMS: readonly EntrySums[] = [
  { table: 'school_sums', key: ['school_id'], peopleIn: 'school_volunteers' },
  { table: 'activity_sums', key: ['activity_id'], peopleIn: 'activity_volunteers' },
  { table: 'day_sums', key: ['school_id', 'entry_date'] },
  { table: 'month_sums', key: ['school_id', 'month', 'activity_id'] },
  { table: 'school_volunteers', key: ['school_id', 'user_id'], copied: 'sort_key' },
  { table: 'activity_volunteers', key: ['activity_id', 'user_id'] },
];

/** A derived table with the query for its expected rows, in the order of its columns: `key`, then `values`. */
export type DerivedTable = Readonly<{
  table: string;
  key: readonly string[];
  values: readonly string[];
  /** Whether a row may stay when its last entry is gone, with 0 entries. */
  mayBeEmpty: boolean;
  counted: RawBuilder<unknown>;
}>;

/** All derived tables of the entries, in the order in which to fill them: triggers count the users of a table. */
export function derivedTables(db: Db): readonly DerivedTable[] {
  return [...ENTRY_SUMS.toReversed().map((sums) => rollupOfSums(db, sums)), rollupOfDays(db)];
}

const LIVE = sql`from time_entries where deleted_at is null`;

function rollupOfSums(db: Db, { table, key, copied, peopleIn }: EntrySums): DerivedTable {
  const groups = key.map((column) => (column === 'month' ? monthOf(db, 'entry_date') : sql.ref(column)));
  const named = groups.map((group, index) => sql`${group} as ${sql.ref(key[index] ?? '')}`);
  if (copied !== undefined)
    named.push(sql`(select ${sql.ref(copied)} from users where users.id = time_entries.user_id)`);
  return {
    table,
    key: copied === undefined ? key : [...key, copied],
    values: peopleIn === undefined ? SUMMED : [...SUMMED, 'people'],
    mayBeEmpty: true,
    counted: sql`select ${sql.join(named)}, count(*) as entries,
        sum(hours_hundredths) as hours_hundredths, sum(counted_hundredths) as counted_hundredths
        ${peopleIn === undefined ? sql`` : sql`, count(distinct user_id) as people`}
      ${LIVE} group by ${sql.join(groups)}`,
  };
}

// On which days of a month a user helped at a school, and the last day before that month.
function rollupOfDays(db: Db): DerivedTable {
  return {
    table: 'month_volunteers',
    key: ['school_id', 'month', 'user_id'],
    values: ['days', 'last_before'],
    mayBeEmpty: false,
    counted: sql`select school_id, month, user_id, days,
        lag(last) over (partition by school_id, user_id order by month) as last_before
      from (select school_id, month, user_id, sum(${bitOf(db, 'entry_date')}) as days, max(entry_date) as last
        from (select distinct school_id, ${monthOf(db, 'entry_date')} as month, user_id, entry_date ${LIVE}) as helped
        group by school_id, month, user_id) as months`,
  };
}
