import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatHours,
  fromHundredths,
  hasAtMostTwoDecimals,
  sumHours,
  toHundredths,
  typedHours,
} from './hours.ts';

test('every hundredth of an hour survives a round trip', () => {
  for (let hundredths = 0; hundredths <= 10_000; hundredths++) {
    const hours = fromHundredths(hundredths);
    expect(hasAtMostTwoDecimals(hours)).toBe(true);
    expect(toHundredths(hours)).toBe(hundredths);
  }
});

test.each([1.005, 0.001, 24.0001, Number.NaN, Number.POSITIVE_INFINITY])(
  '%d is not a finite number of hours with at most two decimals',
  (hours) => {
    expect(hasAtMostTwoDecimals(hours) && Number.isFinite(hours)).toBe(false);
  },
);

test('sumHours is exact in any order', () => {
  expect(sumHours([0.1, 0.2])).toBe(0.3);
  const hours = fc.integer({ min: 25, max: 2400 }).map(fromHundredths);
  fc.assert(
    fc.property(fc.array(hours), (all) => {
      expect(sumHours(all)).toBe(sumHours(all.toReversed()));
      expect(toHundredths(sumHours(all))).toBe(all.reduce((sum, one) => sum + toHundredths(one), 0));
    }),
  );
});

test('formatHours omits trailing zeros', () => {
  expect(formatHours(2, 'en')).toBe('2');
  expect(formatHours(1234.5, 'en')).toBe('1,234.5');
});

test.each([
  ['0,5', 0.5],
  ['0.5', 0.5],
  ['1,5', 1.5],
  ['1:30', 1.5],
  ['0:20', 0.33],
  ['1h 30m', 1.5],
  ['90 min', 1.5],
  ['½', 0.5],
  ['2½', 2.5],
  ['2.', 2],
  ['1.333', 1.333],
])('typedHours parses %s as %d hours', (text, hours) => expect(typedHours(text)).toBe(hours));

test.each(['', '1,000', '0,125', '1:75', '-1', 'two', 'h', '1 2', '1e1'])('typedHours rejects %j', (text) =>
  expect(typedHours(text)).toBeUndefined(),
);
