import { type CalendarDate, dayIn, type Instant, millisecondsOf } from '#shared/calendar-date.ts';

const QUARTER_MS = 900_000;
/** The year 1980. Until the 1970s some time zones were off by odd minutes and seconds. */
const EVEN_SINCE = 315_532_800_000;

const last = new Map<string, Readonly<{ quarter: number; date: CalendarDate }>>();

/**
 * The calendar date in a time zone (IANA name) at an instant. Every request needs it, so it is cached per
 * quarter of an hour UTC, within which no zone's day changes.
 */
export function todayIn(zone: string, at: Instant): CalendarDate {
  const time = millisecondsOf(at);
  const quarter = Math.floor(time / QUARTER_MS);
  const known = last.get(zone);
  if (known?.quarter === quarter && time >= EVEN_SINCE) return known.date;
  const date = dayIn(zone, at);
  last.set(zone, { quarter, date });
  return date;
}
