import { formatDay } from '#base/calendar-date.ts';
import type { Text } from '#web/lib/text.ts';
import type { Photo } from '../contract.ts';

/** What is said of a picture to whoever does not see it: its caption, or else what it belongs to. */
export function altOf(photo: Photo, { t }: Text): string {
  return photo.caption ?? t('photos:altOf', { activity: photo.activity.name });
}

/** The day of a photo's activity; one without a day is ongoing. */
export function activityDay(photo: Photo, { t, language }: Text): string {
  const { activeFrom } = photo.activity;
  return activeFrom === null ? t('activities:ongoing') : formatDay(activeFrom, language);
}

/** A file's size for a person: '2.4 MB', '310 KB'. */
export function fileSize(bytes: number, { language }: Text): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? bytes / 1_000_000 : Math.max(1, bytes / 1000));
}
