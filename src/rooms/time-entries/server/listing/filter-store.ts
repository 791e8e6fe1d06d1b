import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '#base/calendar-date.ts';
import type { Db } from '#server/db/connect.ts';
import { narrowing } from '#server/db/in-order.ts';
import { weekdayIn } from '#server/db/month.ts';
import { inSchools } from '#server/db/scope.ts';
import type { SchoolScope } from '#server/http/viewer.ts';

/** Which entries an administrator asks for; what is left out does not narrow. An activity lies within the schools. */
export type EntryFilter = Readonly<{
  schools: SchoolScope;
  userId?: number | undefined;
  activityId?: number | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** Sunday, 0, to Saturday, 6. */
  weekday?: number | undefined;
}>;

/** What of a filter an index leads to; the rest only narrows. */
export type Lead = 'user' | 'activity' | 'day' | 'hours';

/** What leads to the fewest entries: one person's, one activity's, else those of some days. */
export function leadOf({ userId, activityId }: EntryFilter): Lead {
  if (userId !== undefined) return 'user';
  return activityId === undefined ? 'day' : 'activity';
}

/** Whether a live entry is among those asked for, with the index of `lead` to find it by. */
export function matching(db: Db, filter: EntryFilter, lead: Lead = leadOf(filter)): RawBuilder<boolean> {
  const { schools, userId, activityId } = filter;
  // An activity belongs to one school: naming that too makes PostgreSQL compare two long lists of rows.
  const inScope =
    schools === 'all' || lead === 'activity' ? undefined : inSchools('time_entries.school_id', schools);
  const column = (name: string, leads: boolean) =>
    leads ? sql.ref(`time_entries.${name}`) : narrowing(db, `time_entries.${name}`);
  return all(
    sql`time_entries.deleted_at is null`,
    inScope,
    userId === undefined ? undefined : sql`${column('user_id', lead === 'user')} = ${userId}`,
    activityId === undefined ? undefined : sql`${column('activity_id', lead === 'activity')} = ${activityId}`,
    within(db, column('entry_date', lead !== 'hours'), filter),
  );
}

/** Whether a day lies within the filter's. */
export function within(db: Db, day: RawBuilder<unknown>, filter: EntryFilter) {
  const { startDate, endDate, weekday } = filter;
  if (!hasDays(filter)) return undefined;
  return all(
    startDate === undefined ? undefined : sql`${day} >= ${startDate}`,
    endDate === undefined ? undefined : sql`${day} <= ${endDate}`,
    weekday === undefined ? undefined : sql`${weekdayIn(db, day)} = ${weekday}`,
  );
}

/** Whether a filter names days. */
export function hasDays({ startDate, endDate, weekday }: EntryFilter): boolean {
  return startDate !== undefined || endDate !== undefined || weekday !== undefined;
}

/** All of these conditions; what is left out is true. */
export function all(...conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(given, sql` and `)}`;
}
