import * as z from 'zod/mini';
import {
  daysInOrder,
  messages as entryMessages,
  hoursSchema,
  LIMITS,
  TimeEntry,
} from '#features/time-entries/contract.ts';
import { FLAGS, STATUSES } from '#features/time-entries/verification-status.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { optionalText } from '#shared/text-normalization.ts';
import { VerifierRequest } from './external-verifiers/request-contract.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('verification');

/**
 * The limits of one decision: entries found by a filter, entries named by id, and minutes in which it can be undone.
 */
export const DECISION_LIMITS = { atMost: 10_000, named: 5_000, undoMinutes: 10 } as const;

/** Hours that have waited longer than this many days since they were logged come first and are marked. */
export const OVERDUE_DAYS = 21;

/** Messages of this feature (beyond section 1). */
export const messages = {
  reasonNeeded: say('reasonNeeded'),
  hoursOfOne: say('hoursOfOne'),
  chooseHours: say('chooseHours'),
  tooMany: say('tooMany', { max: DECISION_LIMITS.atMost }),
  tooManyNamed: say('tooManyNamed', { max: DECISION_LIMITS.named }),
  countChanged: (total: number) => say('countChanged', { total }),
  hoursChanged: say('hoursChanged'),
  versionsOfAll: say('versionsOfAll'),
  changedSince: say('changedSince'),
  alreadyVerified: (name: string) => say('alreadyVerified', { name }),
  alreadyDeclined: (name: string) => say('alreadyDeclined', { name }),
  alreadyCounts: say('alreadyCounts'),
  alreadyWaits: say('alreadyWaits'),
  yourOwn: say('yourOwn'),
  undoNotFound: say('undoNotFound'),
  tooLateToUndo: say('tooLateToUndo', { minutes: DECISION_LIMITS.undoMinutes }),
  undone: (count: number) => say('undone', { count }),
} as const;

const filters = {
  schoolId: z.optional(IdText),
  status: z.optional(z.enum(STATUSES)),
  activityId: z.optional(IdText),
  userId: z.optional(IdText),
  startDate: z.optional(CalendarDate),
  endDate: z.optional(CalendarDate),
  flag: z.optional(z.enum(FLAGS)),
};

/** A filter of entries; by default those that wait. */
export const VerificationFilter = z.object(filters).check(daysInOrder);
export type VerificationFilter = z.infer<typeof VerificationFilter>;

/**
 * Entries at schools that verify hours: overdue ones first, then the others, oldest day first. `totalHours` are the
 * logged hours.
 */
export const listVerifications = endpoint('GET', '/admin/verifications', {
  query: z.object({ ...filters, ...pageQuery }).check(daysInOrder),
  reply: z.object({
    entries: z.array(
      z.object({
        ...TimeEntry.shape,
        asked: z.nullable(VerifierRequest),
        /** Whether the entry waits and was overdue when the first page was read. */
        isLate: z.boolean(),
      }),
    ),
    total: z.int(),
    totalHours: z.number(),
    ...pageReply,
  }),
});

export const DECISIONS = ['verify', 'decline', 'reopen'] as const;
export type Decision = (typeof DECISIONS)[number];

/**
 * A decision about entries by id, or about all entries that match a filter. If `versions` has the version of each id that the
 * user saw, entries that have since changed are skipped. `expectedTotal` and `expectedHours` are the number and logged hours of
 * the filter's entries that the user saw; if they no longer match, the whole decision is rejected. `hours` sets the verified
 * hours when a single entry is verified by id.
 */
export const DecisionInput = z
  .object({
    decision: z.enum(DECISIONS),
    entryIds: z.optional(
      z
        .array(idOr(messages.chooseHours))
        .check(
          z.minLength(1, messages.chooseHours),
          z.maxLength(DECISION_LIMITS.named, messages.tooManyNamed),
        ),
    ),
    versions: z.optional(z.array(z.int()).check(z.maxLength(DECISION_LIMITS.named, messages.tooManyNamed))),
    filter: z.optional(VerificationFilter),
    expectedTotal: z.optional(z.int()),
    expectedHours: z.optional(z.number()),
    hours: z.nullish(hoursSchema(entryMessages.hours)),
    reason: optionalText(LIMITS.notes),
  })
  .check(
    z.refine(({ decision, reason }) => decision !== 'decline' || (reason ?? null) !== null, {
      error: messages.reasonNeeded,
      path: ['reason'],
    }),
    z.refine(
      ({ entryIds, filter, expectedTotal }) =>
        (entryIds === undefined) === (filter !== undefined && expectedTotal !== undefined),
      { error: messages.chooseHours, path: ['entryIds'] },
    ),
    z.refine(({ entryIds, versions }) => versions === undefined || versions.length === entryIds?.length, {
      error: messages.versionsOfAll,
      path: ['versions'],
    }),
    z.refine(
      ({ decision, entryIds, hours }) =>
        (hours ?? null) === null || (decision === 'verify' && entryIds?.length === 1),
      { error: messages.hoursOfOne, path: ['hours'] },
    ),
  );
export type DecisionInput = z.infer<typeof DecisionInput>;

/** An entry that the decision skipped, and the message with the reason. */
const Skipped = z.object({ id: Id, why: z.string() });
export type Skipped = z.infer<typeof Skipped>;

/** Decides in one transaction. Returns 409 with the new `total` when the filter's entries or their hours no longer match. */
export const decide = endpoint('POST', '/admin/verifications', {
  body: DecisionInput,
  reply: z.object({ changed: z.int(), skipped: z.array(Skipped), batch: z.nullable(Id) }),
});

/** Undoes the viewer's own decision, except for entries that have since changed. */
export const undoDecision = endpoint('POST', '/admin/verifications/:batch/undo', {
  params: z.object({ batch: IdText }),
  reply: z.object({ changed: z.int(), message: z.string() }),
});
