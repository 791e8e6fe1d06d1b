import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '#base/calendar-date.ts';
import { inSchools } from '#server/db/scope.ts';
import type { SchoolScope } from '#server/http/viewer.ts';

/** Which entries an administrator asks for; what is left out does not narrow. */
export type EntryFilter = Readonly<{
  schools: SchoolScope;
  userId?: number | undefined;
  activityId?: number | undefined;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
}>;

/** Whether a live entry is among those asked for. */
export function matching(filter: EntryFilter): RawBuilder<boolean> {
  const { schools, userId, activityId, startDate, endDate } = filter;
  return sql<boolean>`${sql.join(
    [
      sql`time_entries.deleted_at is null`,
      ...(schools === 'all' ? [] : [inSchools('time_entries.school_id', schools)]),
      ...(userId === undefined ? [] : [sql`time_entries.user_id = ${userId}`]),
      ...(activityId === undefined ? [] : [sql`time_entries.activity_id = ${activityId}`]),
      ...(startDate === undefined ? [] : [sql`time_entries.entry_date >= ${startDate}`]),
      ...(endDate === undefined ? [] : [sql`time_entries.entry_date <= ${endDate}`]),
    ],
    sql` and `,
  )}`;
}
