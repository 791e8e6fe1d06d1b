import type { CalendarDate } from '#shared/calendar-date.ts';
import { storedTranslations } from '#shared/content-translations.ts';
import { booleanField, type Field, plainField } from '#shared/entity-fields.ts';
import { type ActivityInput, TRANSLATED, type VerifiedBy } from './contract.ts';

/** The fields of an activity. The school is set at creation; the rest can change. */
export const ACTIVITY_FIELDS = {
  name: { column: 'name', ...plainField<string>(), log: { text: 'audit:fieldName' } },
  schoolId: {
    column: 'school_id',
    ...plainField<number>(),
    log: { text: 'audit:fieldSchool', refersTo: 'school', as: 'school' },
  },
  categoryId: {
    column: 'category_id',
    ...plainField<number>(),
    log: { text: 'audit:fieldCategory', refersTo: 'category', as: 'category' },
  },
  description: {
    column: 'description',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldDescription' },
  },
  isActive: { column: 'is_active', ...booleanField, log: { text: 'audit:fieldIsActive' } },
  activeFrom: {
    column: 'active_from',
    ...plainField<CalendarDate | null>(),
    log: { text: 'audit:fieldActiveFrom' },
  },
  activeUntil: {
    column: 'active_until',
    ...plainField<CalendarDate | null>(),
    log: { text: 'audit:fieldActiveUntil' },
  },
  requiresDescription: {
    column: 'requires_description',
    ...booleanField,
    log: { text: 'audit:fieldRequiresDescription' },
  },
  descriptionPrompt: {
    column: 'description_prompt',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldDescriptionPrompt' },
  },
  verifiedBy: {
    column: 'verification',
    ...plainField<VerifiedBy>(),
    log: { text: 'audit:fieldVerifiedBy' },
  },
  outsideVerifier: {
    column: 'external_verifier',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldOutsideVerifier' },
  },
  translations: {
    column: 'translations',
    ...storedTranslations(TRANSLATED),
    log: { text: 'audit:fieldTranslations' },
  },
} as const satisfies Readonly<Record<keyof Required<ActivityInput>, Field>>;
