import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '#base/calendar-date.ts';
import type { Db } from './connect.ts';

/** The first day of the month of a day in a column. */
export function monthOf(db: Db, column: string): RawBuilder<CalendarDate> {
  const day = sql.ref(column);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<CalendarDate>`date_trunc('month', ${day})::date`
    : sql<CalendarDate>`substr(${day}, 1, 8) || '01'`;
}
