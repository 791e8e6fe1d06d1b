import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import { afterName, type Page } from '#server/db/queries/pagination.ts';
import {
  lacksTranslatedName,
  sortByTranslatedName,
  translatedName,
} from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type OtherLanguage, translatedKey } from '#shared/content-translations.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf } from '#shared/entity-fields.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { School } from '../admin-contract.ts';
import type { PublicSchool } from '../contract.ts';
import { letterOf, SCHOOL_FIELDS } from '../school-fields.ts';

/** What a person says of a school. */
export type SchoolText = ValuesOf<typeof SCHOOL_FIELDS>;

/** Every school, by name as its reader sees it. */
export async function allSchools(db: Db): Promise<PublicSchool[]> {
  const rows = await db
    .selectFrom('schools')
    .select(['id', translatedName('schools').as('name'), 'logo_url as logoUrl'])
    .orderBy('name_key')
    .orderBy('id')
    .execute();
  return sortByTranslatedName(rows);
}

/** Which schools a list has: those of a scope that a search finds; a blank one finds all. `without`: no name in this language. */
export type SchoolFilter = Readonly<{
  schools: SchoolScope;
  search: string;
  without?: OtherLanguage | undefined;
}>;

/** A page of schools by name, those that a search finds; one more than the page's limit, to see if more come. */
export async function pageOfSchools(
  db: Db,
  { schools, search, without }: SchoolFilter,
  page: Page,
): Promise<School[]> {
  const rows = await shown(db)
    .where(inSchools('schools.id', schools))
    .where(containsWords(SEARCHED, search))
    .where(lacksTranslatedName('schools', without))
    .where(afterName('schools', page))
    .orderBy('schools.name_key')
    .orderBy('schools.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toSchool);
}

/** How many schools a search finds. */
export async function countSchools(db: Db, { schools, search, without }: SchoolFilter): Promise<number> {
  const { count } = await db
    .selectFrom('schools')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inSchools('schools.id', schools))
    .where(containsWords(SEARCHED, search))
    .where(lacksTranslatedName('schools', without))
    .executeTakeFirstOrThrow();
  return count;
}

/** A school of a scope, or undefined. */
export async function findSchool(db: Db, schools: SchoolScope, id: number): Promise<School | undefined> {
  const row = await shown(db)
    .where('schools.id', '=', id)
    .where(inSchools('schools.id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toSchool(row);
}

/** The schools of a scope with one of these folded first names. */
export async function findSchoolsByName(
  db: Db,
  schools: SchoolScope,
  keys: readonly string[],
): Promise<School[]> {
  const rows = await collect(keys, (some) =>
    shown(db)
      .where('schools.name_key', 'in', some)
      .where(inSchools('schools.id', schools))
      .orderBy('schools.id')
      .execute(),
  );
  return rows.map(toSchool);
}

/** All schools that are called one of these folded names in other languages. */
export function findSchoolsByTranslation(
  db: Db,
  keys: readonly string[],
): Promise<{ id: number; key: string }[]> {
  return collect(keys, (some) =>
    db
      .selectFrom('schools')
      .select(['id', 'translated_key as key'])
      .where('translated_key', 'in', some)
      .execute(),
  );
}

/** How many of these identifiers are schools. */
export async function countKnown(db: Db, ids: readonly number[]): Promise<number> {
  const { count } = await db
    .selectFrom('schools')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a school; a unique violation means that the name is taken. Returns its id. */
export async function insertSchool(trx: Trx, school: SchoolText & { at: Instant }): Promise<number> {
  const { id } = await trx
    .insertInto('schools')
    .values({
      ...toColumns(SCHOOL_FIELDS, school),
      ...keysOf(school),
      logo_url: null,
      created_at: school.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a school; a unique violation means that the name is taken. */
export async function updateSchool(trx: Trx, id: number, school: SchoolText): Promise<void> {
  await trx
    .updateTable('schools')
    .set((eb) => ({
      ...toColumns(SCHOOL_FIELDS, school),
      ...keysOf(school),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Locks a school until the transaction ends: nobody else changes it or adds anything that belongs to it. */
export async function lockSchool(trx: Trx, id: number): Promise<void> {
  await forUpdate(trx, trx.selectFrom('schools').select('id').where('id', '=', id)).execute();
}

/** The same for several, in the order of their ids. */
export async function lockSchools(trx: Trx, ids: readonly number[]): Promise<void> {
  await inChunks(
    ids.toSorted((a, b) => a - b),
    (some) =>
      forUpdate(trx, trx.selectFrom('schools').select('id').where('id', 'in', some).orderBy('id')).execute(),
  );
}

/** What prevents a school's deletion: see `removeSchool` in actions. What is in the trash does not count. */
export async function countSchoolDependents(trx: Trx, id: number) {
  const count = (from: 'categories' | 'activities' | 'time_entries' | 'photos' | 'activity_suggestions') =>
    trx
      .selectFrom(from)
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('school_id', '=', id);
  return trx
    .selectNoFrom([
      count('categories').as('categories'),
      count('activities').as('activities'),
      count('time_entries').where('deleted_at', 'is', null).as('timeEntries'),
      count('photos').where('deleted_at', 'is', null).as('photos'),
      count('activity_suggestions').where('status', '!=', 'deleted').as('suggestions'),
      countOnlyHere(trx, id).as('volunteers'),
    ])
    .executeTakeFirstOrThrow();
}

// Volunteers who belong to this school and to no other.
function countOnlyHere(trx: Trx, id: number) {
  return trx
    .selectFrom('user_schools as here')
    .innerJoin('users', 'users.id', 'here.user_id')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('here.school_id', '=', id)
    .where('users.role', '=', 'user')
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('user_schools as elsewhere')
            .select('elsewhere.school_id')
            .whereRef('elsewhere.user_id', '=', 'here.user_id')
            .where('elsewhere.school_id', '!=', id),
        ),
      ),
    );
}

/** Everybody who belongs to a school or has asked to. */
export async function membersOf(trx: Trx, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('user_schools').select('user_id').where('school_id', '=', id).execute();
  return rows.map((row) => row.user_id);
}

/** The roles that end with a school. */
export function grantsAt(trx: Trx, id: number): Promise<{ userId: number; role: GrantRole }[]> {
  return trx
    .selectFrom('user_grants')
    .select(['user_id as userId', 'role'])
    .where('school_id', '=', id)
    .orderBy('user_id')
    .execute();
}

/**
 * Deletes a school, its memberships and its deleted suggestions; a foreign-key violation means that more hangs on
 * it.
 */
export async function deleteSchool(trx: Trx, id: number): Promise<void> {
  await trx
    .deleteFrom('activity_suggestions')
    .where('school_id', '=', id)
    .where('status', '=', 'deleted')
    .execute();
  // Memberships go by their foreign key (on delete cascade).
  await trx.deleteFrom('schools').where('id', '=', id).execute();
}

/** Whether another school has one of these names in other languages; null for a new one. */
export async function isTranslationTaken(trx: Trx, id: number | null, school: SchoolText): Promise<boolean> {
  const { translated_key } = keysOf(school);
  if (translated_key === '') return false;
  const row = await trx
    .selectFrom('schools')
    .select('id')
    .where('translated_key', '=', translated_key)
    .where('id', '<>', id ?? 0)
    .executeTakeFirst();
  return row !== undefined;
}

const SEARCHED = ['schools.name_key', 'schools.translated_key'] as const;

// The columns that lists are sorted by and searched in.
function keysOf({ name, translations }: Pick<SchoolText, 'name' | 'translations'>) {
  return { name_key: foldForSearch(name), translated_key: translatedKey(translations) };
}

function shown(db: Db) {
  return db.selectFrom('schools').select((eb) => [
    'schools.id',
    ...columnsIn('schools', SCHOOL_FIELDS),
    'schools.logo_url',
    'schools.version',
    eb
      .selectFrom('user_schools')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('user_schools.school_id', '=', 'schools.id')
      .where('user_schools.status', '=', 'active')
      .as('members'),
    eb
      .selectFrom('categories')
      .select((of) => of.fn.countAll<number>().as('count'))
      .whereRef('categories.school_id', '=', 'schools.id')
      .as('categories'),
  ]);
}

type ShownRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number];

function toSchool(row: ShownRow): School {
  const { name, verification, closedBefore, lateAfterDays, translations, ...letter } = fromColumns(
    SCHOOL_FIELDS,
    row,
  );
  return {
    id: row.id,
    name,
    letter: letterOf(letter),
    verification,
    closedBefore,
    lateAfterDays,
    translations,
    logoUrl: row.logo_url,
    version: row.version,
    counts: { userSchools: row.members ?? 0, activityCategories: row.categories ?? 0 },
  };
}
