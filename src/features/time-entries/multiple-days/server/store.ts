import type { Trx } from '#server/db/database.ts';
import { lockForNoKeyUpdate } from '#server/db/row-locks.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';

/** What a person has logged on a day so far, in hundredths: in all, and for one activity. */
export type LoggedThatDay = Readonly<{ all: number; ofActivity: number }>;

/** Lets one call at a time log several days of a person: each counts what the others have logged. */
export async function lockVolunteer(trx: Trx, userId: number): Promise<void> {
  await lockForNoKeyUpdate(trx, trx.selectFrom('users').select('id').where('id', '=', userId)).execute();
}

/** The person's hours on these days; a day without any is left out. */
export async function loggedOn(
  trx: Trx,
  { userId, activityId }: { userId: number; activityId: number },
  dates: readonly CalendarDate[],
): Promise<Map<CalendarDate, LoggedThatDay>> {
  const rows = await trx
    .selectFrom('time_entries')
    .select(['entry_date', 'activity_id', 'hours_hundredths'])
    .where('user_id', '=', userId)
    .where('entry_date', 'in', dates)
    .where('deleted_at', 'is', null)
    .execute();
  const found = new Map<CalendarDate, LoggedThatDay>();
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

/** The days of an activity: null where it has none, or no end. */
export function datesOf(trx: Trx, activityId: number) {
  return trx
    .selectFrom('activities')
    .select(['active_from as activeFrom', 'active_until as activeUntil'])
    .where('id', '=', activityId)
    .executeTakeFirstOrThrow();
}
