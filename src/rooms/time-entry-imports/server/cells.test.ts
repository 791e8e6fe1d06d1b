import { describe, expect, test } from 'vitest';
import { dayOrderOf, hoursBetween, nameKey, readDay, readHours } from './cells.ts';

describe('a day', () => {
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
  ])('%s is read', (text, day) => expect(readDay(text, 'month-first')).toBe(day));

  test.each(['', '2/30/2026', '14/3/2026', '0001-01-01', 'soon', '13', '3/14', '2026-03-14x', 'Foo 14 2026'])(
    '%j is not',
    (text) => expect(readDay(text, 'month-first')).toBeUndefined(),
  );

  test('is read day first where a file writes it so', () => {
    expect(dayOrderOf(['3/4/2026', '14/3/2026'])).toBe('day-first');
    expect(dayOrderOf(['3/4/2026', '3/14/2026', '14/3/2026'])).toBe('month-first');
    expect(dayOrderOf(['3/4/2026'])).toBe('month-first');
    expect(readDay('3/4/2026', 'day-first')).toBe('2026-04-03');
  });
});

describe('hours', () => {
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
  ])('%s are read', (text, hours) => expect(readHours(text)).toEqual({ hours, isRounded: false }));

  test('are rounded to two decimals, and that is said', () => {
    expect(readHours('0:20')).toEqual({ hours: 0.33, isRounded: true });
    expect(readHours('1.333')).toEqual({ hours: 1.33, isRounded: true });
  });

  test.each(['', 'two', '1,000', '-2', '2.5.1', '2:75', '.', 'h', '1e3', '2 3'])('%j are not', (text) =>
    expect(readHours(text)).toBeUndefined(),
  );

  test.each([
    ['9:00 AM', '11:30 am', 2.5],
    ['09:00', '14:15', 5.25],
    ['3/14/2026 9:00', '3/14/2026 10:00', 1],
    ['12:00 PM', '1 PM', 1],
    ['12:15 a.m.', '1:15 a.m.', 1],
  ])('between %s and %s are reckoned', (from, to, hours) =>
    expect(hoursBetween(from, to)?.hours).toBe(hours),
  );

  test.each([
    ['11:00', '9:00'],
    ['9', '11'],
    ['25:00', '26:00'],
    ['', '9:00'],
    ['13:00 PM', '2:00 PM'],
  ])('between %j and %j are not', (from, to) => expect(hoursBetween(from, to)).toBeUndefined());
});

test('names are the same whichever way they are written', () => {
  expect(nameKey('López, Maria')).toBe('maria lopez');
  expect(nameKey(' maria  LOPEZ ')).toBe('maria lopez');
  expect(nameKey('Lopez, Maria, Jr.')).toBe('lopez, maria, jr.');
});
