import { type CalendarDate, daysBetween } from '#shared/calendar-date.ts';
import type { Hours } from '#shared/hours.ts';
import { FLAGS } from './verification-status.ts';

/** The limits above which hours are flagged as unusual. They are never rejected, only shown to a verifier. */
export const UNUSUAL_HOURS = {
  /** More hours than this in one entry, or on one day. */
  entryHours: 8,
  dayHours: 16,
  /** Logged more than this many days after they were worked, unless the school sets its own number. */
  lateDays: 30,
  /**
   * At least this many times the hours of half or more of the other volunteers' entries for the activity. Not checked if
   * there are fewer than `others` of those entries.
   */
  times: 3,
  others: 5,
  /** How many of an activity's latest entries are compared. */
  latest: 200,
} as const;

export type Flag = (typeof FLAGS)[number];

/**
 * The facts that the rules check. `loggedOn` is a day in the district's time zone; `sameDay` and `others` exclude the entry
 * itself.
 */
export type Facts = Readonly<{
  hours: Hours;
  entryDate: CalendarDate;
  loggedOn: CalendarDate;
  lateAfterDays: number | null;
  /** All hours of the volunteer on that day, including these. */
  dayHours: Hours;
  /** How many other entries the volunteer has for the activity on that day. */
  sameDay: number;
  activeFrom: CalendarDate | null;
  activeUntil: CalendarDate | null;
  /**
   * `count` is the number of other volunteers' entries among the activity's latest. `farBelow` is how many of those have
   * at most 1/`times` of the hours of this entry.
   */
  others: Readonly<{ count: number; farBelow: number }>;
}>;

/** One rule for each flag. */
export const FLAG_RULES: Readonly<Record<Flag, (facts: Facts) => boolean>> = {
  longEntry: ({ hours }) => hours > UNUSUAL_HOURS.entryHours,
  longDay: ({ dayHours }) => dayHours > UNUSUAL_HOURS.dayHours,
  sameDay: ({ sameDay }) => sameDay > 0,
  late: ({ entryDate, loggedOn, lateAfterDays }) =>
    daysBetween(entryDate, loggedOn) > (lateAfterDays ?? UNUSUAL_HOURS.lateDays),
  outsideDates: isOutsideDates,
  unusual: ({ others: { count, farBelow } }) => count >= UNUSUAL_HOURS.others && 2 * farBelow >= count,
};

/** Whether a day is outside an activity's dates; false if the activity has no dates. */
export function isOutsideDates({
  entryDate,
  activeFrom,
  activeUntil,
}: Pick<Facts, 'entryDate' | 'activeFrom' | 'activeUntil'>): boolean {
  return activeFrom !== null && (entryDate < activeFrom || (activeUntil !== null && entryDate > activeUntil));
}

/** The flags of an entry. */
export function findFlags(facts: Facts): Flag[] {
  return FLAGS.filter((flag) => FLAG_RULES[flag](facts));
}
