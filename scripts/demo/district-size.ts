import { addDays, type CalendarDate, day, type Instant } from '#shared/calendar-date.ts';
import type { WallClock } from './calendar.ts';
import type { Random } from './random.ts';

/** The size of a district. */
export type Sizes = Readonly<{
  schools: number;
  activities: number;
  volunteers: number;
  administrators: number;
  entries: number;
  /** The number of days, up to today, that have entries. */
  days: number;
}>;

/** The plan for every part of the district. The same plan creates the same rows. */
export type Plan = Readonly<{
  sizes: Sizes;
  random: Random;
  today: CalendarDate;
  now: Instant;
  /** The first day with entries. */
  firstDay: CalendarDate;
  clock: WallClock;
}>;

/** A random moment between 7 am and 9 pm of a day, not after now. */
export function daytime(plan: Plan, date: CalendarDate, random: Random): Instant {
  return plan.clock(date, random.between(7 * 3600, 21 * 3600));
}

/** The date a number of days before today. */
export function daysAgo(plan: Plan, days: number): CalendarDate {
  return addDays(plan.today, -days);
}

/** The day on which the district's schools were set up. */
export const FOUNDED = day('2019-08-12');
