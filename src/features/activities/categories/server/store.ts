import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import { afterName, type Page } from '#server/db/queries/pagination.ts';
import { lacksTranslatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type OtherLanguage, translatedKey } from '#shared/content-translations.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf, withoutFields } from '#shared/entity-fields.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { CATEGORY_FIELDS } from '../category-fields.ts';
import type { Category } from '../contract.ts';

/** A filter of categories: of these schools, matching this search; a blank one matches all. `without`: no name in this language. */
export type CategoryFilter = Readonly<{
  schools: SchoolScope;
  search: string;
  without?: OtherLanguage | undefined;
}>;

/** The fields that a person fills in; the school is set once. */
export type CategoryText = ValuesOf<typeof CHANGEABLE>;

const CHANGEABLE = withoutFields(CATEGORY_FIELDS, 'schoolId');

/** A page of categories by name; one more than the page's limit, to see if more come. */
export async function pageOfCategories(db: Db, filter: CategoryFilter, page: Page): Promise<Category[]> {
  const rows = await shown(db)
    .where(inSchools('categories.school_id', filter.schools))
    .where(containsWords(SEARCHED, filter.search))
    .where(lacksTranslatedName('categories', filter.without))
    .where(afterName('categories', page))
    .orderBy('categories.name_key')
    .orderBy('categories.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toCategory);
}

/** How many categories there are in all. */
export async function countCategories(db: Db, filter: CategoryFilter): Promise<number> {
  const { count } = await db
    .selectFrom('categories')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inSchools('categories.school_id', filter.schools))
    .where(containsWords(SEARCHED, filter.search))
    .where(lacksTranslatedName('categories', filter.without))
    .executeTakeFirstOrThrow();
  return count;
}

/** A category of these schools, or undefined. */
export async function findCategory(db: Db, schools: SchoolScope, id: number): Promise<Category | undefined> {
  const row = await shown(db)
    .where('categories.id', '=', id)
    .where(inSchools('categories.school_id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toCategory(row);
}

/** The categories of these schools with one of these folded first names. */
export async function findCategoriesByName(
  db: Db,
  schools: SchoolScope,
  keys: readonly string[],
): Promise<Category[]> {
  const rows = await collect(keys, (some) =>
    shown(db)
      .where('categories.name_key', 'in', some)
      .where(inSchools('categories.school_id', schools))
      .orderBy('categories.id')
      .execute(),
  );
  return rows.map(toCategory);
}

/** The categories of these schools that are called one of these folded names in other languages, by school. */
export function findCategoriesByTranslation(db: Db, schools: SchoolScope, keys: readonly string[]) {
  return collect(keys, (some) =>
    db
      .selectFrom('categories')
      .select(['id', 'translated_key as key', 'school_id as place'])
      .where('translated_key', 'in', some)
      .where(inSchools('school_id', schools))
      .execute(),
  );
}

/** Adds a category; a unique violation means that its school has one of that name. Returns its id. */
export async function insertCategory(
  trx: Trx,
  category: ValuesOf<typeof CATEGORY_FIELDS> & { at: Instant; batchId: number | null },
): Promise<number> {
  const { id } = await trx
    .insertInto('categories')
    .values({
      ...toColumns(CATEGORY_FIELDS, category),
      ...keysOf(category),
      created_at: category.at,
      batch_id: category.batchId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a category; a unique violation means that its school has one of that name. */
export async function updateCategory(trx: Trx, id: number, category: CategoryText): Promise<void> {
  await trx
    .updateTable('categories')
    .set((eb) => ({
      ...toColumns(CHANGEABLE, category),
      ...keysOf(category),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Locks a category until the transaction ends: nobody else changes it or adds an activity to it. */
export async function lockCategory(trx: Trx, id: number): Promise<void> {
  await forUpdate(trx, trx.selectFrom('categories').select('id').where('id', '=', id)).execute();
}

/** The same for several, in the order of their ids. */
export async function lockCategories(trx: Trx, ids: readonly number[]): Promise<void> {
  await inChunks(
    ids.toSorted((a, b) => a - b),
    (some) =>
      forUpdate(
        trx,
        trx.selectFrom('categories').select('id').where('id', 'in', some).orderBy('id'),
      ).execute(),
  );
}

/** Locks the categories that were made for a batch of activities. Returns those in which there are none. */
export async function lockEmptyCategories(trx: Trx, batchId: number): Promise<Category[]> {
  await forUpdate(
    trx,
    trx.selectFrom('categories').select('id').where('batch_id', '=', batchId).orderBy('id'),
  ).execute();
  const rows = await shown(trx).where('categories.batch_id', '=', batchId).execute();
  return rows.map(toCategory).filter(({ counts }) => counts.activities === 0);
}

/** Deletes a category; a foreign-key violation means that activities refer to it. Suggestions lose their category. */
export async function deleteCategory(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('categories').where('id', '=', id).execute();
}

/** Whether another category of the school has one of these names in other languages; null for a new one. */
export async function isTranslationTaken(
  trx: Trx,
  at: Readonly<{ id: number | null; schoolId: number }>,
  category: Pick<CategoryText, 'name' | 'translations'>,
): Promise<boolean> {
  const { translated_key } = keysOf(category);
  if (translated_key === '') return false;
  const row = await trx
    .selectFrom('categories')
    .select('id')
    .where('school_id', '=', at.schoolId)
    .where('translated_key', '=', translated_key)
    .where('id', '<>', at.id ?? 0)
    .executeTakeFirst();
  return row !== undefined;
}

const SEARCHED = ['categories.name_key', 'categories.translated_key'] as const;

// The columns that lists are sorted by and searched in.
function keysOf({ name, translations }: Pick<CategoryText, 'name' | 'translations'>) {
  return { name_key: foldForSearch(name), translated_key: translatedKey(translations) };
}

function shown(db: Db) {
  return db.selectFrom('categories').select((eb) => [
    'categories.id',
    ...columnsIn('categories', CATEGORY_FIELDS),
    'categories.version',
    eb
      .selectFrom('activities')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('activities.category_id', '=', 'categories.id')
      .as('activities'),
  ]);
}

type ShownRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number];

function toCategory(row: ShownRow): Category {
  return {
    id: row.id,
    ...fromColumns(CATEGORY_FIELDS, row),
    version: row.version,
    counts: { activities: row.activities ?? 0 },
  };
}
