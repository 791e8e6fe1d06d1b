import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { afterName, type Page } from '#server/db/queries/pagination.ts';
import { matchesNames, type NameFilter } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { idsByAnyName, nameKeys } from '#shared/content-translations.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf, withoutFields } from '#shared/entity-fields.ts';
import { CATEGORY_FIELDS } from '../category-fields.ts';
import type { Category } from '../contract.ts';

/** The fields a user fills in. The school is set at creation. */
export type CategoryText = ValuesOf<typeof CHANGEABLE>;

const CHANGEABLE = withoutFields(CATEGORY_FIELDS, 'schoolId');

/** Returns a page of categories by name, plus one row that shows whether there are more. */
export async function pageOfCategories(db: Db, filter: NameFilter, page: Page): Promise<Category[]> {
  const rows = await selectCategories(db)
    .where(matchesNames('categories', filter))
    .where(afterName('categories', page))
    .orderBy('categories.name_key')
    .orderBy('categories.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toCategory);
}

/** Returns a category of these schools, or undefined. */
export async function findCategory(db: Db, schools: SchoolScope, id: number): Promise<Category | undefined> {
  const row = await selectCategories(db)
    .where('categories.id', '=', id)
    .where(inSchools('categories.school_id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toCategory(row);
}

/** Returns the categories of these schools that have one of these folded names in the first language. */
export async function findCategoriesByName(
  db: Db,
  schools: SchoolScope,
  keys: readonly string[],
): Promise<Category[]> {
  const rows = await collect(keys, (some) =>
    selectCategories(db)
      .where('categories.name_key', 'in', some)
      .where(inSchools('categories.school_id', schools))
      .orderBy('categories.id')
      .execute(),
  );
  return rows.map(toCategory);
}

/** Returns the ids of a school's categories by folded name, in every language. */
export async function findCategoryIds(db: Db, schoolId: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('categories')
    .select(['id', 'name_key', 'translated_key'])
    .where('school_id', '=', schoolId)
    .execute();
  return idsByAnyName(rows);
}

/** Finds categories of these schools by a folded translated name (`key`). `scope` is the category's school. */
export function findCategoriesByTranslation(db: Db, schools: SchoolScope, keys: readonly string[]) {
  return collect(keys, (some) =>
    db
      .selectFrom('categories')
      .select(['id', 'translated_key as key', 'school_id as scope'])
      .where('translated_key', 'in', some)
      .where(inSchools('school_id', schools))
      .execute(),
  );
}

/** Inserts a category. Returns its id. A unique violation means the school has a category of that name. */
export async function insertCategory(
  trx: Trx,
  category: ValuesOf<typeof CATEGORY_FIELDS> & { at: Instant; batchId: number | null },
): Promise<number> {
  const { id } = await trx
    .insertInto('categories')
    .values({
      ...toColumns(CATEGORY_FIELDS, category),
      ...nameKeys(category),
      created_at: category.at,
      batch_id: category.batchId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates a category. A unique violation means the school has a category of that name. */
export async function updateCategory(trx: Trx, id: number, category: CategoryText): Promise<void> {
  await trx
    .updateTable('categories')
    .set((eb) => ({
      ...toColumns(CHANGEABLE, category),
      ...nameKeys(category),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Locks the categories that were created for a batch. Returns the empty ones. */
export async function lockEmptyCategories(trx: Trx, batchId: number): Promise<Category[]> {
  await forUpdate(
    trx,
    trx.selectFrom('categories').select('id').where('batch_id', '=', batchId).orderBy('id'),
  ).execute();
  const rows = await selectCategories(trx).where('categories.batch_id', '=', batchId).execute();
  return rows.map(toCategory).filter(({ counts }) => counts.activities === 0);
}

/** Deletes a category and clears it on suggestions. A foreign-key violation means activities refer to it. */
export async function deleteCategory(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('categories').where('id', '=', id).execute();
}

/** Whether another category of the school has one of these translated names. `at.id` is null for a new category. */
export async function isTranslationTaken(
  trx: Trx,
  at: Readonly<{ id: number | null; schoolId: number }>,
  category: Pick<CategoryText, 'name' | 'translations'>,
): Promise<boolean> {
  const { translated_key } = nameKeys(category);
  if (translated_key === '') return false;
  return hasRows(
    trx
      .selectFrom('categories')
      .where('school_id', '=', at.schoolId)
      .where('translated_key', '=', translated_key)
      .where('id', '<>', at.id ?? 0),
  );
}

function selectCategories(db: Db) {
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

type CategoryRow = Awaited<ReturnType<ReturnType<typeof selectCategories>['execute']>>[number];

function toCategory(row: CategoryRow): Category {
  return {
    id: row.id,
    ...fromColumns(CATEGORY_FIELDS, row),
    version: row.version,
    counts: { activities: row.activities ?? 0 },
  };
}
