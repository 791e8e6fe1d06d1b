import type { CalendarDate } from '#base/calendar-date.ts';
import { asFlag, asItIs, type Field } from '#base/fields.ts';
import type { SuggestionInput } from './contract.ts';

/** The fields of a suggestion, as whoever suggests an activity fills them in. */
export const SUGGESTION_FIELDS = {
  name: { column: 'name', ...asItIs<string>(), log: { text: 'audit:fieldName' } },
  description: {
    column: 'description',
    ...asItIs<string | null>(),
    log: { text: 'audit:fieldDescription' },
  },
  categoryId: {
    column: 'category_id',
    ...asItIs<number | null>(),
    log: { text: 'audit:fieldCategory', refersTo: 'category', as: 'category' },
  },
  reason: { column: 'reason', ...asItIs<string | null>(), log: { text: 'audit:fieldReason' } },
  isYearLong: { column: 'is_year_long', ...asFlag, log: { text: 'audit:fieldIsYearLong' } },
  activeFrom: {
    column: 'active_from',
    ...asItIs<CalendarDate | null>(),
    log: { text: 'audit:fieldActiveFrom' },
  },
  activeUntil: {
    column: 'active_until',
    ...asItIs<CalendarDate | null>(),
    log: { text: 'audit:fieldActiveUntil' },
  },
  schoolId: {
    column: 'school_id',
    ...asItIs<number>(),
    log: { text: 'audit:fieldSchool', refersTo: 'school', as: 'school' },
  },
} as const satisfies Readonly<Record<keyof Required<SuggestionInput>, Field>>;
