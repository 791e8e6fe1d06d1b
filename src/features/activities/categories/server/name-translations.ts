import type { NameListInput } from '#features/schools/content-translations/contract.ts';
import type { TranslatableRecords } from '#features/schools/content-translations/server/actions.ts';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import type { Db } from '#server/db/database.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import { fieldsOf } from '#shared/entity-fields.ts';
import { CATEGORY_FIELDS } from '../category-fields.ts';
import { type Category, LIMITS, TRANSLATED } from '../contract.ts';
import {
  findCategoriesByName,
  findCategoriesByTranslation,
  lockCategories,
  updateCategory,
} from './store.ts';

/** The categories that a list of names may change. 404 for a school outside of the viewer's. */
export async function translatableCategories(
  db: Db,
  viewer: Viewer,
  { schoolId }: NameListInput,
): Promise<TranslatableRecords<Category>> {
  const schools = await findRequestedSchools(db, viewer, schoolId ?? undefined);
  return {
    max: LIMITS.name,
    find: (from, keys) => findCategoriesByName(from, schools, keys),
    hold: lockCategories,
    apart: {
      placeOf: (category) => category.schoolId,
      holders: (from, keys) => findCategoriesByTranslation(from, schools, keys),
    },
    renamed: (category, language, name) => ({
      ...category,
      translations: changedTranslations(TRANSLATED, category.translations, { [language]: { name } }),
    }),
    write: (trx, category) => updateCategory(trx, category.id, category),
    deed: (before, after) => ({
      action: 'category.edit',
      subject: 'category',
      subjectId: before.id,
      schoolId: before.schoolId,
      before: fieldsOf(CATEGORY_FIELDS, before),
      after: fieldsOf(CATEGORY_FIELDS, after),
    }),
  };
}
