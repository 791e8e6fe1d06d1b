import { isHappening } from '#features/activities/activity-groups.ts';
import type { Activity } from '#features/activities/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import type { TimeEntry } from '../contract.ts';

/** How many 'log again' buttons there are. */
export const LOG_AGAIN = 3;

type Logged = Pick<TimeEntry, 'activityId' | 'hours' | 'entryDate'>;

/** An activity to suggest first, with the person's last entry for it, if any. */
export type LikelyActivity = { activity: Activity; last: Logged | undefined };

/** The hours this person logs most often for an activity; on a tie, the more recent. */
export function usualHours(entries: readonly Logged[], activityId: Id): Hours | undefined {
  const counts = new Map<Hours, number>();
  for (const entry of entries) {
    if (entry.activityId === activityId) counts.set(entry.hours, (counts.get(entry.hours) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

/**
 * The activities the person most likely helped with: today's events, then those logged most recently. At most two
 * events never logged before come first, so that habits keep their place on a busy day. `entries` are the person's own,
 * latest first.
 */
export function likelyActivities(
  entries: readonly Logged[],
  activities: readonly Activity[],
  today: CalendarDate,
): LikelyActivity[] {
  const byId = new Map(activities.map((activity) => [activity.id, activity]));
  const logged: LikelyActivity[] = [];
  for (const last of entries) {
    const activity = byId.get(last.activityId);
    if (activity?.isActive && byId.delete(last.activityId)) logged.push({ activity, last });
  }
  const happening = logged.filter(({ activity }) => isHappening(activity, today));
  const habits = logged.filter(({ activity }) => !isHappening(activity, today));
  const unlogged = [...byId.values()]
    .filter((activity) => isHappening(activity, today))
    .map((activity) => ({ activity, last: undefined }));
  const room = Math.max(LOG_AGAIN - happening.length - habits.length, 2 - happening.length, 0);
  return [...happening, ...unlogged.slice(0, room), ...habits].slice(0, LOG_AGAIN);
}
