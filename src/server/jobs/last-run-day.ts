import { addDays, type CalendarDate } from '#shared/calendar-date.ts';

/**
 * Whether something that was last done on a day is done for `today`. A day further ahead was noted by a wrong clock; the
 * next day is not, since a time zone may have been changed.
 */
export function hasRunOn(last: CalendarDate, today: CalendarDate): boolean {
  return last >= today && last <= addDays(today, 1);
}
