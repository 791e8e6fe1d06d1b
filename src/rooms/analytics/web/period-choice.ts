import type { TextKey } from '#web/lib/text.ts';
import type { Preset } from './days.ts';

/** In the place of a preset: any other days. */
export const OTHER_DAYS = 'other';

/** What the usual periods are called. */
export const PRESET_NAMES = {
  allTime: 'analytics:allTime',
  thisYear: 'analytics:thisYear',
  lastYear: 'analytics:lastYear',
  last30: 'analytics:last30',
} as const satisfies Record<Preset, TextKey>;
