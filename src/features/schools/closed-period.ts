import { addDays, type CalendarDate, formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('schools');

/** Sentences about closed hours: for volunteers, at screens that take no reason, and where one is missing. */
export const closedMessages = {
  closed: (date: string, school: string) => say('hoursClosed', { date, school }),
  closedHere: (date: string) => say('hoursClosedHere', { date }),
  reasonNeeded: (date: string) => say('closedReasonNeeded', { date }),
} as const;

/** The day before which hours are closed at a school, as seen on a day; nothing when none are (beyond section 1). */
export function closedBefore(
  { closedBefore, lateAfterDays }: { closedBefore: CalendarDate | null; lateAfterDays: number | null },
  today: CalendarDate,
): CalendarDate | null {
  if (lateAfterDays === null) return closedBefore;
  const lateBefore = addDays(today, -lateAfterDays);
  return closedBefore === null || closedBefore < lateBefore ? lateBefore : closedBefore;
}

/** The day from which on hours are open in words, without its year when that is this one. */
export function closingDayText(before: CalendarDate, today: CalendarDate, language: string): string {
  const isThisYear = before.slice(0, 4) === today.slice(0, 4);
  return isThisYear ? formatDayShort(before, language) : formatDay(before, language);
}
