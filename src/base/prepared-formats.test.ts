import { afterEach, expect, test } from 'vitest';
import { addDays, CalendarDate, dayPatterns, formatDay, formatDayShort } from './calendar-date.ts';
import { LOCALES } from './language.ts';
import { decimalSign, formatNumber } from './numbers.ts';
import { PREPARED } from './prepared-formats.ts';

const prepare = (language: string) => Object.assign(PREPARED, dayPatterns(language), decimalSign(language));

afterEach(() => {
  for (const name of Object.keys(PREPARED)) delete PREPARED[name];
});

// Of the last two, one has other digits, and one the year first.
const WRITTEN = [...Object.values(LOCALES), 'de', 'fr', 'hu', 'ar-EG', 'zh'];

test.each(WRITTEN)('a day in %s reads the same whether its pattern was prepared or not', (language) => {
  const days = Array.from({ length: 366 }, (_, day) => addDays(CalendarDate.parse('2028-01-01'), day));
  const read = () => days.map((day) => [formatDay(day, language), formatDayShort(day, language)]);
  const before = read();
  prepare(language);
  expect(read()).toEqual(before);
});

test.each(WRITTEN)('a number in %s reads the same whether its sign was prepared or not', (language) => {
  const numbers = [
    0,
    0.25,
    0.5,
    1,
    1.25,
    12.05,
    999,
    999.99,
    1_000,
    1_234.5,
    -0,
    -1.5,
    0.125,
    1e-7,
    Number.NaN,
  ];
  const read = () => numbers.map((one) => formatNumber(one, language));
  const before = read();
  prepare(language);
  expect(read()).toEqual(before);
});

test('the languages of the product are prepared for', () => {
  for (const language of Object.values(LOCALES)) {
    prepare(language);
    expect(Object.keys(PREPARED).filter((name) => name.startsWith(`${language} `))).toHaveLength(3);
  }
});
