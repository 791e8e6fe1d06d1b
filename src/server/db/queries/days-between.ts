import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { isPostgres } from '../engine.ts';

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
