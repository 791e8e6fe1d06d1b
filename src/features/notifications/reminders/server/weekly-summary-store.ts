import type { Db } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';

type Days = Readonly<{ from: CalendarDate; to: CalendarDate }>;
type Moments = Readonly<{ from: Instant; to: Instant }>;

/** Returns users' hours in a period by activity, most first, in hundredths. */
export function sumHoursByActivity(db: Db, userIds: readonly number[], { from, to }: Days) {
  return db
    .selectFrom('time_entries')
    .innerJoin('activities', 'activities.id', 'time_entries.activity_id')
    .innerJoin('schools', 'schools.id', 'time_entries.school_id')
    .select(({ fn }) => [
      'time_entries.user_id as userId',
      translatedName('activities').as('activity'),
      translatedName('schools').as('school'),
      fn.sum<number>('time_entries.hours_hundredths').as('hundredths'),
    ])
    .where('time_entries.user_id', 'in', [...userIds])
    .where('time_entries.deleted_at', 'is', null)
    .where('time_entries.entry_date', '>=', from)
    .where('time_entries.entry_date', '<=', to)
    .groupBy(['time_entries.user_id', 'time_entries.activity_id', 'activities.id', 'schools.id'])
    .orderBy('hundredths', 'desc')
    .orderBy('time_entries.activity_id')
    .execute();
}

/** Returns users' total hours in a period, in hundredths. */
export async function sumHoursByUser(
  db: Db,
  userIds: readonly number[],
  { from, to }: Days,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('time_entries')
    .select(({ fn }) => ['user_id as userId', fn.sum<number>('hours_hundredths').as('hundredths')])
    .where('user_id', 'in', [...userIds])
    .where('deleted_at', 'is', null)
    .where('entry_date', '>=', from)
    .where('entry_date', '<=', to)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ userId, hundredths }) => [userId, hundredths]));
}

/** Returns decisions about users' hours in a period at schools with verification; hours are in hundredths. */
export function sumDecidedHours(db: Db, userIds: readonly number[], { from, to }: Moments) {
  return db
    .selectFrom('time_entries')
    .innerJoin('schools', 'schools.id', 'time_entries.school_id')
    .select(({ fn }) => [
      'time_entries.user_id as userId',
      'time_entries.verification as state',
      fn.countAll<number>().as('count'),
      fn.sum<number>('time_entries.counted_hundredths').as('hundredths'),
    ])
    .where('time_entries.user_id', 'in', [...userIds])
    .where('time_entries.deleted_at', 'is', null)
    .where('time_entries.verification', 'in', ['verified', 'declined'])
    .where('time_entries.decided_at', '>=', from)
    .where('time_entries.decided_at', '<', to)
    .where('schools.verification', '=', 'on')
    .groupBy(['time_entries.user_id', 'time_entries.verification'])
    .execute();
}

/**
 * Returns users' suggestions that were approved or rejected in a period. Leaves out users who get an email about each
 * decision, which is the default.
 */
export function listDecidedSuggestions(db: Db, userIds: readonly number[], { from, to }: Moments) {
  return db
    .selectFrom('activity_suggestions')
    .innerJoin(
      'suggestion_email_preferences',
      'suggestion_email_preferences.user_id',
      'activity_suggestions.user_id',
    )
    .innerJoin('schools', 'schools.id', 'activity_suggestions.school_id')
    .select([
      'activity_suggestions.user_id as userId',
      'activity_suggestions.name',
      'activity_suggestions.status',
      translatedName('schools').as('school'),
    ])
    .where('activity_suggestions.user_id', 'in', [...userIds])
    .where('activity_suggestions.status', 'in', ['approved', 'rejected'])
    .where('activity_suggestions.decided_at', '>=', from)
    .where('activity_suggestions.decided_at', '<', to)
    .where('suggestion_email_preferences.decisions', '=', 0)
    .orderBy('activity_suggestions.id')
    .execute();
}
