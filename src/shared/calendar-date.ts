import * as z from 'zod/mini';
import { commonMessages } from './common-messages.ts';

/** A day without a time zone, 'YYYY-MM-DD'. Days compare with `<` as strings. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

/** A moment, ISO 8601 in UTC with milliseconds ('2026-03-01T17:04:05.123Z'). Moments compare with `<` as strings. */
export type Instant = string & { readonly __brand: 'Instant' };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether a text is 'YYYY-MM-DD' and a real day ('2026-02-30' is not), in the years 1900 to 2999. */
export function isCalendarDate(text: string): text is CalendarDate {
  return /^(?:19|2\d)/.test(text) && isRealDay(text);
}

// Parsed without a Date, because every day of every reply passes through here and a Date takes several times as long.
function isRealDay(text: string): text is CalendarDate {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text)) return false;
  const [month, date] = [text.slice(5, 7), text.slice(8)];
  if (date <= '28') return true;
  if (month === '02') return date === '29' && isLeapYear(Number(text.slice(0, 4)));
  return date !== '31' || LONG_MONTHS.includes(month);
}

const LONG_MONTHS = ['01', '03', '05', '07', '08', '10', '12'];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The schema of a calendar date in a body or query; rejects days that do not exist. */
export const CalendarDate = z.pipe(
  z
    .string(commonMessages.date)
    .check(z.refine((text) => isCalendarDate(text), { error: commonMessages.date })),
  z.transform((text) => text as CalendarDate),
);

/** The schema of a computed day in a reply. It may be just outside the years 1900 to 2999 that requests may use. */
export const ComputedDate = z.pipe(
  z.string().check(z.refine((text) => isRealDay(text))),
  z.transform((text) => text as CalendarDate),
);

/** The schema of an instant in a reply. */
export const Instant = z.pipe(
  z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)),
  z.transform((text) => text as Instant),
);

/** Converts 'YYYY-MM-DD', of any year, to a day. Throws if that day does not exist. */
export function day(text: string): CalendarDate {
  if (!isRealDay(text)) throw new Error(`${text} is not a calendar date`);
  return text;
}

/** Milliseconds since 1970 as an instant. */
export function instantOf(milliseconds: number): Instant {
  return new Date(milliseconds).toISOString() as Instant;
}

/** Adds milliseconds; negative ones give an earlier instant. */
export function plusMilliseconds(instant: Instant, milliseconds: number): Instant {
  return instantOf(millisecondsOf(instant) + milliseconds);
}

/** An instant as a Date, for libraries that require one. */
export function dateOf(instant: Instant): Date {
  return new Date(instant);
}

/** An instant as an email date (RFC 5322): 'Wed, 04 Mar 2026 18:00:00 +0000'. */
export function emailDate(instant: Instant): string {
  return new Date(instant).toUTCString().replace('GMT', '+0000');
}

/** An instant as milliseconds since 1970. */
export function millisecondsOf(instant: Instant): number {
  return Date.parse(instant);
}

/** The local calendar date in a time zone (IANA name) at an instant. */
export function dayIn(zone: string, at: Instant): CalendarDate {
  return day(formatter(WRITTEN_AS_HERE, { timeZone: zone, ...DAY }).format(millisecondsOf(at)));
}

/** The local hour, 0 to 23, in a time zone (IANA name) at an instant. */
export function hourIn(zone: string, at: Instant): number {
  const parts = formatter('en-CA', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
  return Number(parts.formatToParts(millisecondsOf(at)).find(({ type }) => type === 'hour')?.value);
}

/** The local date and time in a time zone (IANA name) at an instant: '2026-03-04 17:05'. */
export function wallClockIn(zone: string, at: Instant): string {
  return formatter(WRITTEN_AS_HERE, { timeZone: zone, ...DAY, hour: '2-digit', minute: '2-digit' }).format(
    millisecondsOf(at),
  );
}

// The Swedish format is 'YYYY-MM-DD HH:MM'. Formatting in one call takes a third of the time of formatting the parts.
const WRITTEN_AS_HERE = 'sv-SE';
const DAY = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** The first moment of a local day in a time zone (IANA name). */
export function startOfDay(zone: string, date: CalendarDate): Instant {
  // No zone is more than 15 hours from UTC, and all clock changes fall on a quarter of an hour.
  let time = Date.parse(`${date}T00:00:00Z`) - 15 * HOUR_MS;
  while (dayIn(zone, instantOf(time)) < date) time += HOUR_MS / 4;
  return instantOf(time);
}

/** Returns the UTC day of an instant, which the Today, Upcoming and Past tags of events use (specification section 4). */
export function utcDayOf(at: Instant): CalendarDate {
  return day(at.slice(0, 10));
}

/** The names of all time zones that this machine knows. */
export function timeZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}

/** Whether a name is a time zone that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The time zone of the machine this runs on. */
export function machineTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Adds days; negative ones give an earlier day. */
export function addDays(from: CalendarDate, days: number): CalendarDate {
  return day(instantOf(Date.parse(`${from}T00:00:00Z`) + days * DAY_MS).slice(0, 10));
}

/**
 * Adds months; negative ones give an earlier day. Returns the same day of the month, or the month's last day if it is shorter.
 * Never goes before the year 1.
 */
export function addMonths(from: CalendarDate, months: number): CalendarDate {
  const [year = 1, month = 1, dayOfMonth = 1] = from.split('-').map(Number);
  const all = Math.max(year * 12 + month - 1 + months, 12);
  const last = new Date(Date.UTC(2000, 0, 1));
  last.setUTCFullYear(Math.floor(all / 12), (all % 12) + 1, 0);
  const first = `${String(Math.floor(all / 12)).padStart(4, '0')}-${String((all % 12) + 1).padStart(2, '0')}`;
  return day(`${first}-${String(Math.min(dayOfMonth, last.getUTCDate())).padStart(2, '0')}`);
}

/** The number of days between two days; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/** The Monday of a day's week. */
export function mondayOf(date: CalendarDate): CalendarDate {
  return addDays(date, -((weekdayOf(date) + 6) % 7));
}

/** The day of the week, 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: CalendarDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/**
 * The first day of the school year that contains a day. `yearStart` is the month and day on which it begins
 * ('07-01'): 2026-03-01 -> 2025-07-01.
 */
export function schoolYearStart(date: CalendarDate, yearStart: string): CalendarDate {
  const year = Number(date.slice(0, 4));
  return day(`${date.slice(5) >= yearStart ? year : year - 1}-${yearStart}`);
}

/** Formats a day: 'Mar 1, 2026' in English. Never shifted by a time zone. */
export function formatDay(date: CalendarDate, language: string): string {
  return formatDate(date, language, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** Formats a day in full: 'March 1, 2026' in English, '1 de marzo de 2026' in Spanish. */
export function formatDayInFull(date: CalendarDate, language: string): string {
  return formatDate(date, language, { year: 'numeric', month: 'long', day: 'numeric' });
}

/** Formats a day without its year: 'Mar 1' in English. */
export function formatDayShort(date: CalendarDate, language: string): string {
  return formatDate(date, language, { month: 'short', day: 'numeric' });
}

/** Formats a day with its weekday: 'Sunday, March 1' in English. */
export function formatDayLong(date: CalendarDate, language: string): string {
  return formatDate(date, language, { weekday: 'long', month: 'long', day: 'numeric' });
}

/** Formats a day with its weekday and year: 'Wednesday, March 4, 2026' in English. */
export function formatDayWithWeekday(date: CalendarDate, language: string): string {
  return formatDate(date, language, { dateStyle: 'full' });
}

/** Formats the month of a day: 'March 2026' in English, alone 'March', short 'Mar'. */
export function formatMonth(
  date: CalendarDate,
  language: string,
  length: 'long' | 'alone' | 'short' = 'long',
): string {
  const options = {
    long: { month: 'long', year: 'numeric' },
    alone: { month: 'long' },
    short: { month: 'short' },
  } as const;
  return formatDate(date, language, options[length]);
}

/** The name of a weekday, 0 for Sunday to 6 for Saturday: 'Sunday' in English, short 'Sun'. */
export function formatWeekday(weekday: number, language: string, length: 'long' | 'short' = 'long'): string {
  // January 1, 2023 was a Sunday.
  return formatter(language, { timeZone: 'UTC', weekday: length }).format(Date.UTC(2023, 0, 1 + weekday));
}

/**
 * Capitalizes a date at the start of a line, such as 'Marzo de 2026', because Spanish months are lower case within a sentence.
 */
export function capitalizeFirst(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Formats a moment in a time zone (IANA name): 'Mar 1, 2026, 5:04 PM' in English. */
export function formatMoment(at: Instant, language: string, zone: string): string {
  const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' } as const;
  return formatter(language, options).format(millisecondsOf(at));
}

/** Formats the time of a moment in a time zone (IANA name): '5:04 PM' in English. */
export function formatTime(at: Instant, language: string, zone: string): string {
  return formatter(language, { timeZone: zone, timeStyle: 'short' }).format(millisecondsOf(at));
}

/** The current moment of this device's clock, for screens; the server uses `deps.clock`. */
export function deviceNow(): Instant {
  return instantOf(Date.now());
}

function formatDate(date: CalendarDate, language: string, options: Intl.DateTimeFormatOptions): string {
  return formatter(language, { timeZone: 'UTC', ...options }).format(Date.parse(`${date}T00:00:00Z`));
}

const formatters = new Map<string, Intl.DateTimeFormat>();

// Formatters are cached, because creating one takes longer than a query.
function formatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(language, options);
  formatters.set(key, made);
  return made;
}
