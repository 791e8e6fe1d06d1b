import type BetterSqlite from 'better-sqlite3';
import { dayIn, type Instant } from '#shared/calendar-date.ts';

/** Adds the SQL function `day_in(zone, moment)`, because SQLite has no time zones. */
export function registerTimeZoneFunctions(file: BetterSqlite.Database): void {
  file.function('day_in', { deterministic: true }, (zone, moment) => dayIn(String(zone), moment as Instant));
}
