import type { Trx } from '#server/db/database.ts';
import { lockForNoKeyUpdate } from '#server/db/row-locks.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';

/** A volunteer's hours on a day so far, in hundredths: in total and for one activity. */
export type LoggedOnDay = Readonly<{ all: number; ofActivity: number }>;

/** Serializes calls that log several days for a user, because each checks the hours already logged on a day. */
export async function lockVolunteer(trx: Trx, userId: number): Promise<void> {
  await lockForNoKeyUpdate(trx, trx.selectFrom('users').select('id').where('id', '=', userId)).execute();
}

/** The user's hours on these days; days without hours are left out. */
export async function findHoursByDay(
  trx: Trx,
  { userId, activityId }: { userId: number; activityId: number },
  dates: readonly CalendarDate[],
): Promise<Map<CalendarDate, LoggedOnDay>> {
  const rows = await trx
    .selectFrom('time_entries')
    .select(['entry_date', 'activity_id', 'hours_hundredths'])
    .where('user_id', '=', userId)
    .where('entry_date', 'in', dates)
    .where('deleted_at', 'is', null)
    .execute();
  const found = new Map<CalendarDate, LoggedOnDay>();
  for (const row of rows) {
    const { all, ofActivity } = found.get(row.entry_date) ?? { all: 0, ofActivity: 0 };
    const hundredths = row.hours_hundredths;
    found.set(row.entry_date, {
      all: all + hundredths,
      ofActivity: ofActivity + (row.activity_id === activityId ? hundredths : 0),
    });
  }
  return found;
}

/** The first and last day of an activity; each is null if not set. */
export function findActivityDates(trx: Trx, activityId: number) {
  return trx
    .selectFrom('activities')
    .select(['active_from as activeFrom', 'active_until as activeUntil'])
    .where('id', '=', activityId)
    .executeTakeFirstOrThrow();
}
