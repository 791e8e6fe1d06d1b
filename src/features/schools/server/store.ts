import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { countRows, hasRows } from '#server/db/queries/count-rows.ts';
import { afterName, type Page } from '#server/db/queries/pagination.ts';
import {
  matchesNames,
  type NameFilter,
  sortByTranslatedName,
  translatedName,
} from '#server/db/queries/translated-name.ts';
import type { Row } from '#server/db/tables.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { nameKeys } from '#shared/content-translations.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf } from '#shared/entity-fields.ts';
import type { GrantRole } from '#shared/permissions.ts';
import type { School } from '../admin-contract.ts';
import type { PublicSchool } from '../contract.ts';
import { SCHOOL_FIELDS, toLetterTemplate } from '../school-fields.ts';

/** The fields of a school that an administrator enters. */
export type SchoolText = ValuesOf<typeof SCHOOL_FIELDS>;

/** Lists every school, sorted by name in the reader's language. */
export async function listAllSchools(db: Db): Promise<PublicSchool[]> {
  const rows = await db
    .selectFrom('schools')
    .select(['id', translatedName('schools').as('name'), 'logo_url as logoUrl'])
    .orderBy('name_key')
    .orderBy('id')
    .execute();
  return sortByTranslatedName(rows);
}

/** Returns a page of matching schools by name, plus one row that shows whether there are more. */
export async function pageOfSchools(db: Db, filter: NameFilter, page: Page): Promise<School[]> {
  const rows = await selectSchools(db)
    .where(matchesNames('schools', filter))
    .where(afterName('schools', page))
    .orderBy('schools.name_key')
    .orderBy('schools.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toSchool);
}

/** Returns a school in the scope, or undefined. */
export async function findSchool(db: Db, schools: SchoolScope, id: number): Promise<School | undefined> {
  const row = await selectSchools(db)
    .where('schools.id', '=', id)
    .where(inSchools('schools.id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toSchool(row);
}

/** Returns the schools in the scope with one of these folded names in the first language. */
export async function findSchoolsByName(
  db: Db,
  schools: SchoolScope,
  keys: readonly string[],
): Promise<School[]> {
  const rows = await collect(keys, (some) =>
    selectSchools(db)
      .where('schools.name_key', 'in', some)
      .where(inSchools('schools.id', schools))
      .orderBy('schools.id')
      .execute(),
  );
  return rows.map(toSchool);
}

/** Returns all schools with one of these folded names in another language. */
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

/** Counts how many of these ids are schools. */
export function countExisting(db: Db, ids: readonly number[]): Promise<number> {
  return countRows(db.selectFrom('schools').where('id', 'in', ids));
}

/** Inserts a school and returns its id; a unique violation means the name is taken. */
export async function insertSchool(trx: Trx, school: SchoolText & { at: Instant }): Promise<number> {
  const { id } = await trx
    .insertInto('schools')
    .values({
      ...toColumns(SCHOOL_FIELDS, school),
      ...nameKeys(school),
      created_at: school.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates a school; a unique violation means the name is taken. */
export async function updateSchool(trx: Trx, id: number, school: SchoolText): Promise<void> {
  await trx
    .updateTable('schools')
    .set((eb) => ({
      ...toColumns(SCHOOL_FIELDS, school),
      ...nameKeys(school),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Counts what prevents a school's deletion, see `removeSchool`. Soft-deleted items do not count. */
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
      countOnlyMembers(trx, id).as('volunteers'),
    ])
    .executeTakeFirstOrThrow();
}

// Volunteers who belong to this school and to no other.
function countOnlyMembers(trx: Trx, id: number) {
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

/** Returns the ids of a school's members and of users whose request to join is pending. */
export async function listMemberIds(trx: Trx, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('user_schools').select('user_id').where('school_id', '=', id).execute();
  return rows.map((row) => row.user_id);
}

/** Returns the roles that are deleted together with a school. */
export function listGrantsAtSchool(trx: Trx, id: number): Promise<{ userId: number; role: GrantRole }[]> {
  return trx
    .selectFrom('user_grants')
    .select(['user_id as userId', 'role'])
    .where('school_id', '=', id)
    .orderBy('user_id')
    .execute();
}

/**
 * Deletes a school, its memberships and its soft-deleted suggestions; a foreign-key violation means other rows refer to
 * it.
 */
export async function deleteSchool(trx: Trx, id: number): Promise<void> {
  await trx
    .deleteFrom('activity_suggestions')
    .where('school_id', '=', id)
    .where('status', '=', 'deleted')
    .execute();
  // The foreign key deletes memberships (on delete cascade).
  await trx.deleteFrom('schools').where('id', '=', id).execute();
}

/** Whether another school has one of these translated names; the id is null for a new school. */
export async function isTranslationTaken(trx: Trx, id: number | null, school: SchoolText): Promise<boolean> {
  const { translated_key } = nameKeys(school);
  if (translated_key === '') return false;
  return hasRows(
    trx
      .selectFrom('schools')
      .where('translated_key', '=', translated_key)
      .where('id', '<>', id ?? 0),
  );
}

function selectSchools(db: Db) {
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

type SchoolRow = Awaited<ReturnType<ReturnType<typeof selectSchools>['execute']>>[number];

function toSchool(row: SchoolRow): School {
  const { name, verification, closedBefore, lateAfterDays, translations, ...letter } = fromColumns(
    SCHOOL_FIELDS,
    row,
  );
  return {
    id: row.id,
    name,
    letter: toLetterTemplate(letter),
    verification,
    closedBefore,
    lateAfterDays,
    translations,
    logoUrl: row.logo_url,
    version: row.version,
    counts: { userSchools: row.members ?? 0, activityCategories: row.categories ?? 0 },
  };
}

/** A stored image. `name` contains its hash. */
export type Logo = Pick<Row<'school_logos'>, 'name' | 'type' | 'content'>;

/** Replaces a school's logo and its URL. */
export async function saveLogo(
  trx: Trx,
  schoolId: number,
  { name, type, content, url, at }: Logo & { url: string; at: Instant },
): Promise<void> {
  const values = { name, type, content, created_at: at };
  await trx
    .insertInto('school_logos')
    .values({ school_id: schoolId, ...values })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet(values))
    .execute();
  await setLogoUrl(trx, schoolId, url);
}

/** Removes a school's logo. */
export async function deleteLogo(trx: Trx, schoolId: number): Promise<void> {
  await trx.deleteFrom('school_logos').where('school_id', '=', schoolId).execute();
  await setLogoUrl(trx, schoolId, null);
}

/** Returns a logo by name. Several schools may share one. */
export function findLogo(db: Db, name: string): Promise<Logo | undefined> {
  return db
    .selectFrom('school_logos')
    .select(['name', 'type', 'content'])
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
}

async function setLogoUrl(trx: Trx, schoolId: number, url: string | null): Promise<void> {
  await trx
    .updateTable('schools')
    .set((eb) => ({ logo_url: url, version: eb('version', '+', 1) }))
    .where('id', '=', schoolId)
    .execute();
}
