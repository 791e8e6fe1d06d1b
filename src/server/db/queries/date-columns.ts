import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Db } from '../database.ts';
import { isPostgres } from '../database.ts';

/** The first day of a date column's month. */
export function monthOf(db: Db, column: string): RawBuilder<CalendarDate> {
  const day = sql.ref(column);
  return isPostgres(db)
    ? sql<CalendarDate>`date_trunc('month', ${day})::date`
    : sql<CalendarDate>`substr(${day}, 1, 8) || '01'`;
}

/** A date column's day of the month as a bit: the first is 1, the second 2, the third 4. */
export function bitOf(db: Db, column: string): RawBuilder<number> {
  const day = sql.ref(column);
  return isPostgres(db)
    ? sql<number>`(1::bigint << (extract(day from ${day})::int - 1))`
    : sql<number>`(1 << (cast(substr(${day}, 9) as integer) - 1))`;
}

/** A date column's weekday: Sunday, 0, to Saturday, 6. */
export function weekdayIn(db: Db, column: RawBuilder<unknown>): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`extract(dow from ${column})::int`
    : sql<number>`cast(strftime('%w', ${column}) as integer)`;
}

/**
 * The number of days between a date column and an instant column, by the instant's UTC day, which may be off
 * by one from the local day.
 */
export function utcDaysAfter(
  db: Db,
  { day, moment }: Readonly<{ day: string; moment: string }>,
): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`((${sql.ref(moment)} at time zone 'UTC')::date - ${sql.ref(day)})`
    : sql<number>`cast(julianday(substr(${sql.ref(moment)}, 1, 10)) - julianday(${sql.ref(day)}) as integer)`;
}

/** The number of days between a date column and an instant column, by the instant's local day in a time zone. */
export function daysAfter(
  db: Db,
  { day, moment, timeZone }: Readonly<{ day: string; moment: string; timeZone: string }>,
): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`((${sql.ref(moment)} at time zone ${timeZone}::text)::date - ${sql.ref(day)})`
    : sql<number>`cast(julianday(day_in(${timeZone}, ${sql.ref(moment)})) - julianday(${sql.ref(day)}) as integer)`;
}
