import type BetterSqlite from 'better-sqlite3';
import { dayIn, type Instant } from '#shared/calendar-date.ts';

/** Teaches SQLite time zones, of which it knows none: `day_in(zone, moment)`. */
export function registerTimeZoneFunctions(file: BetterSqlite.Database): void {
  file.function('day_in', { deterministic: true }, (zone, moment) => dayIn(String(zone), moment as Instant));
}
