import {
  addDays,
  type CalendarDate,
  day,
  dayIn,
  daysBetween,
  type Instant,
  instantOf,
  isCalendarDate,
  millisecondsOf,
} from '#shared/calendar-date.ts';
import { readHours } from '#shared/hours.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { DayOrder } from '../contract.ts';

const MONTHS: Readonly<Record<string, number>> = {
  jan: 1,
  ene: 1,
  feb: 2,
  mar: 3,
  apr: 4,
  abr: 4,
  may: 5,
  jun: 6,
  jul: 7,
  aug: 8,
  ago: 8,
  sep: 9,
  set: 9,
  oct: 10,
  nov: 11,
  dec: 12,
  dic: 12,
};

// Excel counts days from the end of 1899 and treats 1900 as a leap year.
const EXCEL_DAY_0 = day('1899-12-30');
const NUMBERS = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?=$|[ ,t])/;

/**
 * Parses a day as programs and people write it: '2026-03-14', '3/14/2026', '14.03.26', 'Mar 14, 2026', '14 March 2026',
 * or an Excel number. A time after it is ignored unless it has a UTC offset; then it is the day in the district's time
 * zone. Undefined for anything else.
 */
export function parseDay(text: string, order: DayOrder, zone: string): CalendarDate | undefined {
  const written = normalizeCell(text);
  const moment = parseMoment(written);
  if (moment !== undefined) return dayIn(zone, instantOf(moment));
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[ ,t])/.exec(written);
  if (iso !== null) return toDay(iso[1], Number(iso[2]), iso[3]);
  const numbers = NUMBERS.exec(written);
  if (numbers !== null) {
    const [, first, second, year] = numbers;
    return order === 'month-first' ? toDay(year, Number(first), second) : toDay(year, Number(second), first);
  }
  if (/^\d{5}(\.\d+)?$/.test(written)) return addDays(EXCEL_DAY_0, Math.floor(Number(written)));
  return parseNamedDate(written);
}

// Normalizes full-width digits and other variants of the same characters.
function normalizeCell(text: string): string {
  return foldForSearch(text.normalize('NFKC'));
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})$/;

// In milliseconds. Programs write midnight UTC for a day without a time.
function parseMoment(written: string): number | undefined {
  const [, date = '', minutes = '', seconds = '00', zone = ''] = MOMENT.exec(written) ?? [];
  if (!isCalendarDate(date)) return undefined;
  const offset = /^[zug]/.test(zone) ? 'Z' : zone.replace(/^(...):?/, '$1:');
  if (offset === 'Z' && minutes === '00:00' && Number(seconds) === 0) return undefined;
  const moment = millisecondsOf(`${date}T${minutes}:${seconds}${offset}` as Instant);
  return Number.isNaN(moment) ? undefined : moment;
}

/** The order of day and month in a file; month first unless a number rules it out. */
export function detectDayOrder(texts: Iterable<string>): DayOrder {
  let dayFirst = 0;
  for (const text of texts) {
    const [, first, second] = NUMBERS.exec(normalizeCell(text)) ?? [];
    if (Number(second) > 12) return 'month-first';
    if (Number(first) > 12) dayFirst += 1;
  }
  return dayFirst > 0 ? 'day-first' : 'month-first';
}

// 'Saturday, ' or 'sáb. ', without accents.
const WEEKDAY = /^(?:sun|mon|tue|wed|thu|fri|sat|dom|lun|mar(?=t)|mie|jue|vie|sab)[a-z]*[,.]?\s+/;

function parseNamedDate(written: string): CalendarDate | undefined {
  const plainDate = written.replace(WEEKDAY, '').replace(/ de /g, ' ');
  const monthFirst = /^([a-z]{3,10})[., -]+(\d{1,2})(?:st|nd|rd|th)?[, -]+(\d{4})(?=$|[ ,])/.exec(plainDate);
  if (monthFirst !== null) return toDay(monthFirst[3], monthByName(monthFirst[1]), monthFirst[2]);
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[., -]+([a-z]{3,10})[., -]+(\d{4}|\d{2})(?=$|[ ,])/.exec(
    plainDate,
  );
  if (dayFirst === null) return undefined;
  return toDay(dayFirst[3], monthByName(dayFirst[2]), dayFirst[1]);
}

function monthByName(name = ''): number {
  return MONTHS[name.slice(0, 3)] ?? 0;
}

function toDay(year = '', month: number, date = ''): CalendarDate | undefined {
  const whole = year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`;
  const text = `${whole}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isCalendarDate(text) ? text : undefined;
}

/** Parsed hours, to two decimals; `isRounded` when the cell is more precise. */
export type ParsedHours = Readonly<{ hours: number; isRounded: boolean }>;

/** The hours in a cell; undefined if it cannot be read. */
export function parseHoursCell(text: string): ParsedHours | undefined {
  const hours = readHours(text);
  return hours === undefined ? undefined : roundHours(hours);
}

/**
 * The hours between two times: '9:00 AM' and '11:30 AM', '09:00' and '14:15'. When both include a day, the second may
 * be on the next day. Undefined if the times cannot be read or their order is wrong.
 */
export function hoursBetween(
  checkIn: string,
  checkOut: string,
  order: DayOrder,
  zone: string,
): ParsedHours | undefined {
  const [start, end] = [parseMoment(normalizeCell(checkIn)), parseMoment(normalizeCell(checkOut))];
  if (start !== undefined && end !== undefined) {
    return end > start ? roundHours((end - start) / 3_600_000) : undefined;
  }
  const [from, to] = [parseMinutes(checkIn), parseMinutes(checkOut)];
  const [first, last] = [parseDay(checkIn, order, zone), parseDay(checkOut, order, zone)];
  if (from === undefined || to === undefined) return undefined;
  const days = first === undefined || last === undefined ? 0 : daysBetween(first, last);
  const minutes = days * 24 * 60 + to - from;
  return minutes > 0 ? roundHours(minutes / 60) : undefined;
}

function parseMinutes(text: string): number | undefined {
  const time = /(?:^|[ t])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(?:([ap])\.?\s?m?\.?)?$/.exec(
    normalizeCell(text),
  );
  if (time === null || (time[2] === undefined && time[3] === undefined)) return undefined;
  const hour = Number(time[1]);
  const minute = Number(time[2] ?? 0);
  if (hour > (time[3] === undefined ? 23 : 12) || minute > 59) return undefined;
  const half = time[3] === 'p' ? 12 : 0;
  return (time[3] === undefined ? hour : (hour % 12) + half) * 60 + minute;
}

function roundHours(hours: number): ParsedHours {
  const twoDecimals = Math.round(hours * 100) / 100;
  return { hours: twoDecimals, isRounded: Math.abs(twoDecimals - hours) > 1e-9 };
}

/** Returns the key for comparing names: 'Lopez, Maria' and 'maria LÓPEZ' are both 'maria lopez'. */
export function nameKey(name: string): string {
  const [last = '', first = '', ...rest] = name.split(',');
  return foldForSearch(first.trim() === '' || rest.length > 0 ? name : `${first} ${last}`);
}
