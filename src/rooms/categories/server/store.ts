import type { Instant } from '#base/calendar-date.ts';
import { fold } from '#base/text.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import { held } from '#server/db/lock.ts';
import { afterName, type Page } from '#server/db/page.ts';
import { inSchools } from '#server/db/scope.ts';
import { containsWords } from '#server/db/search.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Category } from '../contract.ts';

/** Which categories: of these schools, and found by this search; a blank one finds all. */
export type CategoryFilter = Readonly<{ schools: SchoolScope; search: string }>;

/** What a person says of a category. */
export type CategoryText = Pick<Category, 'name' | 'description' | 'color' | 'kind'>;

/** A page of categories by name; one more than the page's limit, to see if more come. */
export async function pageOfCategories(db: Db, filter: CategoryFilter, page: Page): Promise<Category[]> {
  const rows = await shown(db)
    .where(inSchools('categories.school_id', filter.schools))
    .where(containsWords('categories.name_key', filter.search))
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
    .where(containsWords('categories.name_key', filter.search))
    .executeTakeFirstOrThrow();
  return count;
}

/** A category, or nothing. */
export async function findCategory(db: Db, id: number): Promise<Category | undefined> {
  const row = await shown(db).where('categories.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toCategory(row);
}

/** Adds a category; a unique violation means that its school has one of that name. Answers its id. */
export async function insertCategory(
  trx: Trx,
  category: CategoryText & { schoolId: number; at: Instant },
): Promise<number> {
  const { id } = await trx
    .insertInto('categories')
    .values({ ...columnsOf(category), school_id: category.schoolId, created_at: category.at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a category; a unique violation means that its school has one of that name. */
export async function updateCategory(trx: Trx, id: number, category: CategoryText): Promise<void> {
  await trx
    .updateTable('categories')
    .set((eb) => ({ ...columnsOf(category), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Locks a category until the transaction ends: nobody else changes it or adds an activity to it. */
export async function holdCategory(trx: Trx, id: number): Promise<void> {
  await held(trx, trx.selectFrom('categories').select('id').where('id', '=', id)).execute();
}

/** Deletes a category; a foreign-key violation means that activities hang on it. Suggestions lose it. */
export async function deleteCategory(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('categories').where('id', '=', id).execute();
}

function columnsOf(category: CategoryText) {
  return {
    name: category.name,
    name_key: fold(category.name),
    description: category.description,
    color: category.color,
    kind: category.kind,
  };
}

function shown(db: Db) {
  return db.selectFrom('categories').select((eb) => [
    'categories.id',
    'categories.school_id',
    'categories.name',
    'categories.description',
    'categories.color',
    'categories.kind',
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
    schoolId: row.school_id,
    name: row.name,
    description: row.description,
    color: row.color,
    kind: row.kind,
    version: row.version,
    counts: { activities: row.activities ?? 0 },
  };
}
