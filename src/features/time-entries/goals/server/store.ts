import type { Db, Trx } from '#server/db/database.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { fromHundredths, type Hours, toHundredths } from '#shared/hours.ts';

/** The hours that somebody set themselves for a school year, by its first day; null without a goal. */
export async function goalOf(db: Db, userId: number, yearStart: CalendarDate): Promise<Hours | null> {
  const row = await db
    .selectFrom('hour_goals')
    .select('hours_hundredths as hundredths')
    .where('user_id', '=', userId)
    .where('year_from', '=', yearStart)
    .executeTakeFirst();
  return row === undefined ? null : fromHundredths(row.hundredths);
}

/** Somebody's hours at all schools from a day on. */
export async function hoursSince(db: Db, userId: number, since: CalendarDate): Promise<Hours> {
  const row = await db
    .selectFrom('time_entries')
    .select(({ fn }) => fn.sum<number | null>('hours_hundredths').as('hundredths'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('entry_date', '>=', since)
    .executeTakeFirstOrThrow();
  return fromHundredths(Number(row.hundredths ?? 0));
}

/** Stores a goal. */
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

/** Removes the goal of a school year. */
export async function removeGoal(trx: Trx, userId: number, yearStart: CalendarDate): Promise<void> {
  await trx
    .deleteFrom('hour_goals')
    .where('user_id', '=', userId)
    .where('year_from', '=', yearStart)
    .execute();
}

/** The goals of a person's school years. */
export function ownGoals(db: Db, userId: number) {
  return ofEachYear(db, 'hour_goals', userId);
}

/** The milestones for which a person put the thanks away. */
export function ownThanks(db: Db, userId: number) {
  return ofEachYear(db, 'milestone_thanks', userId);
}

async function ofEachYear(db: Db, table: 'hour_goals' | 'milestone_thanks', userId: number) {
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

/** Deletes the goals of a person, and which thanks they put away. */
export async function deleteGoalsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('hour_goals').where('user_id', '=', userId).execute();
  await trx.deleteFrom('milestone_thanks').where('user_id', '=', userId).execute();
}
