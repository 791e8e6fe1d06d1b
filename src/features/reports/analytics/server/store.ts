import { type RawBuilder, sql } from 'kysely';
import { type Db, isPostgres } from '#server/db/database.ts';
import { replanPerValue } from '#server/db/postgres/prepared-statements.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { monthOf } from '#server/db/queries/date-columns.ts';
import {
  countVolunteersBySchool,
  distinctVolunteersBySchool,
  withEachSchool,
} from '#server/db/queries/distinct-volunteers.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import {
  countedHundredths,
  isVerified,
  type VerifyingSchools,
} from '#server/db/queries/verification-state.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';

/** Selects live entries of some schools in a period, both days included. */
export type EntrySelection = Readonly<{
  schools: SchoolScope;
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** The schools in scope that verify. `onlyVerified` limits their entries to verified ones. */
  verifying: VerifyingSchools;
  onlyVerified: boolean;
}>;

/**
 * The number of entries, the sum of their hours in hundredths, and the verified part of it. With `onlyVerified`, both
 * sums are of verified hours.
 */
export type EntrySums = { entries: number; hundredths: number; counted: number };

export type ActivitySums = EntrySums & {
  id: number;
  name: string;
  school_id: number;
  category_name: string;
  category_key: string;
  color: string;
  people: number;
};

/** Returns the sums of every activity with entries, most hours first, then by name. */
export async function sumActivities(db: Db, of: EntrySelection): Promise<ActivitySums[]> {
  const { rows } = await sql<ActivitySums>`
    select activities.id, ${translatedName('activities')} as name, activities.school_id,
      ${translatedName('categories')} as category_name,
      categories.name_key as category_key, categories.color, sums.entries, sums.hours_hundredths as hundredths,
      ${countedOfActivity(of)} as counted, sums.people
    from activities
    join ${activitySums(db, of)} as sums on sums.activity_id = activities.id
    ${hasVerifiedApart(of) ? sql`left join ${verifiedBy('activity_id', of)} as verified on verified.activity_id = activities.id` : sql``}
    join categories on categories.id = activities.category_id
    where ${inSchools('activities.school_id', of.schools)} and sums.entries > 0
    order by sums.hours_hundredths desc, activities.name_key, activities.id`.execute(db);
  return rows;
}

function activitySums(db: Db, of: EntrySelection): RawBuilder<unknown> {
  if (of.onlyVerified) return verifiedBy('activity_id', of);
  return hasDays(of)
    ? sql`(select activity_id, count(*) as entries, sum(hours_hundredths) as hours_hundredths,
        count(distinct user_id) as people from time_entries where time_entries.deleted_at is null
        and ${isOfActivitiesAt(db, of.schools)} and ${isWithinDays(sql`time_entries.entry_date`, of)} group by activity_id)`
    : sql`activity_sums`;
}

// The index for sums by activity and day lacks verified hours, so those come from the index of verified entries.
function hasVerifiedApart(of: EntrySelection): boolean {
  return hasDays(of) && !of.onlyVerified && of.verifying.length > 0;
}

function countedOfActivity(of: EntrySelection): RawBuilder<number> {
  if (of.verifying.length === 0) return sql<number>`0`;
  if (hasVerifiedApart(of)) return sql<number>`coalesce(verified.counted_hundredths, 0)`;
  return sql<number>`case when activities.school_id in (${sql.join([...of.verifying])})
    then sums.counted_hundredths else 0 end`;
}

/** Returns the sums of every school in scope, by name, including schools without entries. */
export async function sumEachSchool(
  db: Db,
  of: EntrySelection,
): Promise<(EntrySums & { id: number; name: string; people: number })[]> {
  const stored = hasDays(of) ? daySums(of) : sql`school_sums`;
  const sums = of.onlyVerified ? verifiedBy('school_id', of) : stored;
  const { rows } = await sql<EntrySums & { id: number; name: string; people: number }>`
    select schools.id, ${translatedName('schools')} as name, coalesce(sums.entries, 0) as entries,
      coalesce(sums.hours_hundredths, 0) as hundredths, coalesce(${countedHundredths(of.verifying, 'sums')}, 0) as counted,
      coalesce(sums.people, 0) as people
    from schools left join ${sums} as sums on sums.school_id = schools.id
    where ${inSchools('schools.id', of.schools)}
    order by schools.name_key, schools.id`.execute(db);
  return rows;
}

function daySums(of: EntrySelection): RawBuilder<unknown> {
  return sql`(select added.school_id, added.entries, added.hours_hundredths, added.counted_hundredths, helped.people
    from (select school_id, sum(entries) as entries, sum(hours_hundredths) as hours_hundredths,
        sum(counted_hundredths) as counted_hundredths
      from day_sums where ${withEachSchool(of.schools)} and ${isWithinDays(sql`entry_date`, of)} group by school_id) as added
    join (${countVolunteersBySchool(of)}) as helped
      on helped.school_id = added.school_id)`;
}

/** Returns every day with entries, summed over all schools in scope. */
export async function sumDays(db: Db, of: EntrySelection): Promise<(EntrySums & { day: CalendarDate })[]> {
  const sums = of.onlyVerified
    ? sql`select entry_date as day, entries, hours_hundredths as hundredths, counted_hundredths as counted
        from ${verifiedBy('entry_date', of)} as verified`
    : sql`select entry_date as day, sum(entries) as entries, sum(hours_hundredths) as hundredths,
          sum(${countedHundredths(of.verifying, 'day_sums')}) as counted
        from day_sums where ${withEachSchool(of.schools)} and entries > 0 and ${isWithinDays(sql`entry_date`, of)}
        group by entry_date`;
  return (await sql<EntrySums & { day: CalendarDate }>`${sums}`.execute(db)).rows;
}

/** Returns every month with entries by its first day, summed over all schools in scope. */
export async function sumMonths(
  db: Db,
  of: EntrySelection,
): Promise<(EntrySums & { month: CalendarDate })[]> {
  const monthOfEntry = sql`(select ${monthOf(db, 'entry_date')} as month, counted_hundredths from time_entries
    where ${isVerified(of.verifying)})`;
  const sums = of.onlyVerified
    ? sql`select month, count(*) as entries, sum(counted_hundredths) as hundredths, sum(counted_hundredths) as counted
        from ${monthOfEntry} as verified where ${isWithinDays(sql`month`, of)} group by month`
    : sql`select month, sum(entries) as entries, sum(hours_hundredths) as hundredths,
          sum(${countedHundredths(of.verifying, 'month_sums')}) as counted
        from month_sums where ${withEachSchool(of.schools)} and entries > 0 and ${isWithinDays(sql`month`, of)}
        group by month`;
  return (await sql<EntrySums & { month: CalendarDate }>`${sums}`.execute(db)).rows;
}

/** Counts the people with entries in the period who also had entries at these schools before it. */
export async function countReturning(
  db: Db,
  of: EntrySelection & { startDate: CalendarDate },
): Promise<number> {
  const helped = of.onlyVerified
    ? sql`select user_id, 0 as came_back from ${verifiedBy('user_id', of)} as verified`
    : sql`select user_id, max(came_back) as came_back from (${distinctVolunteersBySchool(of)}) as helped group by user_id`;
  // A person who is new at one school may have helped at another before.
  const elsewhere = sql`exists (select 1 from time_entries where time_entries.user_id = helped.user_id
    and ${isInSelection({ ...of, startDate: undefined, endDate: undefined })}
    and time_entries.entry_date < ${of.startDate})`;
  const isOneSchool = of.schools !== 'all' && of.schools.length === 1 && !of.onlyVerified;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${helped}) as helped
    where came_back = 1 ${isOneSchool ? sql`` : sql`or ${elsewhere}`}`.execute(db);
  return rows[0]?.count ?? 0;
}

type PersonSums = EntrySums & { id: number; first_name: string; last_name: string };

/** Returns the volunteers with the most hours, then the most entries. */
export async function findTopPeople(db: Db, of: EntrySelection, limit: number): Promise<PersonSums[]> {
  const stored = hasDays(of)
    ? sql`select user_id, count(*) as entries, sum(hours_hundredths) as hundredths
        from time_entries where ${isInSelection(of)} and ${isOfUsersAt(db, of.schools)} group by user_id`
    : sql`select user_id, sum(entries) as entries, sum(hours_hundredths) as hundredths
        from school_volunteers where ${inSchools('school_id', of.schools)} and entries > 0 group by user_id`;
  const sums = of.onlyVerified
    ? sql`select user_id, entries, hours_hundredths as hundredths from ${verifiedBy('user_id', of)} as verified`
    : stored;
  const { rows } = await sql<PersonSums>`
    select users.id, users.first_name, users.last_name, found.entries, found.hundredths,
      ${countedOfPerson(of)} as counted
    from (select * from (${sums}) as sums order by hundredths desc, entries desc, user_id limit ${limit}) as found
    join users on users.id = found.user_id
    order by found.hundredths desc, found.entries desc, users.sort_key, users.id`.execute(db);
  return rows;
}

// Computed only for the few people who are listed.
function countedOfPerson(of: EntrySelection): RawBuilder<number> {
  if (of.verifying.length === 0) return sql<number>`0`;
  return sql<number>`coalesce((select sum(time_entries.counted_hundredths) from time_entries
    where time_entries.user_id = found.user_id and ${isInSelection({ ...of, onlyVerified: true })}), 0)`;
}

/** Returns the sums of these people's entries by school, most hours first. */
export async function sumSchoolsOfPeople(
  db: Db,
  of: EntrySelection,
  userIds: readonly number[],
): Promise<(EntrySums & { user_id: number; id: number; name: string })[]> {
  if (userIds.length === 0) return [];
  const theirs = sql`user_id in (${sql.join([...userIds])})`;
  const hours = sql.ref(of.onlyVerified ? 'counted_hundredths' : 'hours_hundredths');
  const sums =
    hasDays(of) || of.onlyVerified
      ? sql`select user_id, school_id, count(*) as entries, sum(${hours}) as hundredths,
            sum(${countedHundredths(of.verifying, 'time_entries')}) as counted
          from time_entries where ${theirs} and ${isInSelection(of)} group by user_id, school_id`
      : sql`select user_id, school_id, entries, hours_hundredths as hundredths,
            ${countedHundredths(of.verifying, 'school_volunteers')} as counted
          from school_volunteers where ${theirs} and entries > 0 and ${inSchools('school_id', of.schools)}`;
  const { rows } = await sql<EntrySums & { user_id: number; id: number; name: string }>`
    select found.user_id, schools.id, ${translatedName('schools')} as name, found.entries, found.hundredths, found.counted
    from (${sums}) as found join schools on schools.id = found.school_id
    order by found.hundredths desc, schools.name_key, schools.id`.execute(db);
  return rows;
}

/** Returns people with at least `entries` entries in total and the last one between two days, latest first. */
export async function findInactivePeople(
  db: Db,
  of: Pick<EntrySelection, 'schools' | 'verifying'> & {
    entries: number;
    from: CalendarDate;
    until: CalendarDate;
  },
): Promise<(PersonSums & { last: CalendarDate })[]> {
  const { rows } = await sql<PersonSums & { last: CalendarDate }>`
    select * from (
      select users.id, users.first_name, users.last_name, users.sort_key, found.entries, found.hundredths,
        found.counted,
        (select max(entry_date) from time_entries where time_entries.user_id = found.user_id
          and time_entries.deleted_at is null and ${inSchools('time_entries.school_id', of.schools)}) as last
      from (select user_id, sum(entries) as entries, sum(hours_hundredths) as hundredths,
          sum(${countedHundredths(of.verifying, 'school_volunteers')}) as counted
        from school_volunteers where ${inSchools('school_id', of.schools)} and entries > 0
        group by user_id having sum(entries) >= ${of.entries}) as found
      join users on users.id = found.user_id
      where users.is_active = 1 and users.erased_at is null) as people
    where last >= ${of.from} and last <= ${of.until}
    order by last desc, sort_key, id`.execute(db);
  return rows;
}

export type OwnActivitySums = EntrySums & {
  id: number;
  name: string;
  category: string;
  school_id: number;
  school: string;
  first: CalendarDate;
  last: CalendarDate;
};

/** Returns the verifying schools among those that the user has joined or has entries at. */
export async function ownVerifyingSchools(db: Db, userId: number): Promise<VerifyingSchools> {
  const { rows } = await sql<{ id: number }>`
    select schools.id from (
      select school_id from user_schools where user_id = ${userId} and status = 'active'
      union select school_id from time_entries where user_id = ${userId} and deleted_at is null) as own
    join schools on schools.id = own.school_id where schools.verification = 'on'`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the user's own entries summed by activity, ordered by school and activity. */
export async function sumOwnActivities(
  db: Db,
  userId: number,
  of: Omit<EntrySelection, 'schools'>,
): Promise<OwnActivitySums[]> {
  const hours = sql.ref(of.onlyVerified ? 'counted_hundredths' : 'hours_hundredths');
  const { rows } = await sql<OwnActivitySums>`
    select activities.id, ${translatedName('activities')} as name, ${translatedName('categories')} as category,
      schools.id as school_id, ${translatedName('schools')} as school, sums.entries, sums.hundredths, sums.counted, sums.first, sums.last
    from (select activity_id, count(*) as entries, sum(${hours}) as hundredths,
        sum(${countedHundredths(of.verifying, 'time_entries')}) as counted,
        min(entry_date) as first, max(entry_date) as last
      from time_entries where user_id = ${userId} and deleted_at is null
        and ${isWithinDays(sql`entry_date`, of)} ${of.onlyVerified ? sql`and ${isVerified(of.verifying)}` : sql``}
      group by activity_id) as sums
    join activities on activities.id = sums.activity_id
    join categories on categories.id = activities.category_id
    join schools on schools.id = activities.school_id
    order by schools.name_key, schools.id, activities.name_key, activities.id`.execute(db);
  return rows;
}

/** Returns a user's id and name. */
export async function findPersonName(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

// The verified entries in the period, grouped by a column, with the column names of the sum tables.
function verifiedBy(
  column: 'activity_id' | 'school_id' | 'user_id' | 'entry_date',
  of: EntrySelection,
): RawBuilder<unknown> {
  const key = sql.ref(column);
  return sql`(select ${key}, count(*) as entries, sum(counted_hundredths) as hours_hundredths,
      sum(counted_hundredths) as counted_hundredths, count(distinct user_id) as people
    from time_entries where ${isVerified(of.verifying)} and ${isWithinDays(sql`time_entries.entry_date`, of)}
    group by ${key})`;
}

function hasDays({ startDate, endDate }: EntrySelection): boolean {
  return startDate !== undefined || endDate !== undefined;
}

function isInSelection(of: EntrySelection): RawBuilder<unknown> {
  return sql`time_entries.deleted_at is null and ${inSchools('time_entries.school_id', of.schools)}
    and ${isWithinDays(sql`time_entries.entry_date`, of)} ${of.onlyVerified ? sql`and ${isVerified(of.verifying)}` : sql``}`;
}

// An index stores the days of an activity together, and another those of a user. Naming all of them makes SQLite read that
// index in its order instead of sorting all entries of the period; PostgreSQL would only have more to do.
function isOfActivitiesAt(db: Db, schools: SchoolScope): RawBuilder<unknown> {
  if (schools === 'all' && isPostgres(db)) return sql`1 = 1`;
  return sql`time_entries.activity_id in (
    select activities.id from activities where ${inSchools('activities.school_id', schools)})`;
}

function isOfUsersAt(db: Db, schools: SchoolScope): RawBuilder<unknown> {
  return schools === 'all' && !isPostgres(db)
    ? sql`time_entries.user_id in (select users.id from users)`
    : sql`1 = 1`;
}

function isWithinDays(
  day: RawBuilder<unknown>,
  { startDate, endDate }: Pick<EntrySelection, 'startDate' | 'endDate'>,
): RawBuilder<unknown> {
  const bounds = [
    ...(startDate === undefined ? [] : [sql`${day} >= ${startDate}`]),
    ...(endDate === undefined ? [] : [sql`${day} <= ${endDate}`]),
  ];
  return bounds.length === 0 ? sql`1 = 1` : sql`${replanPerValue} ${sql.join(bounds, sql` and `)}`;
}
