import { storedTranslations } from '#shared/content-translations.ts';
import { asItIs, type Field } from '#shared/entity-fields.ts';
import { type CategoryInput, type Kind, TRANSLATED } from './contract.ts';

/** The fields of a category. Its school is set once, the others change. */
export const CATEGORY_FIELDS = {
  name: { column: 'name', ...asItIs<string>(), log: { text: 'audit:fieldName' } },
  description: {
    column: 'description',
    ...asItIs<string | null>(),
    log: { text: 'audit:fieldDescription' },
  },
  color: { column: 'color', ...asItIs<string>(), log: { text: 'audit:fieldColor' } },
  kind: { column: 'kind', ...asItIs<Kind>(), log: { text: 'audit:fieldKind' } },
  schoolId: {
    column: 'school_id',
    ...asItIs<number>(),
    log: { text: 'audit:fieldSchool', refersTo: 'school', as: 'school' },
  },
  translations: {
    column: 'translations',
    ...storedTranslations(TRANSLATED),
    log: { text: 'audit:fieldTranslations' },
  },
} as const satisfies Readonly<Record<keyof Required<CategoryInput>, Field>>;
