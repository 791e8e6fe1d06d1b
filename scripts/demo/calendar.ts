import {
  addDays,
  type CalendarDate,
  day,
  daysBetween,
  type Instant,
  plusMilliseconds,
  startOfDay,
  weekdayOf,
} from '#shared/calendar-date.ts';
import { at } from './random.ts';

// January to December: busier in the autumn, quieter at Christmas, empty in July.
const MONTHS = [1.05, 1.15, 1.3, 1.4, 1.6, 0.6, 0.08, 0.55, 1.25, 1.45, 1.2, 0.75];
// Sunday to Saturday.
const WEEKDAYS = [0.25, 1, 1.05, 1.1, 1.1, 1.25, 0.6];

/** How busy a day is at a school, relative to an ordinary Monday. */
export function activityLevelOf(date: CalendarDate): number {
  const winterBreak = date.slice(5) >= '12-22' || date.slice(5) <= '01-02';
  const month = at(MONTHS, Number(date.slice(5, 7)) - 1);
  return month * at(WEEKDAYS, weekdayOf(date)) * (winterBreak ? 0.05 : 1);
}

/** Every day from one to another, inclusive. */
export function daysBetweenInclusive(first: CalendarDate, last: CalendarDate): CalendarDate[] {
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, ahead) => addDays(first, ahead));
}

/** The last date, up to `ahead` days from today, that has this weekday and is nearest to this month and day ('10-14'). */
export function yearlyDate(
  monthAndDay: string,
  weekday: number,
  today: CalendarDate,
  ahead: number,
): CalendarDate {
  const horizon = addDays(today, ahead);
  const year = Number(horizon.slice(0, 4));
  const onWeekday = (date: CalendarDate) => addDays(date, ((weekday - weekdayOf(date) + 10) % 7) - 3);
  const thisYear = onWeekday(day(`${year}-${monthAndDay}`));
  return thisYear <= horizon ? thisYear : onWeekday(day(`${year - 1}-${monthAndDay}`));
}

/** Converts a date and a local time into an instant, at most now. */
export type WallClock = (date: CalendarDate, secondsIntoDay: number) => Instant;

/** The wall clock of a time zone. */
export function wallClock(timeZone: string, now: Instant): WallClock {
  const starts = new Map<CalendarDate, Instant>();
  return (date, secondsIntoDay) => {
    const start = starts.get(date) ?? startOfDay(timeZone, date);
    starts.set(date, start);
    const then = plusMilliseconds(start, secondsIntoDay * 1000);
    return then < now ? then : now;
  };
}
