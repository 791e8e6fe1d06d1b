import * as z from 'zod/mini';
import { ActivityRef } from '#features/activities/contract.ts';
import { emailOr, PersonRef, messages as userMessages } from '#features/users/contract.ts';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { type Hours, hasAtMostTwoDecimals, sumHours } from '#shared/hours.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { optionalText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';
import type adminText from './messages.staff.en.json';
import {
  FLAGS,
  StatusParam,
  Verification,
  VerifiedOnlyFilter,
  verifiedHours,
} from './verification-status.ts';

const say = messageFactory<typeof text & typeof adminText>('time-entries');

/**
 * The limits of an entry's hours. `step` applies only to the form; the server accepts two decimals (specification section 9,
 * decisions).
 */
export const HOURS = { min: 0.25, max: 24, step: 0.25 } as const;

/** Maximum lengths, in characters (specification section 5). */
export const LIMITS = { notes: 500 } as const;

/** How many recent entries the dashboard loads per page (specification section 9). */
export const RECENT = 20;

/**
 * The 'Most Active Tasks' panel: how many activities, and how many recent entries of each (specification section 9).
 */
export const MOST_ACTIVE = { activities: 5, recent: 3 } as const;

/** The sort fields and directions of an administrator's list (specification section 7). */
export const SORTS = ['entryDate', 'userName', 'activityName', 'hours', 'activityDate'] as const;
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type EntrySort = (typeof SORTS)[number];
export type SortOrder = (typeof SORT_ORDERS)[number];

/** The default order of the list (specification section 9). */
export const DEFAULT_SORT = { sortBy: 'entryDate', sortOrder: 'desc' } as const;

/** Messages of this feature (specification sections 5 and 8). */
export const messages = {
  notFound: say('notFound'),
  activityAndHours: say('activityAndHours'),
  fillRequired: say('fillRequired'),
  hours: say('hours', { min: HOURS.min, max: HOURS.max }),
  hoursDecimals: say('hoursDecimals'),
  future: say('future'),
  notesTooLong: say('notesTooLong', { max: LIMITS.notes }),
  descriptionRequired: (prompt: string, activity: string) => say('descriptionRequired', { prompt, activity }),
  defaultPrompt: say('defaultPrompt'),
  inactive: (activity: string) => say('inactive', { activity }),
  loggedToday: (hours: string, activity: string) => say('loggedToday', { hours, activity }),
  loggedOn: (hours: string, activity: string, date: string) => say('loggedOn', { hours, activity, date }),
  updated: say('updated'),
  deleted: say('deleted'),
  restored: say('restored'),
  tooLateToRestore: say('tooLateToRestore'),
  confirmDelete: say('confirmDelete'),
  failedToLoad: say('failedToLoad'),
  failedToFetch: say('failedToFetch'),
  unknownSort: say('unknownSort'),
  unknownWeekday: say('unknownWeekday'),
  endBeforeStart: say('endBeforeStart'),
  volunteerRequired: say('volunteerRequired'),
  userNotFound: say('userNotFound'),
  notAMember: (person: string, school: string) => say('notAMember', { person, school }),
  loggedTodayFor: (hours: string, activity: string, person: string) =>
    say('loggedTodayFor', { hours, activity, person }),
  loggedOnFor: (hours: string, activity: string, date: string, person: string) =>
    say('loggedOnFor', { hours, activity, date, person }),
} as const;

/** A time entry. `canEdit` and `canDelete` are the viewer's permissions. */
export const TimeEntry = z.object({
  id: Id,
  activityId: Id,
  activity: ActivityRef,
  hours: z.number(),
  entryDate: CalendarDate,
  notes: z.nullable(z.string()),
  createdAt: Instant,
  schoolId: Id,
  school: z.object({ id: Id, name: z.string() }),
  user: PersonRef,
  version: z.int(),
  canEdit: z.boolean(),
  canDelete: z.boolean(),
  /** Null at a school that does not verify hours. */
  verification: z.nullable(Verification),
  /** The reasons to review the entry, for users who see everyone's entries; null for others. */
  flags: z.nullable(z.array(z.enum(FLAGS))),
});
export type TimeEntry = z.infer<typeof TimeEntry>;

/** A schema for hours within the limits, with at most two decimals. `missing` is the message for null or undefined. */
export function hoursSchema(missing: Message) {
  return z
    .number({
      error: (issue) => (issue.input === undefined || issue.input === null ? missing : messages.hours),
    })
    .check(
      z.minimum(HOURS.min, messages.hours),
      z.maximum(HOURS.max, messages.hours),
      z.refine(hasAtMostTwoDecimals, { error: messages.hoursDecimals }),
    );
}

/** The fields of an entry other than its activity and hours. */
export const entryDetails = {
  entryDate: z.nullish(CalendarDate),
  notes: optionalText(LIMITS.notes, messages.notesTooLong),
  schoolId: z.nullish(idOr(messages.activityAndHours)),
};

/** A new entry (specification section 5). The date defaults to today, and the school to the activity's. */
export const TimeEntryInput = z.object({
  activityId: idOr(messages.activityAndHours),
  hours: hoursSchema(messages.activityAndHours),
  ...entryDetails,
});
export type TimeEntryInput = z.infer<typeof TimeEntryInput>;

/**
 * Changes to an entry. Absent fields keep their values; the others follow the rules for a new entry. A null date is
 * today.
 */
export const TimeEntryChange = z.object({
  activityId: z.optional(idOr(messages.fillRequired)),
  hours: z.optional(hoursSchema(messages.fillRequired)),
  ...entryDetails,
});
export type TimeEntryChange = z.infer<typeof TimeEntryChange>;

/** Additional fields of a new entry at a school that verifies hours or has a closed period. */
export const NEW_ENTRY_EXTRAS = {
  /**
   * The external verifier of these hours. If the activity is verified externally but has no verifier, volunteers must name
   * one; it defaults to the one they last named for the activity.
   */
  outsideVerifier: z.nullish(emailOr(userMessages.emailInvalid)),
  /** An administrator's reason for adding, changing or deleting hours in a closed period. */
  reason: optionalText(LIMITS.notes),
};

/**
 * The message to show when the activity requires notes and there are none; otherwise undefined (specification section
 * 5).
 */
export function descriptionProblem(
  activity: { name: string; requiresDescription: boolean; descriptionPrompt: string | null },
  notes: string | null | undefined,
  defaultPrompt: string,
): Message | undefined {
  if (!activity.requiresDescription || (notes ?? '').trim() !== '') return undefined;
  return messages.descriptionRequired(activity.descriptionPrompt ?? defaultPrompt, activity.name);
}

/**
 * The hours that a volunteer already has for an activity on a day; 0 when there are none. Forms check it before
 * adding more, since the same hours are easily logged twice.
 */
export function sumExistingHours(
  entries: readonly Pick<TimeEntry, 'activityId' | 'entryDate' | 'hours'>[],
  on: { activityId: Id; entryDate: CalendarDate },
): Hours {
  return sumHours(
    entries
      .filter(({ activityId, entryDate }) => activityId === on.activityId && entryDate === on.entryDate)
      .map(({ hours }) => hours),
  );
}

/**
 * Lists entries, latest day first: the viewer's own, or everyone's if the viewer is a district administrator (decisions: who
 * may do what).
 */
export const listTimeEntries = endpoint('GET', '/time-entries', {
  query: z.object({ schoolId: z.optional(IdText), only: z.optional(VerifiedOnlyFilter), ...pageQuery }),
  reply: z.object({ timeEntries: z.array(TimeEntry), ...pageReply }),
});

/** The five activities with the most hours this school year, and the year's total for all activities. */
export const mostActive = endpoint('GET', '/time-entries/most-active', {
  query: z.object({ schoolId: z.optional(IdText), only: z.optional(VerifiedOnlyFilter) }),
  reply: z.object({
    totalHours: z.number(),
    verifiedHours,
    activities: z.array(
      z.object({
        activity: ActivityRef,
        totalHours: z.number(),
        verifiedHours,
        recent: z.array(TimeEntry),
      }),
    ),
  }),
});

const oneEntry = z.object({ timeEntry: TimeEntry, message: z.string() });
const byId = z.object({ id: IdText });

export const createTimeEntry = endpoint('POST', '/time-entries', {
  body: z.object({ ...TimeEntryInput.shape, ...NEW_ENTRY_EXTRAS }),
  reply: oneEntry,
  status: 201,
});

const change = z.object({ ...TimeEntryChange.shape, ...NEW_ENTRY_EXTRAS });
const reasonBody = z.object({ reason: NEW_ENTRY_EXTRAS.reason });

/** Activity and hours are required here (specification section 5; decisions: wire conventions). */
export const updateTimeEntry = endpoint('PUT', '/time-entries/:id', {
  params: byId,
  body: z.object({
    ...change.shape,
    activityId: idOr(messages.fillRequired),
    hours: hoursSchema(messages.fillRequired),
  }),
  reply: oneEntry,
});

export const deleteTimeEntry = endpoint('DELETE', '/time-entries/:id', {
  params: byId,
  body: reasonBody,
  reply: z.object({ message: z.string() }),
});

/** Undoes a deletion. */
export const restoreTimeEntry = endpoint('POST', '/time-entries/:id/restore', {
  params: byId,
  reply: oneEntry,
});

/** Day of the week, 0 (Sunday) to 6 (Saturday). */
export const Weekday = z
  .int(messages.unknownWeekday)
  .check(z.gte(0, messages.unknownWeekday), z.lte(6, messages.unknownWeekday));
const WeekdayText = z.pipe(
  z.union([z.number(), z.string()]),
  z.pipe(
    z.transform((text: string | number) => (/^\d$/.test(String(text)) ? Number(text) : -1)),
    Weekday,
  ),
);

const filters = {
  startDate: z.optional(CalendarDate),
  endDate: z.optional(CalendarDate),
  weekday: z.optional(WeekdayText),
  userId: z.optional(IdText),
  activityId: z.optional(IdText),
  schoolId: z.optional(IdText),
  status: z.optional(StatusParam),
  only: z.optional(VerifiedOnlyFilter),
};

/** The days of a period, both included; a missing end means no limit. */
export type DayRange = {
  startDate?: CalendarDate | null | undefined;
  endDate?: CalendarDate | null | undefined;
};

/** Rejects an end day before the start day. */
export const daysInOrder = z.refine<DayRange>(
  ({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate,
  { error: messages.endBeforeStart, path: ['endDate'] },
);

/**
 * An administrator's filter of entries. Both days are included. Without a school it covers all schools where the viewer sees
 * everyone's entries. `status` only matches entries at schools that verify hours; sums still count their logged hours. `only`
 * also limits sums to verified hours.
 */
export const EntryFilters = z.object(filters).check(daysInOrder);
export type EntryFilters = z.infer<typeof EntryFilters>;

/**
 * Entries for administrators. Rows with equal sort values are ordered by day, then by id, in the same direction.
 * When sorted by activity date, entries of activities without one come last in both directions. `total` is the number of
 * matching entries.
 */
export const listAdminTimeEntries = endpoint('GET', '/admin/time-entries', {
  query: z
    .object({
      ...filters,
      sortBy: z.optional(z.enum(SORTS, messages.unknownSort)),
      sortOrder: z.optional(z.enum(SORT_ORDERS, messages.unknownSort)),
      ...pageQuery,
    })
    .check(daysInOrder),
  reply: z.object({ timeEntries: z.array(TimeEntry), total: z.int(), ...pageReply }),
});

/** The values of the summary cards above the administrators' list. Hours are exact; the average has at most two decimals. */
export const TimeEntrySummary = z.object({
  totalEntries: z.int(),
  totalHours: z.number(),
  verifiedHours,
  uniqueUsers: z.int(),
  averageHoursPerEntry: z.number(),
});
export type TimeEntrySummary = z.infer<typeof TimeEntrySummary>;

/** Takes the list's filters, so that the cards describe the rows below them (decisions: shapes). */
export const summarizeTimeEntries = endpoint('GET', '/admin/time-entries/summary', {
  query: EntryFilters,
  reply: z.object({ summary: TimeEntrySummary }),
});

/** A new entry for another person, who must be a member of the activity's school. The date defaults to today. */
export const TimeEntryForInput = z.object({
  userId: idOr(messages.volunteerRequired),
  ...TimeEntryInput.shape,
});
export type TimeEntryForInput = z.infer<typeof TimeEntryForInput>;

export const createTimeEntryFor = endpoint('POST', '/admin/time-entries', {
  body: z.object({ ...TimeEntryForInput.shape, ...NEW_ENTRY_EXTRAS }),
  reply: oneEntry,
  status: 201,
});

export const updateAdminTimeEntry = endpoint('PUT', '/admin/time-entries/:id', {
  params: byId,
  body: change,
  reply: oneEntry,
});

export const deleteAdminTimeEntry = endpoint('DELETE', '/admin/time-entries/:id', {
  params: byId,
  body: reasonBody,
  reply: z.object({ message: z.string() }),
});

/** Additional values that can be sent with a new entry or a change. */
export type EntryExtras = Readonly<{
  outsideVerifier?: string | null | undefined;
  reason?: string | null | undefined;
}>;
