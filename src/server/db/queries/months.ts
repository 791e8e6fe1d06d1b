import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Db } from '../database.ts';
import { isPostgres } from '../engine.ts';

/** The first day of the month of a day in a column. */
export function monthOf(db: Db, column: string): RawBuilder<CalendarDate> {
  const day = sql.ref(column);
  return isPostgres(db)
    ? sql<CalendarDate>`date_trunc('month', ${day})::date`
    : sql<CalendarDate>`substr(${day}, 1, 8) || '01'`;
}

/** A day in a column as a bit of its month: the first is 1, the second 2, the third 4. */
export function bitOf(db: Db, column: string): RawBuilder<number> {
  const day = sql.ref(column);
  return isPostgres(db)
    ? sql<number>`(1::bigint << (extract(day from ${day})::int - 1))`
    : sql<number>`(1 << (cast(substr(${day}, 9) as integer) - 1))`;
}

/** How many months an era has: so many bits are a number that the program can hold too. */
export const ERA_MONTHS = 48;

/** The era of a month, and its bit in it, of the first day of a month in a column. Months are counted from the year 0. */
export function eraOf(
  db: Db,
  month: RawBuilder<unknown>,
): { era: RawBuilder<number>; bit: RawBuilder<number> } {
  const number = isPostgres(db)
    ? sql`(extract(year from ${month})::int * 12 + extract(month from ${month})::int - 1)`
    : sql`(cast(substr(${month}, 1, 4) as integer) * 12 + cast(substr(${month}, 6, 2) as integer) - 1)`;
  const one = sql.raw(isPostgres(db) ? '1::bigint' : '1');
  const months = sql.lit(ERA_MONTHS);
  return { era: sql<number>`(${number} / ${months})`, bit: sql<number>`(${one} << (${number} % ${months}))` };
}

/** The weekday of a day in a column: Sunday, 0, to Saturday, 6. */
export function weekdayIn(db: Db, column: RawBuilder<unknown>): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`extract(dow from ${column})::int`
    : sql<number>`cast(strftime('%w', ${column}) as integer)`;
}
