import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { isPostgres } from './engine.ts';

/** How many days after a day in a column a moment in another one is, by its day in UTC. */
export function daysAfter(db: Db, day: string, moment: string): RawBuilder<number> {
  return isPostgres(db)
    ? sql<number>`((${sql.ref(moment)} at time zone 'UTC')::date - ${sql.ref(day)})`
    : sql<number>`cast(julianday(substr(${sql.ref(moment)}, 1, 10)) - julianday(${sql.ref(day)}) as integer)`;
}
