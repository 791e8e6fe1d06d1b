import { dayIn, formatDay } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import type { Text } from '#web/i18n/translate.ts';
import { type ActivitySync, type DriveStatus, LIMITS, messages, type Sync } from '../contract.ts';

type Counts = Sync['photos'];

/** Returns the number of photos as '12 photos', or a text for none. */
export function photoCountLabel({ photoCount }: { photoCount: number }, { t }: Text): string {
  return photoCount === 0 ? t('google-drive:withoutPhotos') : t('google-drive:photos', { count: photoCount });
}

/** Returns the outcome of a sync's photos: '18 copied, 3 already there, 0 failed'. */
export function outcomeLabel({ successful, skipped, failed }: Counts, { t }: Text): string {
  return t('google-drive:outcome', { successful, skipped, failed });
}

/** Counts a sync's finished photos, whatever their outcome. */
export function countFinishedPhotos({ successful, skipped, failed }: Counts): number {
  return successful + skipped + failed;
}

/**
 * Returns the failed or canceled activities of a sync, up to the limit of one sync, so that another sync can continue with
 * them. The other sync copies only photos that are not in Drive yet.
 */
export function findUnfinishedActivities({ activities }: Pick<Sync, 'activities'>): Id[] {
  return activities
    .filter(({ state }) => state === 'failed' || state === 'cancelled')
    .map(({ activityId }) => activityId)
    .slice(0, LIMITS.activities);
}

/** Returns the status text of an activity in a sync. */
export function statusLabel(activity: ActivitySync, text: Text): string {
  const { t, say } = text;
  const { name, state, error, total } = activity;
  if (state === 'queued') return t('google-drive:queued');
  if (state === 'running')
    return t('google-drive:through', { through: countFinishedPhotos(activity), count: total });
  if (state === 'failed') return say(messages.failedToSync(name, error ?? say(messages.syncFailed)));
  return error ?? outcomeLabel(activity, text);
}

/**
 * Returns the screen reader announcement while a sync is running: the current activity and the progress in steps of 25 percent.
 * Announcing every photo would be too much.
 */
export function syncAnnouncement(sync: Sync, { t }: Text): string {
  const running = sync.activities.find(({ state }) => state === 'running');
  if (running === undefined) return t('google-drive:queued');
  const { total } = sync.photos;
  const quarters = total === 0 ? 0 : Math.floor((countFinishedPhotos(sync.photos) * 4) / total);
  return t('google-drive:announced', { name: running.name, percent: quarters * 25 });
}

/** Returns the connected account, and who connected it and when. */
export function connectionLabel(
  { account, connectedBy, connectedAt }: DriveStatus,
  timeZone: string,
  { t, language }: Text,
): string {
  const since =
    connectedBy === null || connectedAt === null
      ? null
      : t('google-drive:connectedBy', {
          name: fullName(connectedBy),
          day: formatDay(dayIn(timeZone, connectedAt), language),
        });
  return [account, since].filter((part) => part !== null).join(' · ');
}
