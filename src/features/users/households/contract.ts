import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('households');

/** The size of a household, and its codes. `typed` is the longest text tried as a code. */
export const LIMITS = { members: 8, codeLength: 8, codeDays: 7, typed: 200 } as const;

/** Messages of households. */
export const messages = {
  codeRequired: say('codeRequired'),
  codeWrong: say('codeWrong'),
  agreeFirst: say('agreeFirst'),
  full: say('full', { most: LIMITS.members }),
  elsewhere: say('elsewhere'),
  none: say('none'),
  made: say('made'),
  joined: say('joined'),
  codeMade: say('codeMade'),
  left: say('left'),
  failedToLoad: say('failedToLoad'),
} as const;

/**
 * The viewer's household: its members by name with their hours of this school year at all schools. `code` is the viewer's
 * own, with which one more person can join; null without one.
 */
export const Household = z.object({
  members: z.array(z.object({ name: z.string(), hours: z.number(), isYou: z.boolean() })),
  hours: z.number(),
  yearStart: CalendarDate,
  code: z.nullable(z.object({ code: z.string(), until: CalendarDate })),
});
export type Household = z.infer<typeof Household>;

/** A code as typed. */
export const CodeInput = z.object({
  code: requiredText(LIMITS.typed, messages.codeRequired, messages.codeWrong),
});

/** Joining consents to what members see of the person who joins. */
export const JoinInput = z.object({
  ...CodeInput.shape,
  agrees: z.literal(true, messages.agreeFirst),
});

/** Null for users without a household. */
export const getHousehold = endpoint('GET', '/profile/household', {
  reply: z.object({ household: z.nullable(Household) }),
});

const Changed = z.object({ household: Household, message: z.string() });

/** Starts a household, with a code. A member of one gets that one. */
export const makeHousehold = endpoint('POST', '/profile/household', { reply: Changed });

/** Creates the viewer's code, in place of the previous one. 409 if the household is full, 404 without one. */
export const makeHouseholdCode = endpoint('POST', '/profile/household/code', { reply: Changed });

/** Joins by a code, which is used up with it. 404 for every code that is not valid; guessing is throttled. */
export const joinHousehold = endpoint('POST', '/profile/household/join', { body: JoinInput, reply: Changed });

/** Leaves at once; when the last member leaves, the household is deleted. */
export const leaveHousehold = endpoint('DELETE', '/profile/household', {
  reply: z.object({ message: z.string() }),
});
