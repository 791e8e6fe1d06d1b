import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';

/**
 * Waiting hours at a school. `staffId` is the staff member whose hours they are; null means the hours of everyone else. Hours
 * are in hundredths; `oldestAt` is when the oldest were logged.
 */
export type Waiting = Awaited<ReturnType<typeof countPendingBySchool>>[number];

/**
 * Waiting hours at the schools that verify them, by name. Hours of staff, who cannot verify their own, are separate
 * rows. Hours logged before `limit` are overdue.
 */
export function countPendingBySchool(db: Db, limit: Instant) {
  const isTooLong = sql`entry.created_at < ${limit}`;
  return db
    .selectFrom('time_entries as entry')
    .innerJoin('schools', 'schools.id', 'entry.school_id')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('users')
          .select('users.id')
          .where('users.role', '=', 'admin')
          .union(eb.selectFrom('user_grants').select('user_grants.user_id as id'))
          .as('staff'),
      (join) => join.onRef('staff.id', '=', 'entry.user_id'),
    )
    .where('entry.verification', '=', 'waiting')
    .where('entry.deleted_at', 'is', null)
    .where('schools.verification', '=', 'on')
    .groupBy(['schools.id', 'schools.name_key', 'staff.id'])
    .orderBy('schools.name_key')
    .orderBy('schools.id')
    .select(({ fn }) => [
      'schools.id as schoolId',
      translatedName('schools').as('school'),
      'staff.id as staffId',
      fn.countAll<number>().as('count'),
      fn.sum<number>('entry.hours_hundredths').as('hundredths'),
      sql<number>`sum(case when ${isTooLong} then 1 else 0 end)`.as('tooLong'),
      sql<number>`sum(case when ${isTooLong} then entry.hours_hundredths else 0 end)`.as('tooLongHundredths'),
      fn.min('entry.created_at').as('oldestAt'),
    ])
    .execute();
}

/** Whether any of these schools verifies hours. */
export function isAnyVerifying(db: Db, schools: SchoolScope): Promise<boolean> {
  return hasRows(db.selectFrom('schools').where('verification', '=', 'on').where(inSchools('id', schools)));
}

/** A user's reminder preference, and the Monday of the week of their last reminder; undefined when neither. */
export function findEmailPreference(db: Db, userId: number) {
  return db
    .selectFrom('verifier_email_preferences')
    .select(['is_wanted as wanted', 'last_week as lastWeek'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores whether a user wants the weekly reminder; does nothing for a deleted account. */
export async function saveEmailPreference(trx: Trx, userId: number, isWanted: boolean): Promise<void> {
  const flag = isWanted ? 1 : 0;
  await trx
    .insertInto('verifier_email_preferences')
    .columns(['user_id', 'is_wanted'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['users.id', sql<0 | 1>`cast(${flag} as smallint)`.as('is_wanted')])
        .where('users.id', '=', userId)
        .where('users.erased_at', 'is', null),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_wanted: flag }))
    .execute();
}

/** Marks a user's reminder for a week as sent. Returns false if it already was, or if the user opted out. */
export function claimWeek(trx: Trx, userId: number, monday: CalendarDate): Promise<boolean> {
  return changesRows(
    trx
      .insertInto('verifier_email_preferences')
      .values({ user_id: userId, is_wanted: 1, last_week: monday })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ last_week: monday })
          .where('verifier_email_preferences.is_wanted', '=', 1)
          .where((eb) =>
            eb.or([
              eb('verifier_email_preferences.last_week', 'is', null),
              eb('verifier_email_preferences.last_week', '<', monday),
            ]),
          ),
      ),
  );
}

/** Deletes a user's reminder preference. */
export async function deleteEmailPreference(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('verifier_email_preferences').where('user_id', '=', userId).execute();
}
