import { fieldsOf } from '#base/fields.ts';
import { changedTranslations } from '#base/translations.ts';
import type { NameListInput } from '#rooms/district/name-list.ts';
import type { NamedRecords } from '#rooms/district/server/name-list.ts';
import { schoolsAskedFor } from '#rooms/schools/server/actions.ts';
import type { Db } from '#server/db/connect.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { CATEGORY_FIELDS } from '../category-fields.ts';
import { type Category, LIMITS, TRANSLATED } from '../contract.ts';
import { categoriesCalled, categoriesNamed, holdCategories, updateCategory } from './store.ts';

/** The categories that a list of names may change. 404 for a school outside of the viewer's. */
export async function namedCategories(
  db: Db,
  viewer: Viewer,
  { schoolId }: NameListInput,
): Promise<NamedRecords<Category>> {
  const schools = await schoolsAskedFor(db, viewer, schoolId ?? undefined);
  return {
    max: LIMITS.name,
    find: (from, keys) => categoriesNamed(from, schools, keys),
    hold: holdCategories,
    apart: {
      placeOf: (category) => category.schoolId,
      holders: (from, keys) => categoriesCalled(from, schools, keys),
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
