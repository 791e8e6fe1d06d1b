import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import {
  countedHundredths,
  isVerified,
  type VerifyingSchools,
} from '#server/db/queries/verification-state.ts';
import type { SchoolScope, Viewer } from '#server/http/viewer.ts';
import { addDays, type CalendarDate, day } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import type { TimeEntry } from '../contract.ts';
import { type EntryScope, type LoadedEntryRow, loadEntries, matchesEntryScope, toEntry } from './store.ts';

/** The entries of a scope, or with `onlyVerifiedAt` only the verified ones at these schools. */
export type ListedEntries = EntryScope & Readonly<{ onlyVerifiedAt?: VerifyingSchools | undefined }>;

/**
 * A page of entries that are not deleted, latest day first, with one row more than the limit to show whether there is
 * a next page.
 */
export async function listEntries(
  db: Db,
  viewer: Viewer,
  scope: ListedEntries,
  page: Page,
): Promise<TimeEntry[]> {
  const after = page.after === undefined ? sql`` : sql`and (entry_date, id) < (${sql.join([...page.after])})`;
  const rows = await loadLatest(db, sql`${matchesScope(scope)} ${after}`, page.limit + 1);
  return rows.map((row) => toEntry(viewer, row));
}

/** The latest entries of one activity, within the scope. */
export async function listRecentOfActivity(
  db: Db,
  viewer: Viewer,
  scope: ListedEntries,
  { activityId, limit }: { activityId: number; limit: number },
): Promise<TimeEntry[]> {
  const rows = await loadLatest(db, sql`${matchesScope(scope)} and activity_id = ${activityId}`, limit);
  return rows.map((row) => toEntry(viewer, row));
}

/** Exact hours of an activity, and the verified part. */
export type ActivityHours = Readonly<{ activityId: number; totalHours: number; countedHours: number }>;

/** Exact hours since a day by activity, most hours first. Unfiltered, everyone's hours come from monthly sums. */
export async function sumByActivity(
  db: Db,
  scope: ListedEntries,
  { since, verifying }: { since: CalendarDate; verifying: VerifyingSchools },
): Promise<ActivityHours[]> {
  const parts =
    scope.userId === undefined && scope.onlyVerifiedAt === undefined
      ? selectEveryonesHours(scope.schools, since, verifying)
      : [selectHours(scope, since, verifying)];
  const { rows } = await sql<{ activity_id: number; hundredths: number; counted: number }>`
    select activity_id, sum(hours_hundredths) as hundredths, sum(counted) as counted
    from (${sql.join(parts, sql` union all `)}) as logged
    group by activity_id having sum(hours_hundredths) > 0 order by hundredths desc, activity_id`.execute(db);
  return rows.map((row) => ({
    activityId: row.activity_id,
    totalHours: fromHundredths(row.hundredths),
    countedHours: fromHundredths(row.counted),
  }));
}

// Reads whole months from the sums, and a partial first month from its entries.
function selectEveryonesHours(schools: SchoolScope, since: CalendarDate, verifying: VerifyingSchools) {
  const month = firstOfMonth(since);
  const whole = month === since ? since : firstOfMonth(addDays(month, 31));
  const sums = sql`select activity_id, hours_hundredths, ${countedHundredths(verifying, 'month_sums')} as counted
    from month_sums where month >= ${whole} and ${inSchools('school_id', schools)}`;
  return whole === since
    ? [sums]
    : [sums, selectHours({ schools, userId: undefined }, since, verifying, whole)];
}

function selectHours(
  { schools, userId, onlyVerifiedAt }: ListedEntries,
  since: CalendarDate,
  verifying: VerifyingSchools,
  before?: CalendarDate,
): RawBuilder<unknown> {
  const hours = sql.ref(onlyVerifiedAt === undefined ? 'hours_hundredths' : 'counted_hundredths');
  return sql`select activity_id, ${hours} as hours_hundredths, ${countedHundredths(verifying, 'time_entries')} as counted
    from time_entries
    where deleted_at is null and ${inSchools('school_id', schools)} and entry_date >= ${since}
    ${before === undefined ? sql`` : sql`and entry_date < ${before}`}
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${onlyVerifiedAt === undefined ? sql`` : sql`and ${isVerified(onlyVerifiedAt)}`}`;
}

function matchesScope({ onlyVerifiedAt, ...scope }: ListedEntries): RawBuilder<unknown> {
  return onlyVerifiedAt === undefined
    ? matchesEntryScope(scope)
    : sql`${matchesEntryScope(scope)} and ${isVerified(onlyVerifiedAt)}`;
}

function firstOfMonth(date: CalendarDate): CalendarDate {
  return day(`${date.slice(0, 8)}01`);
}

function loadLatest(db: Db, where: RawBuilder<unknown>, limit: number): Promise<readonly LoadedEntryRow[]> {
  const ids = sql`(select id from time_entries where ${where} order by entry_date desc, id desc limit ${limit})`;
  return loadEntries(db, ids, LATEST_FIRST);
}

const LATEST_FIRST = sql.raw('time_entries.entry_date desc, time_entries.id desc');
