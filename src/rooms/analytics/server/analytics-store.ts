import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate } from '#base/calendar-date.ts';
import type { Db } from '#server/db/connect.ts';
import { peopleOfDays, withEachSchool } from '#server/db/month-people.ts';
import { plannedForItsValues } from '#server/db/named-statements.ts';
import { inSchools } from '#server/db/scope.ts';
import type { SchoolScope } from '#server/http/viewer.ts';

/** Which live entries: those of some schools, from one day to another, both included. */
export type EntriesOf = Readonly<{
  schools: SchoolScope;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
}>;

/** A number of entries, and the sum of their hours in hundredths. */
export type Added = { entries: number; hundredths: number };

export type ActivitySums = Added & {
  id: number;
  name: string;
  school_id: number;
  category_name: string;
  category_key: string;
  color: string;
  people: number;
};

/** Every activity with entries, most hours first, then by name. */
export async function sumActivities(db: Db, of: EntriesOf): Promise<ActivitySums[]> {
  const sums = hasDays(of)
    ? sql`(select activity_id, count(*) as entries, sum(hours_hundredths) as hours_hundredths,
        count(distinct user_id) as people from time_entries where ${liveByActivity(of)} group by activity_id)`
    : sql`activity_sums`;
  const { rows } = await sql<ActivitySums>`
    select activities.id, activities.name, activities.school_id, categories.name as category_name,
      categories.name_key as category_key, categories.color, sums.entries, sums.hours_hundredths as hundredths,
      sums.people
    from activities
    join ${sums} as sums on sums.activity_id = activities.id
    join categories on categories.id = activities.category_id
    where ${inSchools('activities.school_id', of.schools)} and sums.entries > 0
    order by sums.hours_hundredths desc, activities.name_key, activities.id`.execute(db);
  return rows;
}

/** Every school of the scope by name, also those without entries. */
export async function sumEachSchool(
  db: Db,
  of: EntriesOf,
): Promise<(Added & { id: number; name: string; people: number })[]> {
  const sums = hasDays(of) ? sumsOfDays(of) : sql`school_sums`;
  const { rows } = await sql<Added & { id: number; name: string; people: number }>`
    select schools.id, schools.name, coalesce(sums.entries, 0) as entries,
      coalesce(sums.hours_hundredths, 0) as hundredths, coalesce(sums.people, 0) as people
    from schools left join ${sums} as sums on sums.school_id = schools.id
    where ${inSchools('schools.id', of.schools)}
    order by schools.name_key, schools.id`.execute(db);
  return rows;
}

function sumsOfDays(of: EntriesOf): RawBuilder<unknown> {
  return sql`(select added.school_id, added.entries, added.hours_hundredths, helped.people
    from (select school_id, sum(entries) as entries, sum(hours_hundredths) as hours_hundredths
      from day_sums where ${withEachSchool(of.schools)} and ${days(sql`entry_date`, of)} group by school_id) as added
    join (select school_id, count(*) as people from ${helpedIn(of)} as helped group by school_id) as helped
      on helped.school_id = added.school_id)`;
}

/** Every day with entries, all schools of the scope together. */
export async function sumDays(db: Db, of: EntriesOf): Promise<(Added & { day: CalendarDate })[]> {
  const { rows } = await sql<Added & { day: CalendarDate }>`
    select entry_date as day, sum(entries) as entries, sum(hours_hundredths) as hundredths
    from day_sums where ${withEachSchool(of.schools)} and entries > 0 and ${days(sql`entry_date`, of)}
    group by entry_date`.execute(db);
  return rows;
}

/** Every month with entries, by its first day, all schools of the scope together. */
export async function sumMonths(db: Db, of: EntriesOf): Promise<(Added & { month: CalendarDate })[]> {
  const { rows } = await sql<Added & { month: CalendarDate }>`
    select month, sum(entries) as entries, sum(hours_hundredths) as hundredths
    from month_sums where ${withEachSchool(of.schools)} and entries > 0 and ${days(sql`month`, of)}
    group by month`.execute(db);
  return rows;
}

/** How many people with entries in the period also had entries at these schools before it. */
export async function countReturning(db: Db, of: EntriesOf & { startDate: CalendarDate }): Promise<number> {
  const helped = sql`select user_id, max(came_back) as came_back from ${helpedIn(of)} as helped group by user_id`;
  // A person who is new at one school may have helped at another before.
  const elsewhere = sql`exists (select 1 from time_entries where time_entries.user_id = helped.user_id
    and time_entries.deleted_at is null and ${inSchools('time_entries.school_id', of.schools)}
    and time_entries.entry_date < ${of.startDate})`;
  const isOneSchool = of.schools !== 'all' && of.schools.length === 1;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${helped}) as helped
    where came_back = 1 ${isOneSchool ? sql`` : sql`or ${elsewhere}`}`.execute(db);
  return rows[0]?.count ?? 0;
}

type PersonSums = Added & { id: number; first_name: string; last_name: string };

/** Who gave the most hours, then who logged the most entries. */
export async function topPeople(db: Db, of: EntriesOf, limit: number): Promise<PersonSums[]> {
  const sums = hasDays(of)
    ? sql`select user_id, count(*) as entries, sum(hours_hundredths) as hundredths
        from time_entries where ${live(of)} group by user_id`
    : sql`select user_id, sum(entries) as entries, sum(hours_hundredths) as hundredths
        from school_people where ${inSchools('school_id', of.schools)} and entries > 0 group by user_id`;
  const { rows } = await sql<PersonSums>`
    select users.id, users.first_name, users.last_name, found.entries, found.hundredths
    from (select * from (${sums}) as sums order by hundredths desc, entries desc, user_id limit ${limit}) as found
    join users on users.id = found.user_id
    order by found.hundredths desc, found.entries desc, users.sort_key, users.id`.execute(db);
  return rows;
}

/** The sums of some people's entries by school, most hours first. */
export async function sumSchoolsOf(
  db: Db,
  of: EntriesOf,
  userIds: readonly number[],
): Promise<(Added & { user_id: number; id: number; name: string })[]> {
  if (userIds.length === 0) return [];
  const theirs = sql`user_id in (${sql.join([...userIds])})`;
  const sums = hasDays(of)
    ? sql`select user_id, school_id, count(*) as entries, sum(hours_hundredths) as hundredths
        from time_entries where ${theirs} and ${live(of)} group by user_id, school_id`
    : sql`select user_id, school_id, entries, hours_hundredths as hundredths
        from school_people where ${theirs} and entries > 0 and ${inSchools('school_id', of.schools)}`;
  const { rows } = await sql<Added & { user_id: number; id: number; name: string }>`
    select found.user_id, schools.id, schools.name, found.entries, found.hundredths
    from (${sums}) as found join schools on schools.id = found.school_id
    order by found.hundredths desc, schools.name_key, schools.id`.execute(db);
  return rows;
}

/** People with at least `entries` entries in all, the last one between two days; latest first. */
export async function peopleLastSeen(
  db: Db,
  of: { schools: SchoolScope; entries: number; from: CalendarDate; until: CalendarDate },
): Promise<(PersonSums & { last: CalendarDate })[]> {
  const { rows } = await sql<PersonSums & { last: CalendarDate }>`
    select * from (
      select users.id, users.first_name, users.last_name, users.sort_key, found.entries, found.hundredths,
        (select max(entry_date) from time_entries where time_entries.user_id = found.user_id
          and time_entries.deleted_at is null and ${inSchools('time_entries.school_id', of.schools)}) as last
      from (select user_id, sum(entries) as entries, sum(hours_hundredths) as hundredths
        from school_people where ${inSchools('school_id', of.schools)} and entries > 0
        group by user_id having sum(entries) >= ${of.entries}) as found
      join users on users.id = found.user_id
      where users.is_active = 1 and users.erased_at is null) as people
    where last >= ${of.from} and last <= ${of.until}
    order by last desc, sort_key, id`.execute(db);
  return rows;
}

export type OwnSums = Added & {
  id: number;
  name: string;
  category: string;
  school_id: number;
  school: string;
  first: CalendarDate;
  last: CalendarDate;
};

/** Somebody's own entries by activity, in the order of schools and activities. */
export async function sumOwnActivities(
  db: Db,
  userId: number,
  of: Omit<EntriesOf, 'schools'>,
): Promise<OwnSums[]> {
  const { rows } = await sql<OwnSums>`
    select activities.id, activities.name, categories.name as category, schools.id as school_id,
      schools.name as school, sums.entries, sums.hundredths, sums.first, sums.last
    from (select activity_id, count(*) as entries, sum(hours_hundredths) as hundredths,
        min(entry_date) as first, max(entry_date) as last
      from time_entries where user_id = ${userId} and deleted_at is null
        and ${days(sql`entry_date`, of)}
      group by activity_id) as sums
    join activities on activities.id = sums.activity_id
    join categories on categories.id = activities.category_id
    join schools on schools.id = activities.school_id
    order by schools.name_key, schools.id, activities.name_key, activities.id`.execute(db);
  return rows;
}

/** Somebody's name. */
export async function nameOf(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

function hasDays({ startDate, endDate }: EntriesOf): boolean {
  return startDate !== undefined || endDate !== undefined;
}

function live(of: EntriesOf): RawBuilder<unknown> {
  return sql`time_entries.deleted_at is null and ${inSchools('time_entries.school_id', of.schools)}
    and ${days(sql`time_entries.entry_date`, of)}`;
}

// An index holds an activity's days together, so nothing has to be sorted by activity.
function liveByActivity(of: EntriesOf): RawBuilder<unknown> {
  const ofActivities =
    of.schools === 'all'
      ? sql`1 = 1`
      : sql`time_entries.activity_id in (
          select activities.id from activities where ${inSchools('activities.school_id', of.schools)})`;
  return sql`time_entries.deleted_at is null and ${ofActivities} and ${days(sql`time_entries.entry_date`, of)}`;
}

function days(
  day: RawBuilder<unknown>,
  { startDate, endDate }: Omit<EntriesOf, 'schools'>,
): RawBuilder<unknown> {
  const bounds = [
    ...(startDate === undefined ? [] : [sql`${day} >= ${startDate}`]),
    ...(endDate === undefined ? [] : [sql`${day} <= ${endDate}`]),
  ];
  return bounds.length === 0 ? sql`1 = 1` : sql`${plannedForItsValues} ${sql.join(bounds, sql` and `)}`;
}

function helpedIn(of: EntriesOf): RawBuilder<unknown> {
  return sql`(${sql.join(peopleOfDays(of), sql` union all `)})`;
}
