import { describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { daysOf, PRESETS, presetOf, withBound } from './period-presets.ts';

const [today, yearStart] = [day('2026-03-04'), day('2025-07-01')];

describe('period presets', () => {
  test.each([
    ['allTime', {}],
    ['thisYear', { startDate: '2025-07-01', endDate: '2026-06-30' }],
    ['lastYear', { startDate: '2024-07-01', endDate: '2025-06-30' }],
    ['last30', { startDate: '2026-02-03', endDate: '2026-03-04' }],
  ] as const)('%s', (preset, days) => {
    expect(daysOf(preset, today, yearStart)).toEqual(days);
  });

  test('are recognized from their days', () => {
    for (const preset of PRESETS) {
      expect(presetOf(daysOf(preset, today, yearStart), today, yearStart)).toBe(preset);
    }
    expect(presetOf({ startDate: day('2026-01-01') }, today, yearStart)).toBeUndefined();
  });
});

test('withBound clears the other bound if the new one is on the wrong side of it', () => {
  const days = { startDate: day('2026-01-01'), endDate: day('2026-02-01') };
  expect(withBound(days, { startDate: day('2026-03-01') })).toEqual({ startDate: '2026-03-01' });
  expect(withBound(days, { endDate: day('2025-12-01') })).toEqual({ endDate: '2025-12-01' });
  expect(withBound(days, { endDate: day('2026-01-01') })).toEqual({ ...days, endDate: '2026-01-01' });
});
