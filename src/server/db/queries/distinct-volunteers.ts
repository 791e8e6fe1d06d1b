import { type RawBuilder, sql } from 'kysely';
import { addDays, type CalendarDate, day } from '#shared/calendar-date.ts';
import type { SchoolScope } from '../../http/viewer.ts';
import type { Db } from '../database.ts';
import { ERA_MONTHS, weekdayIn } from './months.ts';
import { inSchools } from './school-scope.ts';

/** A range of days at some schools, both ends included; a missing end means no limit. */
export type DaysAtSchools = Readonly<{
  schools: SchoolScope;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
}>;

// All valid days (base/calendar-date).
const EVER = { from: day('1900-01-01'), until: day('2999-12-31') };
const WHOLE_MONTH = 2 ** 31 - 1;
const EVERY_SEVENTH = sql.raw(`cast(${1 + 2 ** 7 + 2 ** 14 + 2 ** 21 + 2 ** 28} as bigint)`);

/**
 * Everybody who helped on the days, once for each school: `school_id`, `user_id`, and whether they had helped at that
 * school before (`came_back`, 0 or 1).
 */
export function peopleOfDays(asked: DaysAtSchools): RawBuilder<unknown> {
  const range = rangeOf(asked);
  if (isShort(range)) return peopleOfFewMonths(range);
  const { helped, earlier, at } = inMonths(range);
  return sql`select school_id, user_id, max(earlier) as came_back
    from (select school_id, user_id, ${helped} as helped, ${earlier} as earlier from people_months where ${at}) as months
    group by school_id, user_id having max(helped) = 1`;
}

/** How many people helped on the days at each school: `school_id` and `people`. */
export function countsOfDays(asked: DaysAtSchools): RawBuilder<unknown> {
  const range = rangeOf(asked);
  if (isShort(range)) {
    return sql`select school_id, count(*) as people from (${peopleOfFewMonths(range)}) as helped group by school_id`;
  }
  const { helped, at } = inMonths(range);
  return sql`select school_id, count(distinct user_id) as people from people_months
    where ${at} and ${helped} = 1 group by school_id`;
}

/** How many different people helped on the days, or on those of them that are a weekday, as a value. */
export function countOfDays(db: Db, asked: DaysAtSchools, weekday?: number): RawBuilder<number> {
  if (weekday !== undefined) return countOfWeekdays(db, asked, weekday);
  const range = rangeOf(asked);
  if (isShort(range)) {
    const parts = partsOfFewMonths(range);
    const isOneSchool = asked.schools !== 'all' && asked.schools.length === 1;
    if (!isOneSchool)
      return sql`(select count(distinct user_id) from (${peopleOfFewMonths(range)}) as helped)`;
    return sql`(${sql.join(
      parts.map((part) => sql`(select count(*) from (${part}) as helped)`),
      sql` + `,
    )})`;
  }
  const { helped, at } = inMonths(range);
  return sql`(select count(distinct user_id) from people_months where ${at} and ${helped} = 1)`;
}

/**
 * How many different people helped on the days and, at any of the schools, before them, as a value; undefined for so few
 * months that `peopleOfDays` is read sooner.
 */
export function countReturningOfDays(asked: DaysAtSchools): RawBuilder<number> | undefined {
  const range = rangeOf(asked);
  if (isShort(range)) return undefined;
  const { helped, earlier, at } = inMonths(range);
  return sql`(select count(*) from (select user_id from people_months where ${at}
    group by user_id having max(${helped}) = 1 and max(${earlier}) = 1) as both_times)`;
}

type Range = Readonly<{ schools: SchoolScope; startDate: CalendarDate; endDate: CalendarDate }>;

function rangeOf({ schools, startDate = EVER.from, endDate = EVER.until }: DaysAtSchools): Range {
  return { schools, startDate, endDate };
}

// Up to so many months a row for each month of a person is read sooner than all months of everybody.
const FEW_MONTHS = 6;

function isShort({ startDate, endDate }: Range): boolean {
  return monthNumber(endDate) - monthNumber(startDate) < FEW_MONTHS;
}

function peopleOfFewMonths(range: Range): RawBuilder<unknown> {
  return sql.join(partsOfFewMonths(range), sql` union all `);
}

function partsOfFewMonths({ schools, startDate, endDate }: Range): RawBuilder<unknown>[] {
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  const until = 2 ** dayOf(endDate) - 1;
  const before = 2 ** (dayOf(startDate) - 1) - 1;
  const inFirst = (first === last ? until : WHOLE_MONTH) - before;
  const at = withEachSchool(schools);
  const found = (cameBack: RawBuilder<unknown>) =>
    sql`select school_id, user_id, case when ${cameBack} then 1 else 0 end as came_back from month_people where ${at}`;
  const ofFirst = sql`${found(sql`last_before is not null or days & ${before} <> 0`)}
    and month = ${first} and days & ${inFirst} <> 0`;
  if (first === last) return [ofFirst];
  // A person who helped on an earlier day of the range is counted in that earlier month.
  const later = sql`${found(sql`last_before is not null`)} and (last_before is null or last_before < ${startDate})`;
  return [
    ofFirst,
    sql`${later} and month > ${first} and month < ${last}`,
    sql`${later} and month = ${last} and days & ${until} <> 0`,
  ];
}

// Of most people a row for four years says all. The days of the first and the last month are looked up only for those
// who helped in that month, and where it counts. `at` leaves out what begins after the range.
function inMonths({ schools, startDate, endDate }: Range) {
  const [from, until] = [monthNumber(startDate), monthNumber(endDate)];
  const before = 2 ** (dayOf(startDate) - 1) - 1;
  const isWholeFirst = before === 0;
  const isWholeLast = monthOf(addDays(endDate, 1)) !== monthOf(endDate);
  const [first, last] = [eraOf(from), eraOf(until)];
  const whole = { from: isWholeFirst ? from : from + 1, until: isWholeLast ? until : until - 1 };
  const on = (month: number, date: CalendarDate, days: number) =>
    sql`era = ${eraOf(month)} and months & ${bits(eraOf(month), month, month)} <> 0 and exists (
      select 1 from month_people as part where part.school_id = people_months.school_id
        and part.month = ${monthOf(date)} and part.user_id = people_months.user_id and part.days & ${days} <> 0)`;
  const helped = sql`case when era > ${first} and era < ${last} then 1
    when era = ${first} and months & ${bits(first, whole.from, whole.until)} <> 0 then 1
    when era = ${last} and months & ${bits(last, whole.from, whole.until)} <> 0 then 1
    ${isWholeFirst ? sql`` : sql`when ${on(from, startDate, WHOLE_MONTH - before)} then 1`}
    ${isWholeLast ? sql`` : sql`when ${on(until, endDate, 2 ** dayOf(endDate) - 1)} then 1`} else 0 end`;
  const earlier = sql`case when era < ${first} then 1
    when era = ${first} and months & ${bits(first, first * ERA_MONTHS, from - 1)} <> 0 then 1
    ${isWholeFirst ? sql`` : sql`when ${on(from, startDate, before)} then 1`} else 0 end`;
  return { helped, earlier, at: sql`${inSchools('school_id', schools)} and era <= ${last}` };
}

// Months are counted from the year 0 (month.ts).
function monthNumber(date: CalendarDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function eraOf(month: number): number {
  return Math.floor(month / ERA_MONTHS);
}

// The months of an era that lie between two, both included, as bits.
function bits(era: number, from: number, until: number): number {
  const least = Math.max(0, from - era * ERA_MONTHS);
  const most = Math.min(ERA_MONTHS - 1, until - era * ERA_MONTHS);
  return least > most ? 0 : 2 ** (most + 1) - 2 ** least;
}

function countOfWeekdays(
  db: Db,
  { schools, startDate = EVER.from, endDate = EVER.until }: DaysAtSchools,
  weekday: number,
): RawBuilder<number> {
  const [first, last] = [monthOf(startDate), monthOf(endDate)];
  const until = 2 ** dayOf(endDate) - 1;
  const since = WHOLE_MONTH - (2 ** (dayOf(startDate) - 1) - 1);
  // The weekday's first day in the month, and every seventh from there on.
  const ahead = sql`(cast(${weekday + 7} as integer) - ${weekdayIn(db, sql`month`)}) % 7`;
  return sql`(select count(distinct user_id) from month_people
    where ${withEachSchool(schools)} and month >= ${first} and month <= ${last}
      and days & (${EVERY_SEVENTH} << ${ahead}) <> 0
      and (month > ${first} or days & ${since} & (${EVERY_SEVENTH} << ${ahead}) <> 0)
      and (month < ${last} or days & ${until} & (${EVERY_SEVENTH} << ${ahead}) <> 0)
      and (month <> ${first} or month <> ${last}
        or days & ${since} & ${until} & (${EVERY_SEVENTH} << ${ahead}) <> 0))`;
}

/** A school's sums stand together: with none named, those of each school are looked up. */
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
