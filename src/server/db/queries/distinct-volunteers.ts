import { type RawBuilder, sql } from 'kysely';
import { type CalendarDate, day } from '#shared/calendar-date.ts';
import type { SchoolScope } from '../../http/viewer.ts';
import type { Db } from '../database.ts';
import { inSchools } from './conditions.ts';
import { weekdayIn } from './date-columns.ts';

/** A range of days at some schools, both ends included; a missing end means no limit. */
export type DaysAtSchools = Readonly<{
  schools: SchoolScope;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
}>;

// All valid days (shared/calendar-date.ts).
const EVER = { from: day('1900-01-01'), until: day('2999-12-31') };
const WHOLE_MONTH = 2 ** 31 - 1;
const EVERY_SEVENTH = sql.raw(`cast(${1 + 2 ** 7 + 2 ** 14 + 2 ** 21 + 2 ** 28} as bigint)`);

/**
 * All volunteers in the date range, once per school: `school_id`, `user_id`, and whether they had helped at
 * that school before (`came_back`, 0 or 1).
 */
export function distinctVolunteersBySchool(range: DaysAtSchools): RawBuilder<unknown> {
  return sql.join(partsOfDays(range), sql` union all `);
}

/** The number of volunteers in the date range per school: `school_id` and `people`. */
export function countVolunteersBySchool(range: DaysAtSchools): RawBuilder<unknown> {
  return sql`select school_id, count(*) as people from (${distinctVolunteersBySchool(range)}) as helped group by school_id`;
}

/** The number of distinct volunteers in the date range, or on one weekday of it, as a SQL value. */
export function countDistinctVolunteers(db: Db, range: DaysAtSchools, weekday?: number): RawBuilder<number> {
  if (weekday !== undefined) return countOfWeekdays(db, range, weekday);
  const isOneSchool = range.schools !== 'all' && range.schools.length === 1;
  if (!isOneSchool)
    return sql`(select count(distinct user_id) from (${distinctVolunteersBySchool(range)}) as helped)`;
  return sql`(${sql.join(
    partsOfDays(range).map((part) => sql`(select count(*) from (${part}) as helped)`),
    sql` + `,
  )})`;
}

function partsOfDays({
  schools,
  startDate = EVER.from,
  endDate = EVER.until,
}: DaysAtSchools): RawBuilder<unknown>[] {
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  const until = 2 ** dayOf(endDate) - 1;
  const before = 2 ** (dayOf(startDate) - 1) - 1;
  const inFirst = (first === last ? until : WHOLE_MONTH) - before;
  const at = withEachSchool(schools);
  const found = (cameBack: RawBuilder<unknown>) =>
    sql`select school_id, user_id, case when ${cameBack} then 1 else 0 end as came_back from month_volunteers where ${at}`;
  const ofFirst = sql`${found(sql`last_before is not null or days & ${before} <> 0`)}
    and month = ${first} and days & ${inFirst} <> 0`;
  if (first === last) return [ofFirst];
  // A volunteer who helped on an earlier day of the range was counted in that earlier month.
  const later = sql`${found(sql`last_before is not null`)} and (last_before is null or last_before < ${startDate})`;
  return [
    ofFirst,
    sql`${later} and month > ${first} and month < ${last}`,
    sql`${later} and month = ${last} and days & ${until} <> 0`,
  ];
}

function countOfWeekdays(
  db: Db,
  { schools, startDate = EVER.from, endDate = EVER.until }: DaysAtSchools,
  weekday: number,
): RawBuilder<number> {
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  const until = 2 ** dayOf(endDate) - 1;
  const since = WHOLE_MONTH - (2 ** (dayOf(startDate) - 1) - 1);
  // The weekday's first day in the month, and every seventh after it.
  const ahead = sql`(cast(${weekday + 7} as integer) - ${weekdayIn(db, sql`month`)}) % 7`;
  return sql`(select count(distinct user_id) from month_volunteers
    where ${withEachSchool(schools)} and month >= ${first} and month <= ${last}
      and days & (${EVERY_SEVENTH} << ${ahead}) <> 0
      and (month > ${first} or days & ${since} & (${EVERY_SEVENTH} << ${ahead}) <> 0)
      and (month < ${last} or days & ${until} & (${EVERY_SEVENTH} << ${ahead}) <> 0)
      and (month <> ${first} or month <> ${last}
        or days & ${since} & ${until} & (${EVERY_SEVENTH} << ${ahead}) <> 0))`;
}

/** Looks up each school's rollups separately for scope 'all', because the rollups of a school are stored together. */
export function withEachSchool(schools: SchoolScope): RawBuilder<unknown> {
  return schools === 'all'
    ? sql`school_id in (select school_id from school_sums)`
    : inSchools('school_id', schools);
}

function monthOf(date: CalendarDate): CalendarDate {
  return day(`${date.slice(0, 8)}01`);
}

function dayOf(date: CalendarDate): number {
  return Number(date.slice(8));
}
