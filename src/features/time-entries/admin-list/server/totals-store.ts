import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { countDistinctVolunteers, withEachSchool } from '#server/db/queries/distinct-volunteers.ts';
import { countedHundredths, type VerifyingSchools } from '#server/db/queries/verification-state.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { allOf, type EntryFilter, hasDays, matchesDays, matchesFilter } from './filter-store.ts';

/** The number of entries, their hours in hundredths, and the number of people if the same query returned it. */
export type Sums = Readonly<{ entries: number; hundredths: number; people?: number }>;

const SUMMED = sql`coalesce(sum(entries), 0) as entries, coalesce(sum(hours_hundredths), 0) as hundredths`;

/**
 * Returns the sums of a filter; with `onlyVerifiedAt`, of verified hours. They come from the sum tables unless the filter
 * has a user, a status, `onlyVerifiedAt`, or an activity with days. `people` also asks for the number of people, which is
 * returned only if the same query can count them.
 */
export async function sumEntries(
  db: Db,
  filter: EntryFilter,
  wanted: { people?: boolean } = {},
): Promise<Sums> {
  const { schools, userId, activityId, state, onlyVerifiedAt } = filter;
  if (onlyVerifiedAt !== undefined) {
    return readOne<Sums>(
      db,
      sql`select count(*) as entries, coalesce(sum(counted_hundredths), 0) as hundredths,
          count(distinct user_id) as people from time_entries where ${matchesFilter(db, filter)}`,
    );
  }
  if (userId !== undefined || state !== undefined || (activityId !== undefined && hasDays(filter))) {
    return readOne<Sums>(
      db,
      sql`select count(*) as entries, coalesce(sum(hours_hundredths), 0) as hundredths
        from time_entries where ${matchesFilter(db, filter)}`,
    );
  }
  if (activityId !== undefined) {
    return readOne<Sums>(
      db,
      sql`select ${SUMMED}, coalesce(sum(people), 0) as people from activity_sums where activity_id = ${activityId}`,
    );
  }
  if (!hasDays(filter)) return sumSchools(db, filter);
  const people =
    wanted.people === true ? sql`, ${countDistinctVolunteers(db, filter, filter.weekday)} as people` : sql``;
  const days = matchesDays(db, sql.ref('entry_date'), filter);
  return readOne<Sums>(
    db,
    sql`select ${SUMMED}${people} from day_sums where ${allOf(withEachSchool(schools), days)}`,
  );
}

/** The verified hours of a filter's entries, in hundredths. At least one of its schools must verify hours. */
export async function sumVerifiedHours(
  db: Db,
  filter: EntryFilter,
  verifying: VerifyingSchools,
): Promise<number> {
  const { schools, userId, activityId, state } = filter;
  if (userId !== undefined || activityId !== undefined || state !== undefined) {
    return (await sumEntries(db, { ...filter, onlyVerifiedAt: verifying })).hundredths;
  }
  const table = hasDays(filter) ? 'day_sums' : 'school_sums';
  const where = allOf(withEachSchool(schools), matchesDays(db, sql.ref('entry_date'), filter));
  const { hundredths } = await readOne<{ hundredths: number }>(
    db,
    sql`select coalesce(sum(${countedHundredths(verifying, table)}), 0) as hundredths
      from ${sql.table(table)} where ${where}`,
  );
  return hundredths;
}

/** The sums of all entries of the filter's schools. `people` counts a user at two schools twice. */
export async function sumSchools(db: Db, { schools }: EntryFilter): Promise<Sums & { people: number }> {
  return readOne(
    db,
    sql`select ${SUMMED}, coalesce(sum(people), 0) as people from school_sums where ${inSchools('school_id', schools)}`,
  );
}

/** The number of people behind the entries of a filter; `found` are its sums. */
export async function countPeople(db: Db, filter: EntryFilter, found: Sums): Promise<number> {
  const { schools, userId, activityId, state, onlyVerifiedAt } = filter;
  if (found.entries === 0) return 0;
  if (userId !== undefined) return 1;
  if (onlyVerifiedAt !== undefined && found.people !== undefined) return found.people;
  // The sums of several schools count a user at two of them twice; the sums of days do not.
  const isOfEach = hasDays(filter) || activityId !== undefined || (schools !== 'all' && schools.length === 1);
  if (found.people !== undefined && isOfEach) return found.people;
  if (activityId !== undefined || state !== undefined) {
    return readPeople(
      db,
      sql`select count(distinct user_id) as people from time_entries where ${matchesFilter(db, filter)}`,
    );
  }
  if (hasDays(filter))
    return readPeople(db, sql`select ${countDistinctVolunteers(db, filter, filter.weekday)} as people`);
  const inScope = inSchools('school_id', schools);
  return readPeople(
    db,
    sql`select count(distinct user_id) as people from school_volunteers where entries > 0 and ${inScope}`,
  );
}

async function readPeople(db: Db, query: RawBuilder<unknown>): Promise<number> {
  return (await readOne<{ people: number }>(db, query)).people;
}

async function readOne<Found>(db: Db, query: RawBuilder<unknown>): Promise<Found> {
  const { rows } = await (query as RawBuilder<Found>).execute(db);
  return assertDefined(rows[0]);
}
