import { expect, it } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { sumByMonth } from './month-totals.tsx';

it('sumByMonth adds up the hours of each month, latest first', () => {
  const of = (date: string, hours: number) => ({ entryDate: day(date), hours });
  expect(
    sumByMonth([of('2026-03-10', 1.5), of('2026-03-02', 2.1), of('2026-02-28', 0.1), of('2025-03-01', 4)]),
  ).toEqual([
    { month: '2026-03', hours: 3.6 },
    { month: '2026-02', hours: 0.1 },
    { month: '2025-03', hours: 4 },
  ]);
});
