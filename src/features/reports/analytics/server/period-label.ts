import type { Deps } from '#server/deps.ts';
import { type CalendarDate, formatDay } from '#shared/calendar-date.ts';

/** The days of a report in words. */
export function daysInWords(
  { catalogue: { t, language } }: Deps,
  { startDate, endDate }: { startDate?: CalendarDate | undefined; endDate?: CalendarDate | undefined },
): string {
  const [from, to] = [startDate, endDate].map((date) => date && formatDay(date, language));
  if (from && to) return t('analytics:fromTo', { from, to });
  if (from) return t('analytics:since', { date: from });
  return to ? t('analytics:until', { date: to }) : t('analytics:allTime');
}
