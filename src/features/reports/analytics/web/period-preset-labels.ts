import type { MessageKey } from '#web/i18n/translate.ts';
import type { Preset } from './period-presets.ts';

/** The select's value when the days match no preset. */
export const OTHER_DAYS = 'other';

/** The text keys of the presets. */
export const PRESET_NAMES = {
  allTime: 'analytics:allTime',
  thisYear: 'analytics:thisYear',
  lastYear: 'analytics:lastYear',
  last30: 'analytics:last30',
} as const satisfies Record<Preset, MessageKey>;
