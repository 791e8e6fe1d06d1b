import { addDays, type CalendarDate, dayIn, type Instant, weekdayOf } from '#shared/calendar-date.ts';

/** For how many days, weeks and months that have a backup the newest of each is kept. */
const KEPT: readonly (readonly [count: number, periodOf: (day: CalendarDate) => string])[] = [
  [7, (day) => day],
  [5, (day) => addDays(day, -weekdayOf(day))],
  [12, (day) => day.slice(0, 7)],
];

/**
 * Which of the backups of these moments are kept: the newest of each of the last 7 days, 5 weeks and 12 months that
 * have one, by the calendar of a time zone. Time without a backup uses up nothing, so when backups stop none is lost.
 */
export function backupsToKeep(moments: readonly Instant[], zone: string): ReadonlySet<Instant> {
  const newestFirst = moments.toSorted().toReversed();
  const kept = new Set<Instant>();
  for (const [count, periodOf] of KEPT) {
    const periods = new Set<string>();
    for (const moment of newestFirst) {
      const period = periodOf(dayIn(zone, moment));
      if (periods.has(period)) continue;
      if (periods.size === count) break;
      periods.add(period);
      kept.add(moment);
    }
  }
  return kept;
}
