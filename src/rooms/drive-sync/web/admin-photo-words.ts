import { dayIn, formatDay } from '#base/calendar-date.ts';
import type { Id } from '#base/id.ts';
import type { Text } from '#web/lib/text.ts';
import { type ActivitySync, type DriveStatus, LIMITS, messages, type Sync } from '../contract.ts';

type Counts = Sync['photos'];

/** '12 photos', or that there are none. */
export function photosIn({ photoCount }: { photoCount: number }, { t }: Text): string {
  return photoCount === 0 ? t('drive-sync:withoutPhotos') : t('drive-sync:photos', { count: photoCount });
}

/** How photos ended: '18 copied, 3 already there, 0 failed'. */
export function outcomeOf({ successful, skipped, failed }: Counts, { t }: Text): string {
  return t('drive-sync:outcome', { successful, skipped, failed });
}

/** How many of a sync's photos are through, in either way. */
export function throughOf({ successful, skipped, failed }: Counts): number {
  return successful + skipped + failed;
}

/**
 * The activities of a sync that a further one can go on with, as many as that takes. It copies only what is not in
 * Drive yet.
 */
export function unfinishedIn({ activities }: Pick<Sync, 'activities'>): Id[] {
  return activities
    .filter(({ state }) => state === 'failed' || state === 'cancelled')
    .map(({ activityId }) => activityId)
    .slice(0, LIMITS.activities);
}

/** What is said of an activity within a sync. */
export function sentenceOf(activity: ActivitySync, text: Text): string {
  const { t, say } = text;
  const { name, state, error, total } = activity;
  if (state === 'queued') return t('drive-sync:queued');
  if (state === 'running') return t('drive-sync:through', { through: throughOf(activity), count: total });
  if (state === 'failed') return say(messages.failedToSync(name, error ?? say(messages.syncFailed)));
  return error ?? outcomeOf(activity, text);
}

/**
 * What is read out while a sync is under way: which activity it is at, and how far in quarters. Every photo would be
 * too much to listen to.
 */
export function announcementOf(sync: Sync, { t }: Text): string {
  const running = sync.activities.find(({ state }) => state === 'running');
  if (running === undefined) return t('drive-sync:queued');
  const { total } = sync.photos;
  const quarters = total === 0 ? 0 : Math.floor((throughOf(sync.photos) * 4) / total);
  return t('drive-sync:announced', { name: running.name, percent: quarters * 25 });
}

/** Whose Drive it is, who connected it and when. */
export function connectionIn(
  { account, connectedBy, connectedAt }: DriveStatus,
  timeZone: string,
  { t, language }: Text,
): string {
  const since =
    connectedBy === null || connectedAt === null
      ? null
      : t('drive-sync:connectedBy', {
          name: `${connectedBy.firstName} ${connectedBy.lastName}`,
          day: formatDay(dayIn(timeZone, connectedAt), language),
        });
  return [account, since].filter((part) => part !== null).join(' · ');
}
