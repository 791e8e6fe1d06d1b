import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatHours, fromHundredths, hasAtMostTwoDecimals, sumHours, toHundredths } from './hours.ts';

test('every hundredth of an hour comes back as it went in', () => {
  for (let hundredths = 0; hundredths <= 10_000; hundredths++) {
    const hours = fromHundredths(hundredths);
    expect(hasAtMostTwoDecimals(hours)).toBe(true);
    expect(toHundredths(hours)).toBe(hundredths);
  }
});

test.each([1.005, 0.001, 24.0001, Number.NaN, Number.POSITIVE_INFINITY])(
  '%d has no two decimals',
  (hours) => {
    expect(hasAtMostTwoDecimals(hours) && Number.isFinite(hours)).toBe(false);
  },
);

test('sums are exact, in any order', () => {
  expect(sumHours([0.1, 0.2])).toBe(0.3);
  const hours = fc.integer({ min: 25, max: 2400 }).map(fromHundredths);
  fc.assert(
    fc.property(fc.array(hours), (all) => {
      expect(sumHours(all)).toBe(sumHours(all.toReversed()));
      expect(toHundredths(sumHours(all))).toBe(all.reduce((sum, one) => sum + toHundredths(one), 0));
    }),
  );
});

test('hours read without needless decimals', () => {
  expect(formatHours(2, 'en')).toBe('2');
  expect(formatHours(1234.5, 'en')).toBe('1,234.5');
});
