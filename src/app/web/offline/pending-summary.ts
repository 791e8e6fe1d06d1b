import { isOfflinePhoto, type OfflinePhoto } from '#features/photos/web/offline-photos.ts';
import { isHours, offlineHoursAsText } from '#features/time-entries/web/offline-hours.ts';
import { saveBlob } from '#web/api/download.ts';
import { type Text, t } from '#web/i18n/translate.ts';
import type { PendingChange } from '#web/offline/pending-changes.ts';
import type { OfflineSession } from './offline-data.ts';

type Kinds = readonly Pick<PendingChange, 'kind'>[];

/** Summarizes pending changes: '2 entries and 1 photo'. */
export function describePending(waiting: Kinds, { t, language }: Text): string {
  const of = (kind: PendingChange['kind']) => waiting.filter((one) => one.kind === kind).length;
  const [entries, photos] = [of('entry'), of('photo')];
  const words = [
    ...(entries > 0 ? [t('time-entries:waitingEntries', { count: entries })] : []),
    ...(photos > 0 ? [t('photos:waitingPhotos', { count: photos })] : []),
  ];
  return new Intl.ListFormat(language).format(words);
}

/** Returns pending changes as lines of text, for a user who can't send them any more. */
export function pendingAsText(waiting: readonly PendingChange[], text: Text): string {
  const lines = waiting.map((one) => {
    if (isHours(one)) return offlineHoursAsText(one, text);
    return isOfflinePhoto(one) ? t('photos:waitingPhoto', { name: one.what.name }) : '';
  });
  return `${lines.join('\n')}\n`;
}

/** Saves the file of a pending photo. */
export async function saveFile(
  session: OfflineSession,
  { id, what }: PendingChange<OfflinePhoto>,
): Promise<void> {
  const file = await (await session.store)?.file(id);
  if (file !== undefined) saveBlob(file, what.name);
}
