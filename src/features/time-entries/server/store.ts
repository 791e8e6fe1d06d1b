import { type RawBuilder, sql } from 'kysely';
import { type ActivityRefRow, toActivityRef } from '#features/activities/activity-ref.ts';
import type { ActivityRef } from '#features/activities/contract.ts';
import { type Actor, type AuditEvent, recordEvent } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { forEachLanguageSql, translatedActivitySql } from '#server/db/queries/translated-name.ts';
import { forUpdate, lockRowsSql } from '#server/db/row-locks.ts';
import { NO_DECISION } from '#server/entry-decisions-store.ts';
import { canAt, type SchoolScope, type Viewer } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import {
  type ColumnsOf,
  columnNames,
  type Fields,
  fromColumns,
  publicFields,
  toColumns,
  type ValuesOf,
  withoutFields,
} from '#shared/entity-fields.ts';
import type { TimeEntry } from '../contract.ts';
import { ENTRY_FIELDS } from '../time-entry-fields.ts';
import type { Status } from '../verification-status.ts';
import {
  isLocked,
  type StateChange,
  VERIFICATION_COLUMNS,
  type VerificationColumns,
  verificationOf,
} from './verification-status-store.ts';

/**
 * A scope of entries: these schools and, with `userId`, only that user's entries there; in addition everyone's
 * entries at the schools in `everyonesAt`.
 */
export type EntryScope = Readonly<{
  schools: SchoolScope;
  userId: number | undefined;
  everyonesAt?: SchoolScope;
}>;

/** The fields of an entry, as they are on the wire; `hours` with at most two decimals. */
export type EntryValues = ValuesOf<typeof ENTRY_FIELDS>;

/** A new entry with its creation time and the external verifier that the volunteer named, if any. */
export type NewEntry = EntryValues & Readonly<{ at: Instant; outsideVerifier?: string | null }>;

/** The fields that a change can set: all except the owner. */
const CHANGEABLE = withoutFields(ENTRY_FIELDS, 'userId');
const CHANGEABLE_BY_ALL = publicFields(CHANGEABLE);

/** An entry within a scope that is not deleted, or undefined. */
export async function findEntry(
  db: Db,
  viewer: Viewer,
  scope: EntryScope,
  id: number,
): Promise<TimeEntry | undefined> {
  const [row] = await selectEntries(db, matchesEntry(id, scope));
  return row === undefined ? undefined : toEntry(viewer, row);
}

/** Finds an entry like `findEntry`, and locks its row until the transaction ends. */
export async function findAndLockEntry(
  trx: Trx,
  viewer: Viewer,
  scope: EntryScope,
  id: number,
): Promise<TimeEntry | undefined> {
  const findRow = async () =>
    (await selectEntries(trx, matchesEntry(id, scope), lockRowsSql(trx, 'time_entries')))[0];
  // If a concurrent change moved the entry to another activity while this query waited for the lock, its join finds
  // no row, but the second query does.
  const row = (await findRow()) ?? (await findRow());
  return row === undefined ? undefined : toEntry(viewer, row);
}

function matchesEntry(id: number, scope: EntryScope): RawBuilder<unknown> {
  return sql`time_entries.id = ${id} and ${matchesEntryScope(scope)}`;
}

/** Returns entries by id, without checking the viewer's scope. */
export async function findEntries(trx: Trx, viewer: Viewer, ids: readonly number[]): Promise<TimeEntry[]> {
  const rows = await loadEntries(trx, sql`(${sql.join([...ids])})`, sql`time_entries.id`);
  return rows.map((row) => toEntry(viewer, row));
}

/** Locks an entry's row until the transaction ends; returns it with when and by whom it was deleted. */
export function lockEntry(trx: Trx, id: number) {
  return forUpdate(
    trx,
    trx
      .selectFrom('time_entries')
      .select(['id', 'user_id', 'school_id', 'version', 'deleted_at', 'deleted_by'])
      .where('id', '=', id),
  ).executeTakeFirst();
}

/** Locks the entries among these that are not deleted until the transaction ends; returns their ids and versions. */
export function lockLiveEntries(trx: Trx, ids: readonly number[]) {
  return forUpdate(
    trx,
    trx
      .selectFrom('time_entries')
      .select(['id', 'version'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .orderBy('id'),
  ).execute();
}

/** An audit event of a write that returns the row's id. */
type NewAuditEvent = Omit<AuditEvent, 'subjectId'>;

/** The columns that the database returns for a new entry: its id, version and status, and the names shown with it. */
export type AddedRow = Readonly<{
  id: number;
  version: number;
  school_name: string;
  first_name: string;
  last_name: string;
  verification: Status | null;
}>;

const addedNames = forEachLanguageSql((shown) => [
  sql<string>`(select ${sql.raw(shown('schools', 'name'))} from schools where id = school_id)`.as(
    'school_name',
  ),
  sql<string>`(select first_name from users where id = user_id)`.as('first_name'),
  sql<string>`(select last_name from users where id = user_id)`.as('last_name'),
]);

/** Adds an entry and its audit event. */
export async function addEntry(
  trx: Trx,
  entry: NewEntry,
  actor: Actor,
  event: NewAuditEvent,
): Promise<AddedRow> {
  const row = await trx
    .insertInto('time_entries')
    .values(newRow(entry))
    .returning(['id', 'version', 'verification'])
    .returning(addedNames())
    .executeTakeFirstOrThrow();
  await recordEvent(trx, actor, { ...event, subjectId: row.id });
  return row;
}

function newRow({ at, outsideVerifier = null, ...entry }: NewEntry) {
  return {
    ...toColumns(ENTRY_FIELDS, entry),
    created_at: at,
    verification: initialState(entry.schoolId),
    external_verifier: outsideVerifier,
  };
}

/**
 * The initial status of an entry, as a subquery of its insert; null if the school does not verify hours. Turning verification
 * on at a school waits for concurrent inserts.
 */
export function initialState(schoolId: number): RawBuilder<Status | null> {
  return sql`(select case verification when 'on' then 'waiting' end from schools where id = ${schoolId})`;
}

/** Builds the entry that `addEntry` added from its row and the activity, which was just read. */
export function toAddedEntry(
  viewer: Viewer,
  row: AddedRow,
  entry: NewEntry,
  activity: ActivityRef,
): TimeEntry {
  const school_verification = row.verification === null ? 'off' : 'on';
  const unverified = { ...NO_DECISION, decided_name: null };
  const whole = { ...toColumns(ENTRY_FIELDS, entry), ...unverified, ...row, school_verification } as const;
  return toTimeEntry(viewer, { ...whole, created_at: entry.at }, activity);
}

/** Adds entries in one statement; returns their ids in ascending order. */
export async function insertEntries(
  trx: Trx,
  entries: readonly NewEntry[],
): Promise<{ id: number; userId: number }[]> {
  const rows = await trx
    .insertInto('time_entries')
    .values(entries.map(newRow))
    .returning(['id', 'user_id as userId'])
    .execute();
  return rows.sort((a, b) => a.id - b.id);
}

/**
 * Changes the verification of a locked entry and the fields that the viewer may set, and audits the change. Does not check
 * access to the entry.
 */
export async function changeEntry(
  trx: Trx,
  { viewer, id, state }: { viewer: Viewer; id: number; state: StateChange },
  entry: EntryValues,
  actor: Actor,
  event: NewAuditEvent,
): Promise<void> {
  const fields = canAt(viewer, 'edit entries', entry.schoolId) ? CHANGEABLE : CHANGEABLE_BY_ALL;
  await trx
    .updateTable('time_entries')
    .set((eb) => ({ ...toColumns<Fields>(fields, entry), ...state, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await recordEvent(trx, actor, { ...event, subjectId: id });
}

/** Marks entries deleted, or restores them when `deleted` is null. */
export async function markDeleted(
  trx: Trx,
  ids: readonly number[],
  deleted: { at: Instant; by: number | null } | null,
): Promise<void> {
  await trx
    .updateTable('time_entries')
    .set((eb) => ({
      deleted_at: deleted?.at ?? null,
      deleted_by: deleted?.by ?? null,
      version: eb('version', '+', 1),
    }))
    .where('id', 'in', ids)
    .execute();
}

/** A row that `loadEntries` returns. */
export type LoadedEntryRow = ActivityRefRow &
  ColumnsOf<typeof ENTRY_FIELDS> &
  VerificationColumns &
  Readonly<{
    id: number;
    created_at: Instant;
    version: number;
    school_name: string;
    first_name: string;
    last_name: string;
    school_verification: 'off' | 'on';
    sort_key: string;
    activity_key: string;
  }>;

// The activity's columns include its id.
const OWN_COLUMNS = columnNames(withoutFields(ENTRY_FIELDS, 'activityId')).map(
  (column) => `time_entries.${column}`,
);

// Raw SQL: building and compiling the query took as long as running it.
const shownColumns = forEachLanguageSql((shown) =>
  sql.raw(`select time_entries.id, ${OWN_COLUMNS.join(', ')}, time_entries.created_at, time_entries.version,
    ${shown('schools', 'name')} as school_name, schools.verification as school_verification, ${VERIFICATION_COLUMNS},
    users.first_name, users.last_name, users.sort_key,
    activities.name_key as activity_key, ${translatedActivitySql()}
  from time_entries
  join activities on activities.id = time_entries.activity_id
  join categories on categories.id = activities.category_id
  join schools on schools.id = time_entries.school_id
  join users on users.id = time_entries.user_id`),
);

/**
 * The entries with these ids, joined with their names. `ids` is a list or a subquery, which limits the entries before the
 * join so that no engine joins the whole table first.
 */
export async function loadEntries(
  db: Db,
  ids: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<readonly LoadedEntryRow[]> {
  return selectEntries(db, sql`time_entries.id in ${ids}`, sql`order by ${order}`);
}

async function selectEntries(
  db: Db,
  where: RawBuilder<unknown>,
  end: RawBuilder<unknown> = sql``,
): Promise<readonly LoadedEntryRow[]> {
  const { rows } = await sql<LoadedEntryRow>`${shownColumns()} where ${where} ${end}`.execute(db);
  return rows;
}

/** The condition that an entry is within the scope and not deleted. */
export function matchesEntryScope({ schools, userId, everyonesAt }: EntryScope): RawBuilder<unknown> {
  const own = userId === undefined ? sql`` : sql`and time_entries.user_id = ${userId}`;
  const visible = sql`${inSchools('time_entries.school_id', schools)} ${own}`;
  if (everyonesAt === undefined || everyonesAt.length === 0)
    return sql`time_entries.deleted_at is null and ${visible}`;
  return sql`time_entries.deleted_at is null
    and ((${visible}) or ${inSchools('time_entries.school_id', everyonesAt)})`;
}

/** A row as a `TimeEntry`. */
export function toEntry(viewer: Viewer, row: LoadedEntryRow): TimeEntry {
  return toTimeEntry(viewer, row, toActivityRef(row));
}

// All mapping of rows to `TimeEntry` goes through here.
function toTimeEntry(
  viewer: Viewer,
  row: Omit<LoadedEntryRow, keyof ActivityRefRow | 'sort_key' | 'activity_key'> & { activity_id: number },
  activity: ActivityRef,
): TimeEntry {
  const isOwn = row.user_id === viewer.userId && viewer.schoolIds.includes(row.school_id);
  const verification = verificationOf(row, canAt(viewer, 'see entries', row.school_id));
  const mayChange = isLocked(viewer, { userId: row.user_id, schoolId: row.school_id, verification })
    ? false
    : isOwn || canAt(viewer, 'edit entries', row.school_id);
  const { userId, ...values } = fromColumns(ENTRY_FIELDS, row, canAt(viewer, 'see entries', row.school_id));
  return {
    ...values,
    id: row.id,
    activity,
    createdAt: row.created_at,
    school: { id: row.school_id, name: row.school_name },
    user: { id: userId, firstName: row.first_name, lastName: row.last_name },
    version: row.version,
    canEdit: mayChange,
    canDelete: mayChange,
    verification,
    flags: null,
  };
}
