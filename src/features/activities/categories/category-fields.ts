import { storedTranslations } from '#shared/content-translations.ts';
import { type Field, plainField } from '#shared/entity-fields.ts';
import { type CategoryInput, type Kind, TRANSLATED } from './contract.ts';

/** The fields of a category. The school is set at creation; the rest can change. */
export const CATEGORY_FIELDS = {
  name: { column: 'name', ...plainField<string>(), log: { text: 'audit:fieldName' } },
  description: {
    column: 'description',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldDescription' },
  },
  color: { column: 'color', ...plainField<string>(), log: { text: 'audit:fieldColor' } },
  kind: { column: 'kind', ...plainField<Kind>(), log: { text: 'audit:fieldKind' } },
  schoolId: {
    column: 'school_id',
    ...plainField<number>(),
    log: { text: 'audit:fieldSchool', refersTo: 'school', as: 'school' },
  },
  translations: {
    column: 'translations',
    ...storedTranslations(TRANSLATED),
    log: { text: 'audit:fieldTranslations' },
  },
} as const satisfies Readonly<Record<keyof Required<CategoryInput>, Field>>;
