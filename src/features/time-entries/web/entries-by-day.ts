import type { CalendarDate } from '#shared/calendar-date.ts';
import { type Hours, sumHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import type { TimeEntry } from '../contract.ts';

/** The entries of one day and their total hours. */
export type Day = { date: CalendarDate; hours: Hours; entries: TimeEntry[] };

/** Groups entries by day, in the given order. Deleted entries stay in the list but are not counted. */
export function groupByDay(entries: readonly TimeEntry[], deleted: ReadonlySet<Id>): Day[] {
  const days = new Map<CalendarDate, TimeEntry[]>();
  for (const entry of entries) {
    const sameDay = days.get(entry.entryDate);
    if (sameDay === undefined) days.set(entry.entryDate, [entry]);
    else sameDay.push(entry);
  }
  return [...days].map(([date, ofDay]) => ({
    date,
    hours: sumHours(ofDay.filter((entry) => !deleted.has(entry.id)).map((entry) => entry.hours)),
    entries: ofDay,
  }));
}

/** The loaded entries plus the deleted ones in their old positions, so that a deletion can be undone in its row. */
export function withDeleted(loaded: readonly TimeEntry[], deleted: readonly TimeEntry[]): TimeEntry[] {
  const known = new Set(loaded.map((entry) => entry.id));
  return [...loaded, ...deleted.filter((entry) => !known.has(entry.id))].sort(compareLatestFirst);
}

/** The order of the list: latest day first; on the same day, the most recently created first. */
export function compareLatestFirst(a: TimeEntry, b: TimeEntry): number {
  if (a.entryDate !== b.entryDate) return a.entryDate < b.entryDate ? 1 : -1;
  return b.id - a.id;
}
