import type { Instant } from '#base/calendar-date.ts';
import type { Sizes } from '../scripts/demo/plan.ts';

/** The districts that are measured: 'S', 'M' and 'L' of the performance notes. */
export const SIZES = {
  S: { schools: 5, activities: 300, volunteers: 495, administrators: 5, entries: 20_000, days: 1020 },
  M: {
    schools: 40,
    activities: 2_400,
    volunteers: 19_800,
    administrators: 200,
    entries: 1_000_000,
    days: 1020,
  },
  L: {
    schools: 200,
    activities: 12_000,
    volunteers: 99_000,
    administrators: 1_000,
    entries: 10_000_000,
    days: 1020,
  },
} as const satisfies Record<string, Sizes>;

export type Size = keyof typeof SIZES;

/** Three school years end on this day, at this moment, on every machine. */
export const LAST_MOMENT = '2026-05-29T22:00:00.000Z' as Instant;
export const LAST_DAY = '2026-05-29';
export const TIME_ZONE = 'America/Chicago';
