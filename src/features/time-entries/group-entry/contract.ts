import * as z from 'zod/mini';
import { GuestVolunteerInput } from '#features/users/guest-volunteers/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { idOr } from '#shared/id.ts';
import {
  entryDetails,
  messages as entryMessages,
  hoursSchema,
  NEW_ENTRY_EXTRAS,
  TimeEntry,
} from '../contract.ts';
import type adminText from '../messages.staff.en.json';

const say = messageFactory<typeof adminText>('time-entries');

/**
 * The limits of a group entry: volunteers, body size in bytes, and minutes in which all of it can be undone.
 */
export const GROUP_ENTRY = { entries: 500, bodyBytes: 1_048_576, undoMinutes: 15 } as const;

/** Messages about group entries. */
export const messages = {
  empty: say('rosterEmpty'),
  tooLong: say('rosterTooLong', { max: GROUP_ENTRY.entries }),
  twice: say('rosterTwice'),
  logged: (count: number, hours: string, activity: string, date: string) =>
    say('rosterLogged', { count, hours, activity, date }),
  undone: (count: number) => say('rosterUndone', { count }),
  undonePartly: (count: number, kept: number) => say('rosterUndonePartly', { count, kept }),
  undoneBefore: say('rosterUndoneBefore'),
  tooLateToUndo: say('rosterTooLate', { minutes: GROUP_ENTRY.undoMinutes }),
} as const;

const VolunteerRow = z
  .object({
    userId: z.optional(idOr(entryMessages.volunteerRequired)),
    /** A person without an account, who becomes a guest volunteer. */
    walkIn: z.optional(GuestVolunteerInput),
    hours: hoursSchema(entryMessages.hours),
  })
  .check(
    z.refine(({ userId, walkIn }) => (userId === undefined) !== (walkIn === undefined), {
      error: entryMessages.volunteerRequired,
      path: ['userId'],
    }),
  );

/** One event on one day with many volunteers and their hours. Either all of them are logged or none. */
export const GroupEntryInput = z.object({
  activityId: idOr(entryMessages.activityAndHours),
  ...entryDetails,
  entries: z
    .array(VolunteerRow, messages.empty)
    .check(z.minLength(1, messages.empty), z.maxLength(GROUP_ENTRY.entries, messages.tooLong)),
});
export type GroupEntryInput = z.infer<typeof GroupEntryInput>;

/**
 * An error in a row is reported under the row's field name: 'entries.3.hours', 'entries.3.userId'. `batch` undoes the
 * whole group entry for `GROUP_ENTRY.undoMinutes`; only its sender can use it.
 */
export const logRoster = endpoint('POST', '/admin/time-entries/roster', {
  body: z.object({ ...GroupEntryInput.shape, reason: NEW_ENTRY_EXTRAS.reason }),
  bodyBytes: GROUP_ENTRY.bodyBytes,
  reply: z.object({ timeEntries: z.array(TimeEntry), batch: z.string(), message: z.string() }),
  status: 201,
});

/** Deletes the entries of a group entry that have not changed since, and its guest volunteers who have no other entries. */
export const undoRoster = endpoint('POST', '/admin/time-entries/roster/undo', {
  body: z.object({
    batch: z.string(messages.tooLateToUndo).check(z.maxLength(40_000, messages.tooLateToUndo)),
  }),
  reply: z.object({ deleted: z.int(), message: z.string() }),
});
