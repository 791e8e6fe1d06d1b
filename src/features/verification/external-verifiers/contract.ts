import * as z from 'zod/mini';
import { hoursSchema } from '#features/time-entries/contract.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id } from '#shared/id.ts';
import { optionalText } from '#shared/text-normalization.ts';
import type text from '../messages.server.en.json';

/**
 * Answers of external verifiers, who have no account but an emailed link (beyond sections 1 and 9). The link is the
 * permission to answer about its entries, and nothing else.
 */

/** Messages of the emails and pages for people without an account. */
export const say = messageFactory<typeof text>('verification');

/** Characters of a reason, entries of one link (there is one for each school), and days that a link works. */
export const EXTERNAL_LINK_LIMITS = { reason: 500, entries: 200, days: 14 } as const;

/** The local hour at which the emails are sent. */
export const EXTERNAL_EMAIL_HOUR = 17;

/** An unanswered entry causes another email after this many days, until this many emails have included it. */
export const EMAIL_REPEAT_LIMITS = { againAfterDays: 7, letters: 3 } as const;

/** The prefix of every token, which distinguishes these links from email confirmation links (also `?verify=`). */
export const TOKEN_PREFIX = 'hours-';

export const messages = {
  linkGone: say('outsideLinkGone'),
  decisions: say('outsideDecisions'),
  tooMany: say('outsideTooMany', { max: EXTERNAL_LINK_LIMITS.entries }),
  reasonNeeded: say('outsideReasonNeeded'),
  reasonTooLong: say('outsideReasonTooLong', { max: EXTERNAL_LINK_LIMITS.reason }),
  unknownReason: say('outsideUnknownReason'),
  stopped: say('outsideStopped'),
  confirmed: (count: number) => say('outsideConfirmed', { count }),
  declined: (count: number) => say('outsideDeclined', { count }),
  skipped: (count: number) => say('outsideSkipped', { count }),
} as const;

/** Hours that wait for an answer. `person` is the volunteer's full name. */
export const ExternalEntry = z.object({
  id: Id,
  person: z.string(),
  activity: z.string(),
  date: CalendarDate,
  hours: z.number(),
  notes: z.nullable(z.string()),
});
export type ExternalEntry = z.infer<typeof ExternalEntry>;

const Reason = optionalText(EXTERNAL_LINK_LIMITS.reason, messages.reasonTooLong);

/** Without `hours` all logged hours count. A decline needs a reason. */
export const ExternalDecision = z.discriminatedUnion('decision', [
  z.object({
    entryId: Id,
    decision: z.literal('verify'),
    hours: z.nullish(hoursSchema(messages.decisions)),
  }),
  z.object({
    entryId: Id,
    decision: z.literal('decline'),
    reason: z.pipe(Reason, z.string(messages.reasonNeeded).check(z.minLength(1, messages.reasonNeeded))),
  }),
]);
export type ExternalDecision = z.infer<typeof ExternalDecision>;

export const ExternalAnswer = z.union([
  z.object({
    decisions: z
      .array(ExternalDecision, messages.decisions)
      .check(z.minLength(1, messages.decisions), z.maxLength(EXTERNAL_LINK_LIMITS.entries, messages.tooMany)),
  }),
  z.object({ stop: z.literal(true) }),
  z.object({ unknownPerson: z.literal(true) }),
]);
export type ExternalAnswer = z.infer<typeof ExternalAnswer>;

/** The entries of a link that still wait for an answer. */
export const getExternalRequest = endpoint('GET', '/verify/:token', {
  params: z.object({ token: z.string() }),
  reply: z.object({ school: z.object({ id: Id, name: z.string() }), entries: z.array(ExternalEntry) }),
});

/**
 * An answer: decisions about entries, 'I do not know these people', or 'do not email me again'. An entry that changed
 * or was decided about since the email stays as it is, and the message says so.
 */
export const answerExternalRequest = endpoint('POST', '/verify/:token', {
  params: z.object({ token: z.string() }),
  body: ExternalAnswer,
  reply: z.object({ message: z.string() }),
});
