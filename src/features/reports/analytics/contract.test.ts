import { describe, expect, test } from 'vitest';
import { messages as entryMessages } from '#features/time-entries/contract.ts';
import { ExportInput } from '#features/time-entries/export/contract.ts';
import { Period } from './contract.ts';
import { formatMoney, InKindRate, messages, ReportInput, sumMoney, valueOfHours } from './report-contract.ts';

describe.each([
  ['analytics', Period, {}],
  ['a report', ReportInput, {}],
  ['an export', ExportInput, { format: 'csv' }],
])('period of %s', (_, form, rest) => {
  const [first, second] = ['2026-03-01', '2026-03-02'];
  const read = (query: object) => form.safeParse({ ...rest, ...query });

  test.each([
    {},
    { startDate: second },
    { endDate: first },
    { startDate: first, endDate: first },
    { startDate: first, endDate: second },
  ])('accepts %o', (query) => {
    expect(read(query).success).toBe(true);
  });

  test('rejects an end before the start', () => {
    expect(
      read({ startDate: second, endDate: first }).error?.issues.map(({ path, message }) => [path, message]),
    ).toEqual([[['endDate'], entryMessages.endBeforeStart]]);
  });
});

describe('the hourly rate form', () => {
  const rate = { hourlyRate: 33.49, source: 'Independent Sector', year: 2026 };

  test.each([
    ['accepts the lowest rate', { hourlyRate: 0.01 }, undefined],
    ['rejects a rate of zero', { hourlyRate: 0 }, messages.rate],
    ['accepts the highest rate', { hourlyRate: 1000 }, undefined],
    ['rejects a higher rate', { hourlyRate: 1000.01 }, messages.rate],
    ['rejects a third decimal', { hourlyRate: 33.495 }, messages.rate],
    ['accepts the earliest year', { year: 2000 }, undefined],
    ['rejects an earlier year', { year: 1999 }, messages.year],
    ['accepts the latest year', { year: 2099 }, undefined],
    ['rejects a later year', { year: 2100 }, messages.year],
    ['rejects a year that is not a whole number', { year: 2026.5 }, messages.year],
    ['rejects a blank source', { source: ' ' }, messages.source],
  ])('%s', (_, change, said) => {
    expect(InKindRate.safeParse({ ...rate, ...change }).error?.issues[0]?.message).toBe(said);
  });
});

test('the value of hours is rounded half up to cents', () => {
  expect([
    valueOfHours(1.5, 33.49),
    valueOfHours(0.5, 0.01),
    valueOfHours(0.25, 0.01),
    valueOfHours(3, 10),
  ]).toEqual([50.24, 0.01, 0, 30]);
});

test('amounts of money are added exactly', () => {
  expect([sumMoney([0.1, 0.2]), sumMoney([]), sumMoney([1.01, 2.02, 3.03])]).toEqual([0.3, 0, 6.06]);
});

test('money is formatted with a thousands separator and cents', () => {
  expect([formatMoney(1234.5, 'en'), formatMoney(0, 'en')]).toEqual(['$1,234.50', '$0.00']);
});
