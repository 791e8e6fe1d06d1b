import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { messages as entryMessages, NEW_ENTRY_EXTRAS, TimeEntry, TimeEntryInput } from '../contract.ts';
import type text from '../messages.en.json';

const say = messageFactory<typeof text>('time-entries');

/** The limits of one call: its days, the total hours on one day, and the minutes in which the call can be undone. */
export const MULTIPLE_DAYS = { days: 31, hoursOfDay: 24, undoMinutes: 15 } as const;

/** Messages about logging several days. */
export const multipleDaysMessages = {
  none: say('severalNone'),
  tooMany: say('severalTooMany', { max: MULTIPLE_DAYS.days }),
  twice: say('severalTwice'),
  unsure: say('severalUnsure'),
  refused: say('severalRefused'),
  full: (already: string, date: string) => say('severalFull', { already, date }),
  already: (already: string, activity: string, date: string) =>
    say('severalAlready', { already, activity, date }),
  outside: (activity: string, date: string) => say('severalOutside', { activity, date }),
  future: (date: string) => say('severalFuture', { date }),
  closed: (date: string) => say('severalClosed', { date }),
  logged: (count: number, hours: string, activity: string) =>
    say('severalLogged', { count, hours, activity }),
  undone: (count: number) => say('severalUndone', { count }),
  undonePartly: (count: number) => say('severalUndonePartly', { count }),
  undoneBefore: say('severalUndoneBefore'),
  tooLate: say('severalTooLate', { minutes: MULTIPLE_DAYS.undoMinutes }),
} as const;

const { entryDate: _, ...sameEachDay } = TimeEntryInput.shape;

/** The same hours for one activity on each of several days. `isSure` also logs days that need confirmation. */
const MultipleDaysInput = z.object({
  ...sameEachDay,
  ...NEW_ENTRY_EXTRAS,
  dates: z.array(CalendarDate, multipleDaysMessages.none).check(
    z.minLength(1, multipleDaysMessages.none),
    z.maxLength(MULTIPLE_DAYS.days, multipleDaysMessages.tooMany),
    z.refine((dates) => new Set(dates).size === dates.length, { error: multipleDaysMessages.twice }),
  ),
  isSure: z.optional(z.boolean()),
});
export type MultipleDaysInput = z.infer<typeof MultipleDaysInput>;

/**
 * Logs all of the days or none. A day that cannot be logged returns 400 with the field 'dates.3.date'. A day that already has
 * hours for the activity, or is outside its dates, returns 409 with the same field until `isSure` is sent. `batch` undoes all
 * of them for `MULTIPLE_DAYS.undoMinutes`; it is null if the viewer cannot delete them.
 */
export const logSeveral = endpoint('POST', '/time-entries/several', {
  body: MultipleDaysInput,
  reply: z.object({
    timeEntries: z.array(TimeEntry),
    batch: z.nullable(z.string()),
    message: z.string(),
  }),
  status: 201,
});

/** Undoes several days, except entries that have since been changed or decided about. */
export const undoSeveral = endpoint('POST', '/time-entries/several/undo', {
  body: z.object({
    batch: z.string(entryMessages.notFound).check(z.maxLength(4_000, entryMessages.notFound)),
  }),
  reply: z.object({ deleted: z.int(), message: z.string() }),
});
