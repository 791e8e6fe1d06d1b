import { booleanField, type Field, plainField, withoutFields } from '#shared/entity-fields.ts';
import { ACTIVITY_FIELDS } from '../activity-fields.ts';
import type { SuggestionInput } from './contract.ts';

const { name, description, categoryId, activeFrom, activeUntil, schoolId } = ACTIVITY_FIELDS;

/** The fields of a suggestion: those of the future activity, the reason, and whether it is year-long. */
export const SUGGESTION_FIELDS = {
  name,
  description,
  categoryId: { ...categoryId, ...plainField<number | null>() },
  reason: { column: 'reason', ...plainField<string | null>(), log: { text: 'audit:fieldReason' } },
  isYearLong: { column: 'is_year_long', ...booleanField, log: { text: 'audit:fieldIsYearLong' } },
  activeFrom,
  activeUntil,
  schoolId,
} as const satisfies Readonly<Record<keyof Required<SuggestionInput>, Field>>;

/** The fields an approved suggestion's activity gets unless the approval overrides them. */
export const COPIED_TO_ACTIVITY = withoutFields(SUGGESTION_FIELDS, 'reason', 'isYearLong');
