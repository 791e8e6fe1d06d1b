import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { weekdayIn } from '#server/db/queries/date-columns.ts';
import { unindexedCondition } from '#server/db/queries/ordered-ids.ts';
import { isInState, isVerified, type VerifyingSchools } from '#server/db/queries/verification-state.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Status } from '../../verification-status.ts';

/** An administrator's filter of entries; absent fields do not filter. The activity belongs to one of the schools. */
export type EntryFilter = Readonly<{
  schools: SchoolScope;
  userId?: number | undefined;
  activityId?: number | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** 0 (Sunday) to 6 (Saturday). */
  weekday?: number | undefined;
  /** Only entries with this status at these schools, all of which verify hours. */
  state?: Readonly<{ status: Status; at: VerifyingSchools }> | undefined;
  /** Only verified entries at these schools. */
  onlyVerifiedAt?: VerifyingSchools | undefined;
}>;

/** The column whose index a query uses; all other conditions only filter the rows found. */
export type Lead = 'user' | 'activity' | 'day' | 'hours';

/** Picks the most selective part of a filter: the user, otherwise the activity, otherwise the days. */
export function pickLead({ userId, activityId }: EntryFilter): Lead {
  if (userId !== undefined) return 'user';
  return activityId === undefined ? 'day' : 'activity';
}

/**
 * The condition that an entry matches a filter and is not deleted, written so that the database uses the index of
 * `lead`.
 */
export function matchesFilter(
  db: Db,
  filter: EntryFilter,
  lead: Lead = pickLead(filter),
): RawBuilder<boolean> {
  const { schools, userId, activityId, state, onlyVerifiedAt } = filter;
  // An activity belongs to one school: with a school condition too, PostgreSQL intersects two long lists of rows.
  const inScope =
    schools === 'all' || lead === 'activity' ? undefined : inSchools('time_entries.school_id', schools);
  const column = (name: string, leads: boolean) =>
    leads ? sql.ref(`time_entries.${name}`) : unindexedCondition(db, `time_entries.${name}`);
  return allOf(
    sql`time_entries.deleted_at is null`,
    inScope,
    userId === undefined ? undefined : sql`${column('user_id', lead === 'user')} = ${userId}`,
    activityId === undefined ? undefined : sql`${column('activity_id', lead === 'activity')} = ${activityId}`,
    matchesDays(db, column('entry_date', lead !== 'hours'), filter),
    state === undefined ? undefined : isInState(state.at, state.status),
    onlyVerifiedAt === undefined ? undefined : isVerified(onlyVerifiedAt),
  );
}

/** The condition that a day matches the filter's days. */
export function matchesDays(db: Db, day: RawBuilder<unknown>, filter: EntryFilter) {
  const { startDate, endDate, weekday } = filter;
  if (!hasDays(filter)) return undefined;
  return allOf(
    startDate === undefined ? undefined : sql`${day} >= ${startDate}`,
    endDate === undefined ? undefined : sql`${day} <= ${endDate}`,
    weekday === undefined ? undefined : sql`${weekdayIn(db, day)} = ${weekday}`,
  );
}

/** Whether a filter limits the days. */
export function hasDays({ startDate, endDate, weekday }: EntryFilter): boolean {
  return startDate !== undefined || endDate !== undefined || weekday !== undefined;
}

/** These conditions joined by `and`; undefined ones are skipped. */
export function allOf(...conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(given, sql` and `)}`;
}
