import type { District } from '#features/schools/district-settings/contract.ts';
import { addDays, type CalendarDate, day, schoolYearStart } from '#shared/calendar-date.ts';
import type { MessageKey, Text } from '#web/i18n/translate.ts';

/** A period, both days included; a missing end means no limit. */
export type Days = Readonly<{ startDate?: CalendarDate | undefined; endDate?: CalendarDate | undefined }>;

/** The periods offered as presets. */
export const PRESETS = ['allTime', 'thisYear', 'lastYear', 'last30'] as const;
export type Preset = (typeof PRESETS)[number];

/** Returns the days of a preset. `yearStart` is the first day of the school year that contains `today`. */
export function daysOf(preset: Preset, today: CalendarDate, yearStart: CalendarDate): Days {
  if (preset === 'allTime') return {};
  if (preset === 'last30') return { startDate: addDays(today, -29), endDate: today };
  if (preset === 'thisYear') return { startDate: yearStart, endDate: addDays(yearAfter(yearStart), -1) };
  const endDate = addDays(yearStart, -1);
  return { startDate: schoolYearStart(endDate, yearStart.slice(5)), endDate };
}

/** Returns the preset that matches these days, if any. */
export function presetOf(days: Days, today: CalendarDate, yearStart: CalendarDate): Preset | undefined {
  return PRESETS.find((preset) => {
    const { startDate, endDate } = daysOf(preset, today, yearStart);
    return startDate === days.startDate && endDate === days.endDate;
  });
}

/** Changes the start or the end. Drops the other one if the two no longer fit together. */
export function withBound(days: Days, change: Days): Days {
  const next = { ...days, ...change };
  const { startDate, endDate } = next;
  if (startDate === undefined || endDate === undefined || startDate <= endDate) return next;
  return 'endDate' in change ? { endDate } : { startDate };
}

function yearAfter(yearStart: CalendarDate): CalendarDate {
  return day(`${Number(yearStart.slice(0, 4)) + 1}${yearStart.slice(4)}`);
}

// The select's value if the days match no preset.
const OTHER_DAYS = 'other';

const PRESET_NAMES = {
  allTime: 'analytics:allTime',
  thisYear: 'analytics:thisYear',
  lastYear: 'analytics:lastYear',
  last30: 'analytics:last30',
} as const satisfies Record<Preset, MessageKey>;

/** Returns the props of a select for a period, which offers the presets. */
export function periodSelect(
  { today, schoolYearStart: yearStart }: Pick<District, 'today' | 'schoolYearStart'>,
  days: Days,
  onChange: (days: Days) => void,
  { t }: Pick<Text, 't'>,
) {
  const current = presetOf(days, today, yearStart);
  return {
    label: t('analytics:period'),
    value: current ?? OTHER_DAYS,
    onChange: (value: string) => {
      const chosen = PRESETS.find((preset) => preset === value);
      if (chosen !== undefined) onChange(daysOf(chosen, today, yearStart));
    },
    choices: [
      ...PRESETS.map((preset) => ({ value: preset, text: t(PRESET_NAMES[preset]) })),
      ...(current === undefined ? [{ value: OTHER_DAYS, text: t('analytics:ownPeriod') }] : []),
    ],
  };
}
