import { type RawBuilder, sql } from 'kysely';
import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { afterName, type Page } from '#server/db/queries/pagination.ts';
import {
  forEachLanguageSql,
  matchesNames,
  type NameFilter,
  sortByTranslatedName,
  translatedActivityColumns,
  translatedActivitySql,
  translatedName,
} from '#server/db/queries/translated-name.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import { currentNameLanguage } from '#server/i18n/locale.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { nameKeys, translatedText } from '#shared/content-translations.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf, withoutFields } from '#shared/entity-fields.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { ACTIVITY_FIELDS } from '../activity-fields.ts';
import { ACTIVITY_REF_COLUMNS, type ActivityRefRow, toActivityRef } from '../activity-ref.ts';
import type { ActivityRef, AdminActivity, VerifiedBy, VolunteerActivity } from '../contract.ts';

/** The fields a user fills in. The school is set at creation. */
export type ActivityText = ValuesOf<typeof CHANGEABLE>;

const CHANGEABLE = withoutFields(ACTIVITY_FIELDS, 'schoolId');

/**
 * Returns every activity of the schools in the reader's language, by name, inactive ones included. `first` is the district's
 * first language, in which original names are stored.
 */
export async function listAllActivities(
  db: Db,
  schools: SchoolScope,
  first: Language,
): Promise<VolunteerActivity[]> {
  const { rows } = await sql<ActivityRow>`${readList(db)} where ${inSchools('activities.school_id', schools)}
    order by activities.name_key, activities.id`.execute(db);
  return sortByTranslatedName(rows.map((row) => toVolunteerActivity(toActivity(row), first)));
}

/** Returns the schools that lock hours before a fixed date or after a number of days. */
export async function findClosingSchools(db: Db, schools: SchoolScope) {
  const { rows } = await sql<ClosingSchool>`${closing()} and ${inSchools('id', schools)}
    order by name_key`.execute(db);
  return rows;
}

type ClosingSchool = Readonly<{
  id: number;
  name: string;
  closedBefore: CalendarDate | null;
  lateAfterDays: number | null;
}>;

const closing = forEachLanguageSql((translated) =>
  sql.raw(`select id, ${translated('schools', 'name')} as name, closed_before as "closedBefore",
      late_after_days as "lateAfterDays"
    from schools where (closed_before is not null or late_after_days is not null)`),
);

/** Returns a page of activities by name, plus one row that shows whether there are more. */
export async function pageOfActivities(db: Db, filter: NameFilter, page: Page): Promise<AdminActivity[]> {
  const rows = await selectActivities(db)
    .where(matchesNames('activities', filter))
    .where(afterName('activities', page))
    .orderBy('activities.name_key')
    .orderBy('activities.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toActivity);
}

/** Returns an activity of these schools, or undefined. */
export async function findActivity(
  db: Db,
  schools: SchoolScope,
  id: number,
): Promise<AdminActivity | undefined> {
  const row = await selectActivities(db)
    .where('activities.id', '=', id)
    .where(inSchools('activities.school_id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : toActivity(row);
}

/** Returns the activities of these schools that have one of these folded names in the first language. */
export async function findActivitiesByName(
  db: Db,
  schools: SchoolScope,
  keys: readonly string[],
): Promise<AdminActivity[]> {
  const rows = await collect(keys, (some) =>
    selectActivities(db)
      .where('activities.name_key', 'in', some)
      .where(inSchools('activities.school_id', schools))
      .orderBy('activities.id')
      .execute(),
  );
  return rows.map(toActivity);
}

/** Returns the ids and folded names of a school's activities. */
export function listNameKeys(db: Db, schoolId: number) {
  return db
    .selectFrom('activities')
    .select(['id', 'name_key as nameKey'])
    .where('school_id', '=', schoolId)
    .execute();
}

/** Returns an activity of these schools as an `ActivityRef` with its school, or undefined. */
export async function findActivityFor(
  db: Db,
  schools: SchoolScope,
  id: number,
): Promise<(ActivityRef & { schoolId: number }) | undefined> {
  const row = await db
    .selectFrom('activities')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .select(translatedActivityColumns())
    .select('activities.school_id')
    .where('activities.id', '=', id)
    .where(inSchools('activities.school_id', schools))
    .executeTakeFirst();
  return row === undefined ? undefined : { ...toActivityRef(row), schoolId: row.school_id };
}

/**
 * The rules for an activity's hours: how they are verified, and the day from which volunteers can log them (beyond section 1).
 */
export type Terms = Readonly<{
  school: Readonly<{ name: string; isVerifying: boolean }>;
  verifiedBy: VerifiedBy;
  outsideVerifier: string | null;
  closedBefore: CalendarDate | null;
  lateAfterDays: number | null;
}>;

/** Returns an activity like `findActivityFor`, with its terms for logging hours. */
export async function findActivityToLogFor(
  db: Db,
  schools: SchoolScope,
  id: number,
): Promise<(ActivityRef & { schoolId: number; terms: Terms }) | undefined> {
  // Raw SQL, because it runs for every logged entry, which takes about 1,000 us. Building this query takes 32 us with the query
  // builder and 6 us as text.
  const { rows } = await sql<ActivityRefRow & TermsRow>`
    select ${sql.raw(translatedActivitySql())}, ${sql.raw(TERMS.join(', '))}, ${translatedName('schools')} as school_name
    from activities join categories on categories.id = activities.category_id
    join schools on schools.id = activities.school_id
    where activities.id = ${id} and ${inSchools('activities.school_id', schools)}`.execute(db);
  const [row] = rows;
  return row === undefined
    ? undefined
    : { ...toActivityRef(row), schoolId: row.school_id, terms: toTerms(row) };
}

/** Returns the terms of an existing activity. */
export async function findTerms(db: Db, id: number): Promise<Terms> {
  const row = await db
    .selectFrom('activities')
    .innerJoin('schools', 'schools.id', 'activities.school_id')
    .select(TERMS)
    .select(translatedName('schools').as('school_name'))
    .where('activities.id', '=', id)
    .executeTakeFirstOrThrow();
  return toTerms(row);
}

const TERMS = [
  'activities.school_id',
  'activities.verification',
  'activities.external_verifier',
  'schools.verification as school_verification',
  'schools.closed_before',
  'schools.late_after_days',
] as const;

type TermsRow = Readonly<{
  school_id: number;
  verification: VerifiedBy;
  external_verifier: string | null;
  school_name: string;
  school_verification: 'off' | 'on';
  closed_before: CalendarDate | null;
  late_after_days: number | null;
}>;

function toTerms(row: TermsRow): Terms {
  return {
    school: { name: row.school_name, isVerifying: row.school_verification === 'on' },
    verifiedBy: row.verification,
    outsideVerifier: row.external_verifier,
    closedBefore: row.closed_before,
    lateAfterDays: row.late_after_days,
  };
}

/** Inserts an activity. Returns its id. A foreign-key violation means the category was deleted. */
export async function insertActivity(
  trx: Trx,
  activity: ValuesOf<typeof ACTIVITY_FIELDS> & { at: Instant },
): Promise<number> {
  const { id } = await trx
    .insertInto('activities')
    .values({ ...toColumns(ACTIVITY_FIELDS, activity), ...nameKeys(activity), created_at: activity.at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts a batch of activities and returns them. A foreign-key violation means a category was deleted. */
export async function insertActivities(
  trx: Trx,
  activities: readonly ValuesOf<typeof ACTIVITY_FIELDS>[],
  { batchId, at }: { batchId: number; at: Instant },
): Promise<AdminActivity[]> {
  await inChunks(activities, (some) =>
    trx
      .insertInto('activities')
      .values(
        some.map((activity) => ({
          ...toColumns(ACTIVITY_FIELDS, activity),
          ...nameKeys(activity),
          created_at: at,
          batch_id: batchId,
        })),
      )
      .execute(),
  );
  return listBatchActivities(trx, batchId);
}

/** Returns the remaining activities of a batch, by name. */
export async function listBatchActivities(trx: Trx, batchId: number): Promise<AdminActivity[]> {
  const rows = await selectActivities(trx)
    .where('activities.batch_id', '=', batchId)
    .orderBy('activities.name_key')
    .orderBy('activities.id')
    .execute();
  return rows.map(toActivity);
}

/** Deletes unreferenced activities. A foreign-key violation means that one of them is referenced. */
export async function deleteUnusedActivities(trx: Trx, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (some) => trx.deleteFrom('activities').where('id', 'in', some).execute());
}

/** Updates an activity. A foreign-key violation means the category was deleted. */
export async function updateActivity(trx: Trx, id: number, activity: ActivityText): Promise<void> {
  await trx
    .updateTable('activities')
    .set((eb) => ({
      ...toColumns(CHANGEABLE, activity),
      ...nameKeys(activity),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/**
 * Deletes an activity with its deleted entries and photos. These belong to other features, but must not refer to a missing
 * activity. Returns the ids of the deleted entries and photos. A foreign-key violation means that entries or photos that are
 * not deleted refer to the activity.
 */
export async function deleteActivity(
  trx: Trx,
  id: number,
): Promise<{ timeEntries: number[]; photos: number[] }> {
  const entries = await trx
    .deleteFrom('time_entries')
    .where('activity_id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .execute();
  const photos = await trx
    .deleteFrom('photos')
    .where('activity_id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .execute();
  await trx.deleteFrom('activities').where('id', '=', id).execute();
  return { timeEntries: entries.map((entry) => entry.id), photos: photos.map((photo) => photo.id) };
}

function selectActivities(db: Db) {
  return db
    .selectFrom('activities')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .leftJoin('activity_sums', 'activity_sums.activity_id', 'activities.id')
    .select(ACTIVITY_REF_COLUMNS)
    .select((eb) => [
      ...columnsIn('activities', ACTIVITY_FIELDS),
      'activities.created_at',
      'activities.version',
      'activity_sums.entries as time_entries',
      eb
        .selectFrom('photos')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('photos.activity_id', '=', 'activities.id')
        .where('photos.deleted_at', 'is', null)
        .as('photos'),
    ]);
}

// Cached per language, because every page load runs it and building it takes as long as executing it.
function readList(db: Db): RawBuilder<unknown> {
  const cached = readLists();
  cached.text ??= selectActivities(db).select(translatedName('categories').as('category_name')).compile().sql;
  return sql.raw(cached.text);
}

const readLists = forEachLanguageSql((): { text?: string } => ({}));

type ActivityRow = Awaited<ReturnType<ReturnType<typeof selectActivities>['execute']>>[number];

function toActivity(row: ActivityRow): AdminActivity {
  return {
    ...toActivityRef(row),
    ...fromColumns(ACTIVITY_FIELDS, row),
    createdAt: row.created_at,
    version: row.version,
    counts: { timeEntries: row.time_entries ?? 0 },
    photoCount: row.photos ?? 0,
  };
}

// Picks the reader's language and adds the original name if it differs.
function toVolunteerActivity(
  { translations, ...activity }: AdminActivity,
  first: Language,
): VolunteerActivity {
  const language = currentNameLanguage();
  const { name, description, descriptionPrompt } = activity;
  const texts = {
    name: translatedText(language, 'name', name, translations),
    description: translatedText(language, 'description', description, translations),
    descriptionPrompt: translatedText(language, 'descriptionPrompt', descriptionPrompt, translations),
  };
  const isForeign = language !== first && description !== null && texts.description === description;
  return {
    ...activity,
    ...texts,
    ...(texts.name === name ? {} : { originalName: name }),
    ...(isForeign ? { descriptionLanguage: first } : {}),
  };
}
