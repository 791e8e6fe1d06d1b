import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { toHundredths } from '#shared/hours.ts';

/** For which of some milestones (in hours) somebody put the thanks of a school year away. */
export async function findDismissedThanks(
  db: Db,
  userId: number,
  yearFrom: CalendarDate,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('milestone_thanks')
    .select('hours_hundredths as hundredths')
    .where('user_id', '=', userId)
    .where('year_from', '=', yearFrom)
    .execute();
  return new Set(rows.map(({ hundredths }) => hundredths / 100));
}

/** Puts the thanks for some milestones of a school year away; again changes nothing. */
export async function putAway(
  trx: Trx,
  userId: number,
  yearFrom: CalendarDate,
  milestones: readonly number[],
): Promise<void> {
  if (milestones.length === 0) return;
  await trx
    .insertInto('milestone_thanks')
    .values(
      milestones.map((hours) => ({
        user_id: userId,
        year_from: yearFrom,
        hours_hundredths: toHundredths(hours),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** How many people with an account reached each of some milestones since a day. */
export async function countReached(
  db: Db,
  milestones: readonly number[],
  since: CalendarDate,
): Promise<number[]> {
  if (milestones.length === 0) return [];
  const row = await db
    .selectFrom(hoursOfPeople(db, since).as('person'))
    .select(
      milestones.map((hours) =>
        sql<number>`coalesce(sum(case when person.hundredths >= ${sql.lit(toHundredths(hours))} then 1 else 0 end), 0)`.as(
          `from${hours}`,
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  const counts = row as Readonly<Record<string, number>>;
  return milestones.map((hours) => Number(counts[`from${hours}`]));
}

/** Who reached a milestone since a day, by name; one row more than the limit. Hours are not among what is read. */
export function pageOfReached(db: Db, hours: number, since: CalendarDate, page: Page) {
  const [key, id] = page.after ?? [];
  return db
    .selectFrom(hoursOfPeople(db, since).as('person'))
    .innerJoin('users', 'users.id', 'person.userId')
    .select([
      'users.id',
      'users.first_name as firstName',
      'users.last_name as lastName',
      'users.sort_key as sortKey',
    ])
    .where('person.hundredths', '>=', toHundredths(hours))
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(users.sort_key, users.id) > (${key}, ${id})`),
    )
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .limit(page.limit + 1)
    .execute();
}

/** Everybody who reached a milestone since a day, by name. */
export function allReached(db: Db, hours: number, since: CalendarDate) {
  return db
    .selectFrom(hoursOfPeople(db, since).as('person'))
    .innerJoin('users', 'users.id', 'person.userId')
    .select(['users.id', 'users.first_name as firstName', 'users.last_name as lastName'])
    .where('person.hundredths', '>=', toHundredths(hours))
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .execute();
}

/** The names of the schools that these people are members of, in order; who has none is left out. */
export async function schoolsOfPeople(db: Db, userIds: readonly number[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (userIds.length === 0) return found;
  const rows = await db
    .selectFrom('user_schools')
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select(['user_schools.user_id as userId', 'schools.name'])
    .where('user_schools.user_id', 'in', userIds)
    .where('user_schools.status', '=', 'active')
    .orderBy('schools.name')
    .execute();
  for (const { userId, name } of rows) found.set(userId, [...(found.get(userId) ?? []), name]);
  return found;
}

// Whoever was erased or switched off is nobody to thank.
function hoursOfPeople(db: Db, since: CalendarDate) {
  return db
    .selectFrom('time_entries')
    .innerJoin('users as active', (join) =>
      join
        .onRef('active.id', '=', 'time_entries.user_id')
        .on('active.is_active', '=', 1)
        .on('active.erased_at', 'is', null),
    )
    .select(({ fn }) => [
      'time_entries.user_id as userId',
      fn.sum<number>('time_entries.hours_hundredths').as('hundredths'),
    ])
    .where('time_entries.deleted_at', 'is', null)
    .where('time_entries.entry_date', '>=', since)
    .groupBy('time_entries.user_id');
}
