import * as z from 'zod/mini';
import { GuestVolunteerInput } from '#features/users/guest-volunteers/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { idOr } from '#shared/id.ts';
import { asked, details, messages as entryMessages, hoursBetween, TimeEntry } from '../contract.ts';
import type adminText from '../messages.staff.en.json';

const say = messageFactory<typeof adminText>('time-entries');

/**
 * How many volunteers one roster takes, how large its body may be (security: a roster 1 MB), and for how long all of it can be
 * undone.
 */
export const ROSTER = { entries: 500, bodyBytes: 1_048_576, undoMinutes: 15 } as const;

/** Sentences of a roster. */
export const messages = {
  empty: say('rosterEmpty'),
  tooLong: say('rosterTooLong', { max: ROSTER.entries }),
  twice: say('rosterTwice'),
  logged: (count: number, hours: string, activity: string, date: string) =>
    say('rosterLogged', { count, hours, activity, date }),
  undone: (count: number) => say('rosterUndone', { count }),
  undonePartly: (count: number, kept: number) => say('rosterUndonePartly', { count, kept }),
  undoneBefore: say('rosterUndoneBefore'),
  tooLateToUndo: say('rosterTooLate', { minutes: ROSTER.undoMinutes }),
} as const;

const RosterRow = z
  .object({
    userId: z.optional(idOr(entryMessages.volunteerRequired)),
    /** Somebody without an account, who becomes a walk-in. */
    walkIn: z.optional(GuestVolunteerInput),
    hours: hoursBetween(entryMessages.hours),
  })
  .check(
    z.refine(({ userId, walkIn }) => (userId === undefined) !== (walkIn === undefined), {
      error: entryMessages.volunteerRequired,
      path: ['userId'],
    }),
  );

/** One event, one day, many volunteers with their hours: all are logged or none. */
export const GroupEntryInput = z.object({
  activityId: idOr(entryMessages.activityAndHours),
  ...details,
  entries: z
    .array(RosterRow, messages.empty)
    .check(z.minLength(1, messages.empty), z.maxLength(ROSTER.entries, messages.tooLong)),
});
export type GroupEntryInput = z.infer<typeof GroupEntryInput>;

/**
 * An error in a row is reported under the row's field name: 'entries.3.hours', 'entries.3.userId'. `batch` undoes the whole
 * roster for a quarter of an hour; nobody but its sender can use it.
 */
export const logRoster = endpoint('POST', '/admin/time-entries/roster', {
  body: z.object({ ...GroupEntryInput.shape, reason: asked.reason }),
  bodyBytes: ROSTER.bodyBytes,
  reply: z.object({ timeEntries: z.array(TimeEntry), batch: z.string(), message: z.string() }),
  status: 201,
});

/** Deletes what a roster logged, but for what was changed since, and the walk-ins that came with it. */
export const undoRoster = endpoint('POST', '/admin/time-entries/roster/undo', {
  body: z.object({
    batch: z.string(messages.tooLateToUndo).check(z.maxLength(40_000, messages.tooLateToUndo)),
  }),
  reply: z.object({ deleted: z.int(), message: z.string() }),
});
