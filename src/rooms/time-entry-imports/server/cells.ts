import { addDays, type CalendarDate, day, isCalendarDate } from '#base/calendar-date.ts';
import { fold } from '#base/text.ts';
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

// Excel counts days from the end of 1899, and takes 1900 for a leap year.
const EXCEL_DAY_0 = day('1899-12-30');
const NUMBERS = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?=$|[ ,t])/;

/**
 * A day as programs and people write it: '2026-03-14', '3/14/2026', '14.03.26', 'Mar 14, 2026', '14 March 2026', a number
 * of Excel's; a time behind it is passed over. Undefined for anything else.
 */
export function readDay(text: string, order: DayOrder): CalendarDate | undefined {
  const written = fold(text);
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[ ,t])/.exec(written);
  if (iso !== null) return dayOf(iso[1], Number(iso[2]), iso[3]);
  const numbers = NUMBERS.exec(written);
  if (numbers !== null) {
    const [, first, second, year] = numbers;
    return order === 'month-first' ? dayOf(year, Number(first), second) : dayOf(year, Number(second), first);
  }
  if (/^\d{5}(\.\d+)?$/.test(written)) return addDays(EXCEL_DAY_0, Math.floor(Number(written)));
  return named(written);
}

/** In which order a file writes day and month; months come first unless a number says otherwise. */
export function dayOrderOf(texts: Iterable<string>): DayOrder {
  let dayFirst = 0;
  for (const text of texts) {
    const [, first, second] = NUMBERS.exec(fold(text)) ?? [];
    if (Number(second) > 12) return 'month-first';
    if (Number(first) > 12) dayFirst += 1;
  }
  return dayFirst > 0 ? 'day-first' : 'month-first';
}

// 'Saturday, ' or 'sáb. ', without accents.
const WEEKDAY = /^(?:sun|mon|tue|wed|thu|fri|sat|dom|lun|mar(?=t)|mie|jue|vie|sab)[a-z]*[,.]?\s+/;

function named(written: string): CalendarDate | undefined {
  const words = written.replace(WEEKDAY, '').replace(/ de /g, ' ');
  const monthFirst = /^([a-z]{3,10})[., -]+(\d{1,2})(?:st|nd|rd|th)?[, -]+(\d{4})(?=$|[ ,])/.exec(words);
  if (monthFirst !== null) return dayOf(monthFirst[3], monthCalled(monthFirst[1]), monthFirst[2]);
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[., -]+([a-z]{3,10})[., -]+(\d{4}|\d{2})(?=$|[ ,])/.exec(words);
  if (dayFirst === null) return undefined;
  return dayOf(dayFirst[3], monthCalled(dayFirst[2]), dayFirst[1]);
}

function monthCalled(name = ''): number {
  return MONTHS[name.slice(0, 3)] ?? 0;
}

function dayOf(year = '', month: number, date = ''): CalendarDate | undefined {
  const whole = year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`;
  const text = `${whole}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isCalendarDate(text) ? text : undefined;
}

/** Hours as they were read, to two decimals; `isRounded` when that is not quite what the cell says. */
export type ReadHours = Readonly<{ hours: number; isRounded: boolean }>;

/** Hours as programs and people write them: '2.5', '2,5', '2:30', '2h 30m', '150 minutes'. */
export function readHours(text: string): ReadHours | undefined {
  const written = fold(text);
  const number = /^(\d{0,4})(?:\.(\d+)|,(\d{1,2}))?\s*(?:h|hrs?\.?|hours?|horas?)?$/.exec(written);
  if (number !== null && /\d/.test(written)) {
    const decimals = number[2] ?? number[3] ?? '';
    return rounded(Number(`${number[1] || '0'}.${decimals || '0'}`));
  }
  const clock = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(written);
  if (clock !== null) {
    return rounded(Number(clock[1]) + Number(clock[2]) / 60 + Number(clock[3] ?? 0) / 3600);
  }
  const words =
    /^(?:(\d{1,3}(?:[.,]\d+)?)\s*(?:h|hrs?\.?|hours?|horas?)[,\s]*(?:and |y )?)?(?:(\d{1,5})\s*(?:m|mins?\.?|minutes?|minutos?))?$/.exec(
      written,
    );
  if (words === null || written === '') return undefined;
  return rounded(Number((words[1] ?? '0').replace(',', '.')) + Number(words[2] ?? 0) / 60);
}

/** The hours between two times of a day: '9:00 AM' and '11:30 AM', '09:00' and '14:15'; a day before them is passed over. */
export function hoursBetween(checkIn: string, checkOut: string): ReadHours | undefined {
  const [from, to] = [minuteOf(checkIn), minuteOf(checkOut)];
  if (from === undefined || to === undefined || to <= from) return undefined;
  return rounded((to - from) / 60);
}

function minuteOf(text: string): number | undefined {
  const time = /(?:^|[ t])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(?:([ap])\.?\s?m?\.?)?$/.exec(fold(text));
  if (time === null || (time[2] === undefined && time[3] === undefined)) return undefined;
  const hour = Number(time[1]);
  const minute = Number(time[2] ?? 0);
  if (hour > (time[3] === undefined ? 23 : 12) || minute > 59) return undefined;
  const half = time[3] === 'p' ? 12 : 0;
  return (time[3] === undefined ? hour : (hour % 12) + half) * 60 + minute;
}

function rounded(hours: number): ReadHours {
  const twoDecimals = Math.round(hours * 100) / 100;
  return { hours: twoDecimals, isRounded: Math.abs(twoDecimals - hours) > 1e-9 };
}

/** A name as it is compared: 'Lopez, Maria' and 'maria  LÓPEZ' are both 'maria lopez'. */
export function nameKey(name: string): string {
  const [last = '', first = '', ...rest] = name.split(',');
  return fold(first.trim() === '' || rest.length > 0 ? name : `${first} ${last}`);
}
