import { formatDay } from '#shared/calendar-date.ts';
import type { Text } from '#web/i18n/translate.ts';
import type { Photo } from '../contract.ts';

/** Returns the alt text of a photo: its caption, or else the name of its activity. */
export function altText(photo: Photo, { t }: Text): string {
  return photo.caption ?? t('photos:altOf', { activity: photo.activity.name });
}

/** Returns the day of a photo's activity, or 'ongoing' if it has none. */
export function activityDay(photo: Photo, { t, language }: Text): string {
  const { activeFrom } = photo.activity;
  return activeFrom === null ? t('activities:ongoing') : formatDay(activeFrom, language);
}

/** Formats a file size such as '2.4 MB' or '310 KB'. */
export function fileSize(bytes: number, { language }: Text): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? bytes / 1_000_000 : Math.max(1, bytes / 1000));
}
