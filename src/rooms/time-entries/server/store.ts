import { type RawBuilder, sql } from 'kysely';
import { addDays, type CalendarDate, day, type Instant } from '#base/calendar-date.ts';
import { fromHundredths, toHundredths } from '#base/hours.ts';
import { ACTIVITY_REF_COLUMNS, type ActivityRefRow, toActivityRef } from '#rooms/activities/activity-ref.ts';
import type { ActivityRef } from '#rooms/activities/contract.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import { held, holding } from '#server/db/lock.ts';
import type { Page } from '#server/db/page.ts';
import { inSchools } from '#server/db/scope.ts';
import type { SchoolScope, Viewer } from '#server/http/viewer.ts';
import { canChangeEntry, type TimeEntry } from '../contract.ts';

/** Whose entries: in these schools, and only this person's when one is named. */
export type EntryScope = Readonly<{ schools: SchoolScope; userId: number | undefined }>;

/** What an entry is made of; `hours` with at most two decimals. */
export type NewEntry = Readonly<{
  userId: number;
  schoolId: number;
  activityId: number;
  hours: number;
  entryDate: CalendarDate;
  notes: string | null;
  at: Instant;
}>;

/** A page of entries that are not deleted, latest day first; one more than the page's limit, to see if more come. */
export async function listEntries(
  db: Db,
  viewer: Viewer,
  scope: EntryScope,
  page: Page,
): Promise<TimeEntry[]> {
  const after = page.after === undefined ? sql`` : sql`and (entry_date, id) < (${sql.join([...page.after])})`;
  const rows = await showLatest(db, sql`${live(scope)} ${after}`, page.limit + 1);
  return rows.map((row) => toEntry(viewer, row));
}

/** The last entries of one activity. */
export async function listRecentOf(
  db: Db,
  viewer: Viewer,
  scope: EntryScope,
  activityId: number,
  limit: number,
): Promise<TimeEntry[]> {
  const rows = await showLatest(db, sql`${live(scope)} and activity_id = ${activityId}`, limit);
  return rows.map((row) => toEntry(viewer, row));
}

/** Hours since a day by activity, most hours first; exact, in hours. Everybody's are added up by month already. */
export async function sumByActivity(
  db: Db,
  scope: EntryScope,
  since: CalendarDate,
): Promise<{ activityId: number; totalHours: number }[]> {
  const parts =
    scope.userId === undefined ? everybodysHours(scope.schools, since) : [entriesFrom(scope, since)];
  const { rows } = await sql<{ activity_id: number; hundredths: number }>`
    select activity_id, sum(hours_hundredths) as hundredths from (${sql.join(parts, sql` union all `)}) as logged
    group by activity_id having sum(hours_hundredths) > 0 order by hundredths desc, activity_id`.execute(db);
  return rows.map((row) => ({ activityId: row.activity_id, totalHours: fromHundredths(row.hundredths) }));
}

// Whole months from the sums, and of a month that has begun before, its entries.
function everybodysHours(schools: SchoolScope, since: CalendarDate): RawBuilder<unknown>[] {
  const month = firstOfMonth(since);
  const whole = month === since ? since : firstOfMonth(addDays(month, 31));
  const sums = sql`select activity_id, hours_hundredths from month_sums
    where month >= ${whole} and ${inSchools('school_id', schools)}`;
  return whole === since ? [sums] : [sums, entriesFrom({ schools, userId: undefined }, since, whole)];
}

function entriesFrom({ schools, userId }: EntryScope, since: CalendarDate, before?: CalendarDate) {
  return sql`select activity_id, hours_hundredths from time_entries
    where deleted_at is null and ${inSchools('school_id', schools)} and entry_date >= ${since}
    ${before === undefined ? sql`` : sql`and entry_date < ${before}`}
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}`;
}

function firstOfMonth(date: CalendarDate): CalendarDate {
  return day(`${date.slice(0, 8)}01`);
}

/** An entry that is not deleted, within a scope, or nothing. */
export async function findEntry(
  db: Db,
  viewer: Viewer,
  scope: EntryScope,
  id: number,
): Promise<TimeEntry | undefined> {
  const [row] = await shown(db, one(id, scope));
  return row === undefined ? undefined : toEntry(viewer, row);
}

/** The same, held against changes by others until the transaction ends. */
export async function findHeldEntry(
  trx: Trx,
  viewer: Viewer,
  scope: EntryScope,
  id: number,
): Promise<TimeEntry | undefined> {
  const look = async () => (await shown(trx, one(id, scope), holding(trx, 'time_entries')))[0];
  // Who waited for somebody that moved it to another activity found it with the names of the one before: once more.
  const row = (await look()) ?? (await look());
  return row === undefined ? undefined : toEntry(viewer, row);
}

function one(id: number, scope: EntryScope): RawBuilder<unknown> {
  return sql`time_entries.id = ${id} and ${live(scope)}`;
}

/** These entries, by id: for an administrator who has just added them. */
export async function findEntries(trx: Trx, viewer: Viewer, ids: readonly number[]): Promise<TimeEntry[]> {
  const rows = await showEntries(trx, sql`(${sql.join([...ids])})`, sql`time_entries.id`);
  return rows.map((row) => toEntry(viewer, row));
}

/** Holds an entry's row against changes by others until the transaction ends; whether it was deleted, and by whom. */
export function holdEntry(trx: Trx, id: number) {
  return held(
    trx,
    trx
      .selectFrom('time_entries')
      .select(['id', 'user_id', 'school_id', 'version', 'deleted_at', 'deleted_by'])
      .where('id', '=', id),
  ).executeTakeFirst();
}

/** What the database adds to a new entry: its id, its version, and the names that are shown with it. */
export type AddedRow = Readonly<{
  id: number;
  version: number;
  school_name: string;
  first_name: string;
  last_name: string;
}>;

/** The statement that adds an entry. */
export function addingEntry(entry: NewEntry): RawBuilder<AddedRow> {
  return sql`insert into time_entries
      (user_id, school_id, activity_id, hours_hundredths, entry_date, notes, created_at)
    values (${entry.userId}, ${entry.schoolId}, ${entry.activityId}, ${toHundredths(entry.hours)},
      ${entry.entryDate}, ${entry.notes}, ${entry.at})
    returning id, version, (select name from schools where id = school_id) as school_name,
      (select first_name from users where id = user_id) as first_name,
      (select last_name from users where id = user_id) as last_name`;
}

/** The entry that `addingEntry` added, for an activity that was just read. */
export function addedEntry(
  viewer: Viewer,
  added: AddedRow,
  entry: NewEntry,
  activity: ActivityRef,
): TimeEntry {
  const row = {
    ...added,
    user_id: entry.userId,
    school_id: entry.schoolId,
    hours_hundredths: toHundredths(entry.hours),
    entry_date: entry.entryDate,
    notes: entry.notes,
    created_at: entry.at,
  };
  return entryOf(viewer, row, activity);
}

/** Adds entries in one statement; answers their ids in ascending order. */
export async function insertEntries(trx: Trx, entries: readonly NewEntry[]): Promise<number[]> {
  const rows = await trx
    .insertInto('time_entries')
    .values(
      entries.map((entry) => ({
        user_id: entry.userId,
        school_id: entry.schoolId,
        activity_id: entry.activityId,
        hours_hundredths: toHundredths(entry.hours),
        entry_date: entry.entryDate,
        notes: entry.notes,
        created_at: entry.at,
        deleted_at: null,
        deleted_by: null,
      })),
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id).sort((a, b) => a - b);
}

/** The statement that changes an entry. */
export function changingEntry(
  id: number,
  entry: Pick<NewEntry, 'schoolId' | 'activityId' | 'hours' | 'entryDate' | 'notes'>,
): RawBuilder<{ id: number }> {
  return sql`update time_entries set school_id = ${entry.schoolId}, activity_id = ${entry.activityId},
      hours_hundredths = ${toHundredths(entry.hours)}, entry_date = ${entry.entryDate}, notes = ${entry.notes},
      version = version + 1
    where id = ${id} returning id`;
}

/** Marks an entry deleted, or brings it back when `deleted` is null. */
export async function markDeleted(
  trx: Trx,
  id: number,
  deleted: { at: Instant; by: number } | null,
): Promise<void> {
  await trx
    .updateTable('time_entries')
    .set((eb) => ({
      deleted_at: deleted?.at ?? null,
      deleted_by: deleted?.by ?? null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** A row as `showEntries` answers it. */
export type ShownRow = ActivityRefRow &
  Readonly<{
    id: number;
    hours_hundredths: number;
    entry_date: CalendarDate;
    notes: string | null;
    created_at: Instant;
    version: number;
    school_id: number;
    school_name: string;
    user_id: number;
    first_name: string;
    last_name: string;
    sort_key: string;
    activity_key: string;
  }>;

// As a text and not built: building and compiling it took as long as the database takes to answer it.
const SHOWN =
  sql.raw(`select time_entries.id, time_entries.hours_hundredths, time_entries.entry_date, time_entries.notes,
    time_entries.created_at, time_entries.version, time_entries.school_id, schools.name as school_name,
    users.id as user_id, users.first_name, users.last_name, users.sort_key, activities.name_key as activity_key,
    ${ACTIVITY_REF_COLUMNS.join(', ')}
  from time_entries
  join activities on activities.id = time_entries.activity_id
  join categories on categories.id = activities.category_id
  join schools on schools.id = time_entries.school_id
  join users on users.id = time_entries.user_id`);

/**
 * Entries whose ids are in a list or a query, with what is shown of them. The ids of a page are cut before the names
 * are joined, so that no engine joins the whole table first.
 */
export async function showEntries(
  db: Db,
  ids: RawBuilder<unknown>,
  order?: RawBuilder<unknown>,
): Promise<readonly ShownRow[]> {
  return shown(db, sql`time_entries.id in ${ids}`, order === undefined ? sql`` : sql`order by ${order}`);
}

async function shown(
  db: Db,
  where: RawBuilder<unknown>,
  end: RawBuilder<unknown> = sql``,
): Promise<readonly ShownRow[]> {
  const { rows } = await sql<ShownRow>`${SHOWN} where ${where} ${end}`.execute(db);
  return rows;
}

function showLatest(db: Db, where: RawBuilder<unknown>, limit: number): Promise<readonly ShownRow[]> {
  const ids = sql`(select id from time_entries where ${where} order by entry_date desc, id desc limit ${limit})`;
  return showEntries(db, ids, LATEST_FIRST);
}

const LATEST_FIRST = sql.raw('time_entries.entry_date desc, time_entries.id desc');

function live({ schools, userId }: EntryScope): RawBuilder<unknown> {
  const own = userId === undefined ? sql`` : sql`and time_entries.user_id = ${userId}`;
  return sql`time_entries.deleted_at is null and ${inSchools('time_entries.school_id', schools)} ${own}`;
}

/** A row as a `TimeEntry`. */
export function toEntry(viewer: Viewer, row: ShownRow): TimeEntry {
  return entryOf(viewer, row, toActivityRef(row));
}

// The one place where a row and its activity become a `TimeEntry`.
function entryOf(
  viewer: Viewer,
  row: Omit<ShownRow, keyof ActivityRefRow | 'sort_key' | 'activity_key'>,
  activity: ActivityRef,
): TimeEntry {
  const mayChange = canChangeEntry(viewer, row.user_id);
  return {
    id: row.id,
    activityId: activity.id,
    activity,
    hours: fromHundredths(row.hours_hundredths),
    entryDate: row.entry_date,
    notes: row.notes,
    createdAt: row.created_at,
    schoolId: row.school_id,
    school: { id: row.school_id, name: row.school_name },
    user: { id: row.user_id, firstName: row.first_name, lastName: row.last_name },
    version: row.version,
    canEdit: mayChange,
    canDelete: mayChange,
  };
}
