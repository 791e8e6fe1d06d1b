import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  addDays,
  capitalizeFirst,
  day,
  dayIn,
  daysBetween,
  formatDay,
  formatDayInFull,
  formatDayLong,
  formatDayShort,
  formatDayWithWeekday,
  formatMonth,
  formatWeekday,
  type Instant,
  instantOf,
  isCalendarDate,
  machineTimeZone,
  millisecondsOf,
  schoolYearStart,
  startOfDay,
  utcDayOf,
} from './calendar-date.ts';

const at = (text: string) => text as Instant;

test.each([
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '26-01-01',
  '1899-12-31',
  'today',
  '',
])('isCalendarDate rejects %j', (text) => {
  expect(isCalendarDate(text)).toBe(false);
});

test.each(['2024-02-29', '1900-01-01', '2999-12-31', '2026-11-21'])('isCalendarDate accepts %j', (text) => {
  expect(isCalendarDate(text)).toBe(true);
});

test('isCalendarDate accepts exactly the existing days from 1900 to 2999', () => {
  const DAY_MS = 86_400_000;
  const known = new Set<string>();
  const [first, after] = [at('1900-01-01T00:00:00.000Z'), at('3000-01-01T00:00:00.000Z')].map(millisecondsOf);
  for (let time = first ?? 0; time < (after ?? 0); time += DAY_MS) known.add(instantOf(time).slice(0, 10));
  const two = (number: number) => String(number).padStart(2, '0');
  const wrong: string[] = [];
  for (let year = 1899; year <= 3000; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let date = 0; date <= 32; date++) {
        const text = `${year}-${two(month)}-${two(date)}`;
        if (isCalendarDate(text) !== known.has(text)) wrong.push(text);
      }
    }
  }
  expect(wrong).toEqual([]);
});

describe('the date in a time zone', () => {
  test.each([
    ['America/Chicago', '2026-03-05T05:59:59.999Z', '2026-03-04'],
    ['America/Chicago', '2026-03-05T06:00:00.000Z', '2026-03-05'],
    ['America/Chicago', '2026-07-05T04:59:59.999Z', '2026-07-04'],
    ['Pacific/Kiritimati', '2026-03-04T10:00:00.000Z', '2026-03-05'],
    ['Asia/Kathmandu', '2026-03-04T18:14:59.999Z', '2026-03-04'],
    ['Asia/Kathmandu', '2026-03-04T18:15:00.000Z', '2026-03-05'],
    ['America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01'],
    ['America/New_York', '2026-11-01T06:30:00.000Z', '2026-11-01'],
  ])('in %s at %s is %s', (zone, moment, expected) => {
    expect(dayIn(zone, at(moment))).toBe(expected);
  });

  test('in UTC is the date of the instant itself', () => {
    expect(utcDayOf(at('2026-03-04T23:59:59.999Z'))).toBe('2026-03-04');
  });
});

test('daysBetween returns the number of days that addDays added, over clock changes and leap days', () => {
  const days = fc.integer({ min: -20_000, max: 20_000 });
  fc.assert(
    fc.property(days, (count) => {
      const start = day('2026-03-04');
      expect(daysBetween(start, addDays(start, count))).toBe(count);
    }),
  );
});

test.each([
  ['2026-03-01', '07-01', '2025-07-01'],
  ['2026-07-01', '07-01', '2026-07-01'],
  ['2026-06-30', '07-01', '2025-07-01'],
  ['2026-01-01', '01-01', '2026-01-01'],
])('the school year of %s, starting on %s, began on %s', (date, yearStart, expected) => {
  expect(schoolYearStart(day(date), yearStart)).toBe(expected);
});

test('formatDay formats a day as month, day and year', () => {
  expect(formatDay(day('2026-03-01'), 'en')).toBe('Mar 1, 2026');
});

test.each([
  // Variants of English that no other test uses, because formatters are cached.
  ['Pacific/Pago_Pago', 'en-x-west'],
  ['Pacific/Kiritimati', 'en-x-east'],
])('days are formatted the same on a machine in %s', (zone, english) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(machineTimeZone()).toBe(zone);
  const date = day('2026-03-01');
  expect([
    formatDay(date, english),
    formatDayInFull(date, english),
    formatDayShort(date, english),
    formatDayLong(date, english),
    formatDayWithWeekday(date, english),
    formatMonth(date, english),
    formatWeekday(0, english),
  ]).toEqual([
    'Mar 1, 2026',
    'March 1, 2026',
    'Mar 1',
    'Sunday, March 1',
    'Sunday, March 1, 2026',
    'March 2026',
    'Sunday',
  ]);
});

test('months are formatted with the year or alone, in Spanish capitalized only at the start of a line', () => {
  const date = day('2026-03-04');
  expect(formatMonth(date, 'en')).toBe('March 2026');
  expect(formatMonth(date, 'es-US')).toBe('marzo de 2026');
  expect(formatMonth(date, 'es-US', 'alone')).toBe('marzo');
  expect(capitalizeFirst(formatMonth(date, 'es-US'))).toBe('Marzo de 2026');
  expect(capitalizeFirst(formatDayLong(date, 'es-US'))).toBe('Miércoles, 4 de marzo');
});

test('instantOf returns UTC with milliseconds', () => {
  expect(instantOf(0)).toBe('1970-01-01T00:00:00.000Z');
});

test.each([
  ['America/Chicago', '2026-03-04', '2026-03-04T06:00:00.000Z'],
  // The nights in which the clocks are changed.
  ['America/Chicago', '2026-03-08', '2026-03-08T06:00:00.000Z'],
  ['America/Chicago', '2026-03-09', '2026-03-09T05:00:00.000Z'],
  // Midnight is left out there.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-03-04', '2026-03-03T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-03-04', '2026-03-04T11:00:00.000Z'],
  ['Asia/Kathmandu', '2026-03-04', '2026-03-03T18:15:00.000Z'],
])('in %s the day %s begins at %s', (zone, date, moment) => {
  expect(startOfDay(zone, day(date))).toBe(moment);
});
