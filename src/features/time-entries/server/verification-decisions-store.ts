import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import { DECISION_COLUMNS, NO_DECISION, type StoredDecision } from '#server/entry-decisions-store.ts';
import type { SchoolScope, Viewer } from '#server/http/viewer.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import type { TimeEntry } from '../contract.ts';
import type { Flag } from '../entry-flags.ts';
import type { Status } from '../verification-status.ts';
import { hasFlag } from './entry-flags-store.ts';
import { loadEntries, toEntry } from './store.ts';

/** A filter of entries at schools that verify hours. */
export type VerificationQueueFilter = Readonly<{
  schools: SchoolScope;
  status: Status;
  activityId?: number | undefined;
  userId?: number | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  flag?: Flag | undefined;
  /** The district's time zone, which determines the day on which hours were logged. */
  timeZone: string;
}>;

/** The start of a page. Entries logged before `lateBefore` come first; each part is sorted by day, oldest first. */
export type VerificationQueueCursor = Readonly<{
  limit: number;
  lateBefore: Instant;
  /** The last row of the page before: whether it was late, its day and its id. */
  after: Readonly<{ isLate: boolean; date: CalendarDate; id: number }> | undefined;
}>;

/** A page of the queue, with one row more than the limit to show whether there is a next page. */
export async function readVerificationQueue(
  db: Db,
  viewer: Viewer,
  filter: VerificationQueueFilter,
  { limit, lateBefore, after }: VerificationQueueCursor,
): Promise<TimeEntry[]> {
  // Each part is read in index order, so the cost of a page does not depend on the number of waiting entries.
  const part = async (isLate: boolean, wanted: number) => {
    const age = isLate
      ? sql`and time_entries.created_at < ${lateBefore}`
      : sql`and time_entries.created_at >= ${lateBefore}`;
    const beyond =
      after?.isLate === isLate
        ? sql`and (time_entries.entry_date, time_entries.id) > (${after.date}, ${after.id})`
        : sql``;
    const ids = sql`(select time_entries.id ${matchesQueueFilter(db, filter)} ${age} ${beyond}
      order by time_entries.entry_date, time_entries.id limit ${wanted})`;
    return loadEntries(db, ids, sql`time_entries.entry_date, time_entries.id`);
  };
  const wanted = limit + 1;
  const late = after?.isLate === false ? [] : await part(true, wanted);
  const others = late.length < wanted ? await part(false, wanted - late.length) : [];
  return [...late, ...others].map((row) => toEntry(viewer, row));
}

/** The number of matching entries, and their logged hours in hundredths. */
export async function readVerificationQueueTotals(
  db: Db,
  filter: VerificationQueueFilter,
): Promise<{ total: number; hundredths: number }> {
  const { rows } = await sql<{ total: number; hundredths: number }>`
    select count(*) as total, coalesce(sum(time_entries.hours_hundredths), 0) as hundredths
    ${matchesQueueFilter(db, filter)}`.execute(db);
  return rows[0] ?? { total: 0, hundredths: 0 };
}

/** An entry in the version that the user saw; without a version, its current one. */
export type EntryVersion = Readonly<{ id: number; version: number | undefined }>;

/** The matching entries with their hours, at most `limit`, from one query and so consistent. */
export async function findVerificationQueueEntries(
  db: Db,
  filter: VerificationQueueFilter,
  limit: number,
): Promise<{ id: number; version: number; hundredths: number }[]> {
  const { rows } = await sql<{ id: number; version: number; hundredths: number }>`
    select time_entries.id, time_entries.version, time_entries.hours_hundredths as hundredths
    ${matchesQueueFilter(db, filter)} order by time_entries.id limit ${limit}`.execute(db);
  return rows;
}

function matchesQueueFilter(db: Db, filter: VerificationQueueFilter): RawBuilder<unknown> {
  const { activityId, userId, startDate, endDate, flag, timeZone } = filter;
  const joined =
    flag === undefined
      ? sql``
      : sql`join activities on activities.id = time_entries.activity_id
          join schools on schools.id = time_entries.school_id`;
  const conditions = [
    sql`time_entries.deleted_at is null and time_entries.verification = ${filter.status}`,
    sql`time_entries.school_id in (select verifying.id from schools as verifying
      where verifying.verification = 'on' and ${inSchools('verifying.id', filter.schools)})`,
    ...(activityId === undefined ? [] : [sql`time_entries.activity_id = ${activityId}`]),
    ...(userId === undefined ? [] : [sql`time_entries.user_id = ${userId}`]),
    ...(startDate === undefined ? [] : [sql`time_entries.entry_date >= ${startDate}`]),
    ...(endDate === undefined ? [] : [sql`time_entries.entry_date <= ${endDate}`]),
    ...(flag === undefined ? [] : [hasFlag({ db, timeZone }, flag)]),
  ];
  return sql`from time_entries ${joined} where ${sql.join(conditions, sql` and `)}`;
}

/** An entry locked for a decision. */
export type QueueRow = Awaited<ReturnType<typeof lockEntries>>[number];

/** Locks entries at these schools that are not deleted until the transaction ends; other ids have no row. */
export function lockEntries(trx: Trx, schools: readonly number[], ids: readonly number[]) {
  return forUpdate(
    trx,
    trx
      .selectFrom('time_entries')
      .select(['id', 'user_id', 'school_id', 'version', 'hours_hundredths', ...DECISION_COLUMNS])
      .where('id', 'in', ids)
      .where('school_id', 'in', schools)
      .where('deleted_at', 'is', null)
      .orderBy('id'),
  ).execute();
}

/** The names of users by id. */
export async function findNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`]));
}

/** The decision about entries. If `hundredths` is null, all logged hours count. */
export type EntryDecision =
  | Readonly<{ status: 'verified'; hundredths: number | null; note: string | null }>
  | Readonly<{ status: 'declined'; note: string }>
  | Readonly<{ status: 'waiting'; note: string | null }>;

/** Stores a decision about locked entries. */
export async function writeDecision(
  trx: Trx,
  ids: readonly number[],
  decided: EntryDecision,
  { by, at }: { by: number; at: Instant },
): Promise<void> {
  await trx
    .updateTable('time_entries')
    .set((eb) => ({
      ...NO_DECISION,
      verification: decided.status,
      decision_note: decided.note,
      version: eb('version', '+', 1),
      ...(decided.status === 'waiting'
        ? {}
        : { decided_by: by, decided_at: at, decided_version: eb.ref('version') }),
      ...(decided.status === 'verified'
        ? { counted_hundredths: decided.hundredths ?? eb.ref('hours_hundredths') }
        : {}),
    }))
    .where('id', 'in', ids)
    .execute();
}

/**
 * Restores the verification state of entries that still have this version, except those of user `exceptOf`. Returns
 * the restored entries with school and volunteer, by id.
 */
export async function restoreVerificationState(
  trx: Trx,
  { schools, exceptOf = 0 }: { schools: SchoolScope; exceptOf?: number },
  { ids, version, state }: { ids: readonly number[]; version: number; state: StoredDecision },
): Promise<{ id: number; schoolId: number; personId: number }[]> {
  const rows = await trx
    .updateTable('time_entries')
    .set((eb) => ({ ...state, version: eb('version', '+', 1) }))
    .where('id', 'in', ids)
    .where('version', '=', version)
    .where('deleted_at', 'is', null)
    .where('user_id', '<>', exceptOf)
    .where(inSchools('school_id', schools))
    .returning(['id', 'school_id as schoolId', 'user_id as personId'])
    .execute();
  return rows.sort((one, other) => one.id - other.id);
}
