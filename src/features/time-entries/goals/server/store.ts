import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { fromHundredths, type Hours, toHundredths } from '#shared/hours.ts';

/** A volunteer's goal for a school year, by its first day; null without one. */
export async function findGoal(db: Db, userId: number, yearStart: CalendarDate): Promise<Hours | null> {
  const row = await db
    .selectFrom('hour_goals')
    .select('hours_hundredths as hundredths')
    .where('user_id', '=', userId)
    .where('year_from', '=', yearStart)
    .executeTakeFirst();
  return row === undefined ? null : fromHundredths(row.hundredths);
}

/** A volunteer's hours at all schools since a day. */
export async function sumHoursSince(db: Db, userId: number, since: CalendarDate): Promise<Hours> {
  const row = await db
    .selectFrom('time_entries')
    .select(({ fn }) => fn.sum<number | null>('hours_hundredths').as('hundredths'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('entry_date', '>=', since)
    .executeTakeFirstOrThrow();
  return fromHundredths(row.hundredths ?? 0);
}

/** Stores a volunteer's goal for a school year, replacing any earlier one. */
export async function saveGoal(
  trx: Trx,
  userId: number,
  yearStart: CalendarDate,
  hours: Hours,
): Promise<void> {
  const hundredths = toHundredths(hours);
  await trx
    .insertInto('hour_goals')
    .values({ user_id: userId, year_from: yearStart, hours_hundredths: hundredths })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'year_from']).doUpdateSet({ hours_hundredths: hundredths }),
    )
    .execute();
}

/** Removes a volunteer's goal for a school year. */
export async function removeGoal(trx: Trx, userId: number, yearStart: CalendarDate): Promise<void> {
  await trx
    .deleteFrom('hour_goals')
    .where('user_id', '=', userId)
    .where('year_from', '=', yearStart)
    .execute();
}

/** A volunteer's goals of all school years. */
export function listGoals(db: Db, userId: number) {
  return listByYear(db, 'hour_goals', userId);
}

/** The milestones whose thank-you a volunteer dismissed. */
export function listDismissedThanks(db: Db, userId: number) {
  return listByYear(db, 'milestone_thanks', userId);
}

async function listByYear(db: Db, table: 'hour_goals' | 'milestone_thanks', userId: number) {
  const rows = await db
    .selectFrom(table)
    .select(['year_from as schoolYearFrom', 'hours_hundredths as hundredths'])
    .where('user_id', '=', userId)
    .orderBy('year_from')
    .orderBy('hours_hundredths')
    .execute();
  return rows.map(({ schoolYearFrom, hundredths }) => ({
    schoolYearFrom,
    hours: fromHundredths(hundredths),
  }));
}

/** Deletes the goals and the dismissed thank-yous of a user. */
export async function deleteGoalsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('hour_goals').where('user_id', '=', userId).execute();
  await trx.deleteFrom('milestone_thanks').where('user_id', '=', userId).execute();
}

/** The milestones, in hours, whose thank-you a volunteer dismissed in a school year. */
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

/** Marks the thank-yous for these milestones as dismissed in a school year. Idempotent. */
export async function dismissThanks(
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

/** The number of active users who reached each milestone since a day. */
export async function countReached(
  db: Db,
  milestones: readonly number[],
  since: CalendarDate,
): Promise<number[]> {
  if (milestones.length === 0) return [];
  const row = await db
    .selectFrom(sumHoursByPerson(db, since).as('person'))
    .select(
      milestones.map((hours) =>
        sql<number>`coalesce(sum(case when person.hundredths >= ${sql.lit(toHundredths(hours))} then 1 else 0 end), 0)`.as(
          `from${hours}`,
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  const counts = row as Readonly<Record<string, number>>;
  return milestones.map((hours) => counts[`from${hours}`] ?? 0);
}

/**
 * The people who reached a milestone since a day, by name, with one row more than the limit. Their hours are not
 * selected.
 */
export function readReachedPage(db: Db, hours: number, since: CalendarDate, page: Page) {
  const [key, id] = page.after ?? [];
  return selectReached(db, hours, since)
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(users.sort_key, users.id) > (${key}, ${id})`),
    )
    .limit(page.limit + 1)
    .execute();
}

/** All people who reached a milestone since a day, by name. */
export function listAllReached(db: Db, hours: number, since: CalendarDate) {
  return selectReached(db, hours, since).execute();
}

function selectReached(db: Db, hours: number, since: CalendarDate) {
  return db
    .selectFrom(sumHoursByPerson(db, since).as('person'))
    .innerJoin('users', 'users.id', 'person.userId')
    .select([
      'users.id',
      'users.first_name as firstName',
      'users.last_name as lastName',
      'users.sort_key as sortKey',
    ])
    .where('person.hundredths', '>=', toHundredths(hours))
    .orderBy('users.sort_key')
    .orderBy('users.id');
}

/** The names of the schools that these users belong to, in order. Users without a school are left out. */
export async function findSchoolNames(db: Db, userIds: readonly number[]): Promise<Map<number, string[]>> {
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

// Deleted and deactivated accounts get no thanks.
function sumHoursByPerson(db: Db, since: CalendarDate) {
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
