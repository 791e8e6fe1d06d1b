import { type CalendarDate, daysBetween } from '#shared/calendar-date.ts';
import type { Hours } from '#shared/hours.ts';
import { FLAGS } from './verification-status.ts';

/** From where on hours are odd. They are never refused for it: somebody looks twice. */
export const ODD = {
  /** More hours than this in one entry, or on one day. */
  entryHours: 8,
  dayHours: 16,
  /** Logged more days than this after they were worked, where the school says nothing else. */
  lateDays: 30,
  /** So many times what half of the others logged at most, from so many entries of others on. */
  times: 3,
  others: 5,
  /** Of an activity's entries, the latest so many are compared. */
  latest: 200,
} as const;

export type Flag = (typeof FLAGS)[number];

/** What the rules look at. `loggedOn` is the district's day; `sameDay` and `others` leave out the entry itself. */
export type Facts = Readonly<{
  hours: Hours;
  entryDate: CalendarDate;
  loggedOn: CalendarDate;
  lateAfterDays: number | null;
  /** All hours of the person on that day, with these. */
  dayHours: Hours;
  /** How many entries the person has besides for the activity on that day. */
  sameDay: number;
  activeFrom: CalendarDate | null;
  activeUntil: CalendarDate | null;
  /** How many entries others have for the activity, and of how many of them these hours are `times` as many. */
  others: Readonly<{ count: number; farBelow: number }>;
}>;

/** One rule for each flag. */
export const FLAG_RULES: Readonly<Record<Flag, (facts: Facts) => boolean>> = {
  longEntry: ({ hours }) => hours > ODD.entryHours,
  longDay: ({ dayHours }) => dayHours > ODD.dayHours,
  sameDay: ({ sameDay }) => sameDay > 0,
  late: ({ entryDate, loggedOn, lateAfterDays }) =>
    daysBetween(entryDate, loggedOn) > (lateAfterDays ?? ODD.lateDays),
  outsideDates: isOutsideDates,
  unusual: ({ others: { count, farBelow } }) => count >= ODD.others && 2 * farBelow >= count,
};

/** Whether an activity was not on that day. */
export function isOutsideDates({
  entryDate,
  activeFrom,
  activeUntil,
}: Pick<Facts, 'entryDate' | 'activeFrom' | 'activeUntil'>): boolean {
  return activeFrom !== null && (entryDate < activeFrom || (activeUntil !== null && entryDate > activeUntil));
}

/** What is odd about hours. */
export function flagsOf(facts: Facts): Flag[] {
  return FLAGS.filter((flag) => FLAG_RULES[flag](facts));
}
