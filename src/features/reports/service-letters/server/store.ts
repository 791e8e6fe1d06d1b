import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { beforeId, type Page } from '#server/db/queries/pagination.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Row } from '#server/db/tables.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';

export type StoredLetter = Row<'service_letters'>;

/**
 * A letter with the name in it, and the current name of its account. The first is null once the account's data was deleted, the
 * second if the account is gone.
 */
export type LetterWithNames = Awaited<ReturnType<ReturnType<typeof selectLetters>['execute']>>[number];

/** The person that a letter is about. */
export type LetterPerson = Readonly<{ id: number; first_name: string; last_name: string }>;

/** A school's settings for letters, and its logo. */
export type LetterSchool = Readonly<{
  id: number;
  name: string;
  signer: string | null;
  title: string | null;
  wording: string | null;
}>;

/** Stores a letter with the name in it. */
export async function insertLetter(
  trx: Trx,
  letter: Omit<StoredLetter, 'id' | 'withdrawn_at' | 'withdrawn_by'>,
  { id, ...name }: LetterPerson,
): Promise<StoredLetter> {
  const row = await trx.insertInto('service_letters').values(letter).returningAll().executeTakeFirstOrThrow();
  await trx
    .insertInto('service_letter_names')
    .values({ letter_id: row.id, user_id: id, ...name })
    .execute();
  return row;
}

/** Saves the final content of a letter, if hours changed between issuing and rendering. */
export async function updateLetterContent(
  trx: Trx,
  id: number,
  content: Pick<StoredLetter, 'hours_hundredths' | 'record_mark' | 'is_verified_only'>,
): Promise<void> {
  await trx.updateTable('service_letters').set(content).where('id', '=', id).execute();
}

/** Returns a letter by its code. */
export function findByCode(db: Db, code: string): Promise<LetterWithNames | undefined> {
  return selectLetters(db).where('service_letters.code', '=', code).executeTakeFirst();
}

/** Returns a letter by its id. */
export function findLetter(db: Db, id: number): Promise<LetterWithNames | undefined> {
  return selectLetters(db).where('service_letters.id', '=', id).executeTakeFirst();
}

/** Returns a page of the letters about a user, latest first, plus one row that shows whether there are more. */
export function pageOfLetters(db: Db, userId: number, page: Page): Promise<LetterWithNames[]> {
  return selectLetters(db)
    .where('service_letters.user_id', '=', userId)
    .where(beforeId('service_letters', page))
    .orderBy('service_letters.id', 'desc')
    .limit(page.limit + 1)
    .execute();
}

/** Returns the letters of a file, in the order in which they were issued. */
export function listLettersOfFile(db: Db, fileId: number): Promise<LetterWithNames[]> {
  return selectLetters(db)
    .where('service_letters.file_id', '=', fileId)
    .orderBy('service_letters.id')
    .execute();
}

/** Withdraws letters that are not withdrawn yet. */
export async function withdrawLetters(
  trx: Trx,
  which: { id: number } | { fileId: number } | { userId: number },
  { at, by }: { at: Instant; by: number | null },
): Promise<void> {
  const [column, value] =
    'id' in which
      ? (['id', which.id] as const)
      : 'fileId' in which
        ? (['file_id', which.fileId] as const)
        : (['user_id', which.userId] as const);
  await trx
    .updateTable('service_letters')
    .set({ withdrawn_at: at, withdrawn_by: by })
    .where(column, '=', value)
    .where('withdrawn_at', 'is', null)
    .execute();
}

/** Locks a letter until the transaction ends. */
export function lockLetter(trx: Trx, id: number) {
  return forUpdate(trx, trx.selectFrom('service_letters').select('id').where('id', '=', id)).execute();
}

/**
 * Returns the existing people among these, in the order of lists of people. Unless `schools` is 'all', only those who belong to
 * one of these schools or have a role there.
 */
export function findVisiblePeople(
  db: Db,
  ids: readonly number[],
  schools: SchoolScope,
): Promise<LetterPerson[]> {
  return db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', [...ids])
    .where('erased_at', 'is', null)
    .where(
      schools === 'all'
        ? sql<boolean>`1 = 1`
        : sql<boolean>`exists (select 1 from user_schools
            where user_schools.user_id = users.id and ${inSchools('user_schools.school_id', schools)}
            union all select 1 from user_grants
            where user_grants.user_id = users.id and ${inSchools('user_grants.school_id', schools)})`,
    )
    .orderBy('sort_key')
    .orderBy('id')
    .execute();
}

/** Returns the user's own name, locked until the transaction ends. */
export function lockOwnName(trx: Trx, id: number): Promise<LetterPerson> {
  return forUpdate(
    trx,
    trx.selectFrom('users').select(['id', 'first_name', 'last_name']).where('id', '=', id),
  ).executeTakeFirstOrThrow();
}

/** Returns the valid letters about a user that share a day with a period. */
export function findOverlappingLetters(
  db: Db,
  userId: number,
  { startDate, endDate }: { startDate: string; endDate: string },
): Promise<LetterWithNames[]> {
  return selectLetters(db)
    .where('service_letters.user_id', '=', userId)
    .where('service_letters.withdrawn_at', 'is', null)
    .where('service_letters.start_date', '<=', endDate as LetterWithNames['start_date'])
    .where('service_letters.end_date', '>=', startDate as LetterWithNames['end_date'])
    .execute();
}

/** Returns schools by name, with their settings for letters. */
export function findLetterSchools(db: Db, ids: readonly number[]): Promise<LetterSchool[]> {
  return db
    .selectFrom('schools')
    .select([
      'id',
      translatedName('schools').as('name'),
      'letter_signer as signer',
      'letter_title as title',
      'letter_wording as wording',
    ])
    .where('id', 'in', [...ids])
    .orderBy('name_key')
    .orderBy('id')
    .execute();
}

/** Returns a school's logo. */
export function findSchoolLogo(db: Db, schoolId: number) {
  return db
    .selectFrom('school_logos')
    .select(['type', 'content'])
    .where('school_id', '=', schoolId)
    .executeTakeFirst();
}

/** Returns the letters of a user, for their data export. */
export function listLettersOf(db: Db, userId: number) {
  return db
    .selectFrom('service_letters')
    .select([
      'code',
      'school',
      'start_date as startDate',
      'end_date as endDate',
      'hours_hundredths',
      'issued_at as issuedAt',
      'withdrawn_at as withdrawnAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Deletes the names in the letters about a user. */
export async function clearLetterNames(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('service_letter_names').where('user_id', '=', userId).execute();
}

/** Deletes a user's links to letter files. */
export async function deleteFileLinksOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('service_letter_files').where('user_id', '=', userId).execute();
}

function selectLetters(db: Db) {
  return db
    .selectFrom('service_letters')
    .leftJoin('service_letter_names', 'service_letter_names.letter_id', 'service_letters.id')
    .leftJoin('users', 'users.id', 'service_letters.user_id')
    .selectAll('service_letters')
    .select(['service_letter_names.first_name', 'service_letter_names.last_name'])
    .select(['users.first_name as present_first_name', 'users.last_name as present_last_name']);
}

/** Selects the hours of a letter: a user's hours in a period, at some schools or, if null, at all. */
export type CountedHoursQuery = Readonly<{
  userId: number;
  schoolIds: readonly number[] | null;
  startDate: CalendarDate;
  endDate: CalendarDate;
}>;

/** A user's hours on one day for one activity. */
export type HoursLine = Readonly<{
  date: CalendarDate;
  activity_id: number;
  activity: string;
  school_id: number;
  school: string;
  /** Whether the school verifies hours; then only verified ones count. */
  verification: 'off' | 'on';
  hundredths: number;
}>;

/** Returns the hours that count for a letter, by day and activity: verified ones at schools that verify, else all. */
export async function listCountedHours(
  db: Db,
  { userId, schoolIds, startDate, endDate }: CountedHoursQuery,
): Promise<HoursLine[]> {
  const there =
    schoolIds === null
      ? sql`1 = 1`
      : schoolIds.length === 0
        ? sql`1 = 0`
        : sql`time_entries.school_id in (${sql.join([...schoolIds])})`;
  const { rows } = await sql<HoursLine>`
    select sums.entry_date as date, sums.activity_id, ${translatedName('activities')} as activity, sums.school_id,
      ${translatedName('schools')} as school, schools.verification as verification, sums.hundredths
    from (select entry_date, activity_id, time_entries.school_id,
        sum(case when schools.verification = 'on' then counted_hundredths else hours_hundredths end) as hundredths
      from time_entries join schools on schools.id = time_entries.school_id
      where user_id = ${userId} and deleted_at is null
        and entry_date >= ${startDate} and entry_date <= ${endDate} and ${there}
        and (schools.verification = 'off' or time_entries.verification = 'verified')
      group by entry_date, activity_id, time_entries.school_id) as sums
    join activities on activities.id = sums.activity_id
    join schools on schools.id = sums.school_id
    where sums.hundredths > 0
    order by sums.entry_date, schools.name_key, activities.name_key, sums.activity_id, sums.school_id`.execute(
    db,
  );
  return rows;
}
