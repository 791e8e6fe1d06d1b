import { addDays, type CalendarDate, formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('schools');

/** Messages about closed periods: for volunteers, for screens without a reason field, and if the reason is missing. */
export const closedMessages = {
  closed: (date: string, school: string) => say('hoursClosed', { date, school }),
  closedHere: (date: string) => say('hoursClosedHere', { date }),
  reasonNeeded: (date: string) => say('closedReasonNeeded', { date }),
} as const;

/**
 * Returns the day before which a school's hours are closed as of a given day, or null if no hours are closed (beyond section
 * 1).
 */
export function closedBefore(
  { closedBefore, lateAfterDays }: { closedBefore: CalendarDate | null; lateAfterDays: number | null },
  today: CalendarDate,
): CalendarDate | null {
  if (lateAfterDays === null) return closedBefore;
  const lateBefore = addDays(today, -lateAfterDays);
  return closedBefore === null || closedBefore < lateBefore ? lateBefore : closedBefore;
}

/** Formats the first open day, without the year if it is the current one. */
export function closingDayText(before: CalendarDate, today: CalendarDate, language: string): string {
  const isThisYear = before.slice(0, 4) === today.slice(0, 4);
  return isThisYear ? formatDayShort(before, language) : formatDay(before, language);
}
