import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { shownName } from '#server/db/queries/translated-name.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';

/** Whose hours a letter is about: those of a period, at some schools or (null) at all. */
export type Counted = Readonly<{
  userId: number;
  schoolIds: readonly number[] | null;
  startDate: CalendarDate;
  endDate: CalendarDate;
}>;

/** What somebody did on one day for one activity. */
export type Line = Readonly<{
  date: CalendarDate;
  activity_id: number;
  activity: string;
  school_id: number;
  school: string;
  /** Whether hours are verified at this school; then only these are counted. */
  verification: 'off' | 'on';
  hundredths: number;
}>;

/** The hours that count for a letter, by day and activity: verified ones where hours are verified, else all. */
export async function hoursThatCount(
  db: Db,
  { userId, schoolIds, startDate, endDate }: Counted,
): Promise<Line[]> {
  const there =
    schoolIds === null
      ? sql`1 = 1`
      : schoolIds.length === 0
        ? sql`1 = 0`
        : sql`time_entries.school_id in (${sql.join([...schoolIds])})`;
  const { rows } = await sql<Line>`
    select sums.entry_date as date, sums.activity_id, ${shownName('activities')} as activity, sums.school_id,
      ${shownName('schools')} as school, schools.verification as verification, sums.hundredths
    from (select entry_date, activity_id, time_entries.school_id,
        sum(case when places.verification = 'on' then counted_hundredths else hours_hundredths end) as hundredths
      from time_entries join schools as places on places.id = time_entries.school_id
      where user_id = ${userId} and deleted_at is null
        and entry_date >= ${startDate} and entry_date <= ${endDate} and ${there}
        and (places.verification = 'off' or time_entries.verification = 'verified')
      group by entry_date, activity_id, time_entries.school_id) as sums
    join activities on activities.id = sums.activity_id
    join schools on schools.id = sums.school_id
    where sums.hundredths > 0
    order by sums.entry_date, schools.name_key, activities.name_key, sums.activity_id, sums.school_id`.execute(
    db,
  );
  return rows;
}
