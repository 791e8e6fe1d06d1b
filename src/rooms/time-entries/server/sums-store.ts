import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { inSchools } from '#server/db/scope.ts';
import { all, type EntryFilter, matching, within } from './filter-store.ts';

/** How many entries there are and how many hours they make, in hundredths; of how many people, when that is kept too. */
export type Sums = Readonly<{ entries: number; hundredths: number; people?: number }>;

// Looking one person up costs about as much as reading so many entries one after the other.
const READ_PER_LOOK = 6;

const SUMMED = sql`coalesce(sum(entries), 0) as entries, coalesce(sum(hours_hundredths), 0) as hundredths`;

/** How many entries a filter finds; from the sums that are kept, unless it names a person or days of an activity. */
export async function sumEntries(db: Db, filter: EntryFilter): Promise<Sums> {
  const { schools, userId, activityId } = filter;
  const hasDays = filter.startDate !== undefined || filter.endDate !== undefined;
  if (userId !== undefined || (activityId !== undefined && hasDays)) {
    return one<Sums>(
      db,
      sql`select count(*) as entries, coalesce(sum(hours_hundredths), 0) as hundredths
        from time_entries where ${matching(db, filter)}`,
    );
  }
  if (activityId !== undefined) {
    return one<Sums>(
      db,
      sql`select ${SUMMED}, coalesce(sum(people), 0) as people from activity_sums where activity_id = ${activityId}`,
    );
  }
  if (!hasDays) return sumSchools(db, filter);
  const days = within(sql.ref('entry_date'), filter);
  // Days stand school by school: with none named, those of each school are looked up.
  const ofSchools =
    schools === 'all'
      ? sql`school_id in (select school_id from school_sums)`
      : inSchools('school_id', schools);
  return one<Sums>(db, sql`select ${SUMMED} from day_sums where ${all(ofSchools, days)}`);
}

/** All entries of the filter's schools, and of how many people they are: somebody at two schools counts twice. */
export async function sumSchools(db: Db, { schools }: EntryFilter): Promise<Sums & { people: number }> {
  return one(
    db,
    sql`select ${SUMMED}, coalesce(sum(people), 0) as people from school_sums where ${inSchools('school_id', schools)}`,
  );
}

/** Of how many people the entries are that a filter finds and that were summed. */
export async function countPeople(db: Db, filter: EntryFilter, found: Sums): Promise<number> {
  const { schools, userId, activityId, startDate, endDate } = filter;
  if (found.entries === 0) return 0;
  if (userId !== undefined) return 1;
  const isOneSchool = schools !== 'all' && schools.length === 1;
  if (found.people !== undefined && (isOneSchool || activityId !== undefined)) return found.people;
  if (startDate === undefined && endDate === undefined) {
    const inScope = inSchools('school_id', schools);
    const different = sql`select count(distinct user_id) as people from school_people where entries > 0`;
    return people(db, sql`${different} and ${inScope}`);
  }
  const isScanned =
    activityId !== undefined || found.entries <= READ_PER_LOOK * (await sumSchools(db, filter)).people;
  if (!isScanned) return people(db, isOneSchool ? lookedUpAt(db, filter) : lookedUp(db, filter));
  return people(
    db,
    sql`select count(distinct user_id) as people from time_entries where ${matching(db, filter)}`,
  );
}

// Everybody who ever logged hours at the school is asked whether they did on one of the days.
function lookedUpAt(db: Db, filter: EntryFilter): RawBuilder<unknown> {
  return sql`select count(*) as people from school_people
    where ${inSchools('school_people.school_id', filter.schools)} and exists (
      select 1 from time_entries where time_entries.user_id = school_people.user_id and ${matching(db, filter)})`;
}

function lookedUp(db: Db, filter: EntryFilter): RawBuilder<unknown> {
  return sql`select count(*) as people from users where exists (
    select 1 from time_entries where time_entries.user_id = users.id and ${matching(db, filter)})`;
}

async function people(db: Db, query: RawBuilder<unknown>): Promise<number> {
  return (await one<{ people: number }>(db, query)).people;
}

async function one<Found>(db: Db, query: RawBuilder<unknown>): Promise<Found> {
  const { rows } = await (query as RawBuilder<Found>).execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a sum has one row');
  return row;
}
