import * as z from 'zod/mini';
import { hoursBetween } from '#features/time-entries/contract.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id } from '#shared/id.ts';
import { optionalText } from '#shared/text-normalization.ts';
import type text from '../messages.external-verifiers.en.json';

/**
 * What a supervisor without an account does with a mailed link (beyond sections 1 and 9): whoever has the link may
 * answer about its entries, and about nothing else.
 */

const say = messageFactory<typeof text>('verification');

/** Characters of a reason, entries of one letter, and days that its link works. */
export const OUTSIDE = { reason: 500, entries: 200, days: 14 } as const;

/** The hour of the district's day at which the letters go. */
export const EXTERNAL_EMAIL_HOUR = 17;

/** An entry is asked about again after so many days, and in so many letters at most. */
export const ASKING = { againAfterDays: 7, letters: 3 } as const;

/** Begins every token, so that a mailed link that confirms an address (`?verify=` too) is told from it. */
export const TOKEN_MARK = 'hours-';

export const messages = {
  linkGone: say('outsideLinkGone'),
  decisions: say('outsideDecisions'),
  tooMany: say('outsideTooMany', { max: OUTSIDE.entries }),
  reasonNeeded: say('outsideReasonNeeded'),
  reasonTooLong: say('outsideReasonTooLong', { max: OUTSIDE.reason }),
  unknownReason: say('outsideUnknownReason'),
  stopped: say('outsideStopped'),
  confirmed: (count: number) => say('outsideConfirmed', { count }),
  declined: (count: number) => say('outsideDeclined', { count }),
  skipped: (count: number) => say('outsideSkipped', { count }),
} as const;

/** Hours that wait for an answer. `person` is the volunteer's name. */
export const ExternalEntry = z.object({
  id: Id,
  person: z.string(),
  activity: z.string(),
  date: CalendarDate,
  hours: z.number(),
  notes: z.nullable(z.string()),
});
export type ExternalEntry = z.infer<typeof ExternalEntry>;

const Reason = optionalText(OUTSIDE.reason, messages.reasonTooLong);

/** Without `hours` those that were logged count. A decline needs a reason. */
export const OutsideDecision = z.discriminatedUnion('decision', [
  z.object({
    entryId: Id,
    decision: z.literal('verify'),
    hours: z.nullish(hoursBetween(messages.decisions)),
  }),
  z.object({
    entryId: Id,
    decision: z.literal('decline'),
    reason: z.pipe(Reason, z.string(messages.reasonNeeded).check(z.minLength(1, messages.reasonNeeded))),
  }),
]);
export type OutsideDecision = z.infer<typeof OutsideDecision>;

export const ExternalAnswer = z.union([
  z.object({
    decisions: z
      .array(OutsideDecision, messages.decisions)
      .check(z.minLength(1, messages.decisions), z.maxLength(OUTSIDE.entries, messages.tooMany)),
  }),
  z.object({ stop: z.literal(true) }),
  z.object({ unknownPerson: z.literal(true) }),
]);
export type ExternalAnswer = z.infer<typeof ExternalAnswer>;

/** What a link asks about. */
export const askedOutside = endpoint('GET', '/verify/:token', {
  params: z.object({ token: z.string() }),
  reply: z.object({ school: z.object({ id: Id, name: z.string() }), entries: z.array(ExternalEntry) }),
});

/**
 * Answers: decisions about some entries, 'I do not know these people', or 'write to me no more'. An entry that was
 * changed or decided since the letter is left as it is, and the message says so.
 */
export const answerOutside = endpoint('POST', '/verify/:token', {
  params: z.object({ token: z.string() }),
  body: ExternalAnswer,
  reply: z.object({ message: z.string() }),
});
