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

/** The weekday of a day in a column: Sunday, 0, to Saturday, 6. */
export function weekdayIn(db: Db, column: RawBuilder<unknown>): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`extract(dow from ${column})::int`
    : sql<number>`cast(strftime('%w', ${column}) as integer)`;
}

/** How many days after a day in a column a moment in another one is, by its day in UTC: one more or less than anywhere. */
export function utcDaysAfter(
  db: Db,
  { day, moment }: Readonly<{ day: string; moment: string }>,
): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`((${sql.ref(moment)} at time zone 'UTC')::date - ${sql.ref(day)})`
    : sql<number>`cast(julianday(substr(${sql.ref(moment)}, 1, 10)) - julianday(${sql.ref(day)}) as integer)`;
}

/** How many days after a day in a column a moment in another one is, by the clock on the wall in a time zone. */
export function daysAfter(
  db: Db,
  { day, moment, timeZone }: Readonly<{ day: string; moment: string; timeZone: string }>,
): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`((${sql.ref(moment)} at time zone ${timeZone}::text)::date - ${sql.ref(day)})`
    : sql<number>`cast(julianday(day_in(${timeZone}, ${sql.ref(moment)})) - julianday(${sql.ref(day)}) as integer)`;
}
