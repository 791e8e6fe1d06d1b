import { describe, expect, test } from 'vitest';
import { detectDayOrder, hoursBetween, nameKey, parseDay, parseHoursCell } from './cell-parsers.ts';

const ZONE = 'America/Chicago';

describe('parseDay', () => {
  test.each([
    ['2026-03-14', '2026-03-14'],
    ['2026-3-4T09:00:00', '2026-03-04'],
    ['3/14/2026', '2026-03-14'],
    ['03/14/26', '2026-03-14'],
    ['3/14/2026 9:05 AM', '2026-03-14'],
    ['Mar 14 2026', '2026-03-14'],
    ['Saturday, March 14th, 2026', '2026-03-14'],
    ['14-Mar-26', '2026-03-14'],
    ['14 de marzo de 2026', '2026-03-14'],
    ['sábado, 14 de marzo de 2026', '2026-03-14'],
    ['martes 17 de marzo de 2026', '2026-03-17'],
    ['46095', '2026-03-14'],
    ['46095.375', '2026-03-14'],
  ])('reads %s', (text, day) => expect(parseDay(text, 'month-first', ZONE)).toBe(day));

  test.each(['', '2/30/2026', '14/3/2026', '0001-01-01', 'soon', '13', '3/14', '2026-03-14x', 'Foo 14 2026'])(
    'rejects %j',
    (text) => expect(parseDay(text, 'month-first', ZONE)).toBeUndefined(),
  );

  test('reads the day first when other dates in the file require it', () => {
    expect(detectDayOrder(['3/4/2026', '14/3/2026'])).toBe('day-first');
    expect(detectDayOrder(['3/4/2026', '3/14/2026', '14/3/2026'])).toBe('month-first');
    expect(detectDayOrder(['3/4/2026'])).toBe('month-first');
    expect(parseDay('3/4/2026', 'day-first', ZONE)).toBe('2026-04-03');
  });
});

test.each([
  ['2026-11-05T03:30:00Z', '2026-11-04'],
  ['2026-11-05T03:30:00.000+00:00', '2026-11-04'],
  ['2026-11-05 03:30 UTC', '2026-11-04'],
  ['2026-11-05T03:30:00+0900', '2026-11-04'],
  ['2026-11-05T23:30:00-06:00', '2026-11-05'],
  // A day without a time, as programs write it.
  ['2026-11-05T00:00:00Z', '2026-11-05'],
  ['2026-11-05T03:30:00', '2026-11-05'],
])('the moment %s falls on %s in Chicago', (text, date) =>
  expect(parseDay(text, 'month-first', ZONE)).toBe(date),
);

describe('the parsers of hours', () => {
  test.each([
    ['2.5', 2.5],
    ['2,5', 2.5],
    ['.75', 0.75],
    ['3', 3],
    ['2.5 hrs', 2.5],
    ['2:30', 2.5],
    ['02:30:00', 2.5],
    ['2h 30m', 2.5],
    ['2 hours and 15 minutes', 2.25],
    ['90 min', 1.5],
    ['1h', 1],
    ['½', 0.5],
    ['1 ½ h', 1.5],
  ])('read %s', (text, hours) => expect(parseHoursCell(text)).toEqual({ hours, isRounded: false }));

  test('round to two decimals and note it', () => {
    expect(parseHoursCell('0:20')).toEqual({ hours: 0.33, isRounded: true });
    expect(parseHoursCell('1.333')).toEqual({ hours: 1.33, isRounded: true });
  });

  test.each(['', 'two', '1,000', '-2', '2.5.1', '2:75', '.', 'h', '1e3', '2 3'])('reject %j', (text) =>
    expect(parseHoursCell(text)).toBeUndefined(),
  );

  test.each([
    ['9:00 AM', '11:30 am', 2.5],
    ['09:00', '14:15', 5.25],
    ['3/14/2026 9:00', '3/14/2026 10:00', 1],
    ['12:00 PM', '1 PM', 1],
    ['12:15 a.m.', '1:15 a.m.', 1],
    ['11/5/2026 10:00 PM', '11/6/2026 1:00 AM', 3],
    ['2026-11-05T03:30:00Z', '2026-11-05T05:00:00Z', 1.5],
    ['2026-11-05T23:30:00-06:00', '2026-11-06T07:00:00Z', 1.5],
  ])('compute the hours between %s and %s', (from, to, hours) =>
    expect(hoursBetween(from, to, 'month-first', ZONE)?.hours).toBe(hours),
  );

  test.each([
    ['11:00', '9:00'],
    ['11/6/2026 1:00 AM', '11/5/2026 10:00 PM'],
    ['9', '11'],
    ['25:00', '26:00'],
    ['', '9:00'],
    ['13:00 PM', '2:00 PM'],
  ])('reject a start of %j with an end of %j', (from, to) =>
    expect(hoursBetween(from, to, 'month-first', ZONE)).toBeUndefined(),
  );
});

test('nameKey is the same for different spellings of a name', () => {
  expect(nameKey('López, Maria')).toBe('maria lopez');
  expect(nameKey(' maria  LOPEZ ')).toBe('maria lopez');
  expect(nameKey('Lopez, Maria, Jr.')).toBe('lopez, maria, jr.');
});
