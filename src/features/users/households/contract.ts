import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('households');

/** The maximum size of a household, and the limits of its codes. `typed` is the longest input that is accepted as a code. */
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
 * The viewer's household: its members by name with their hours of this school year at all schools. `code` is the viewer's code,
 * which admits one more person; null if there is none or it has expired.
 */
export const Household = z.object({
  members: z.array(z.object({ name: z.string(), hours: z.number(), isYou: z.boolean() })),
  hours: z.number(),
  yearStart: CalendarDate,
  code: z.nullable(z.object({ code: z.string(), until: CalendarDate })),
});
export type Household = z.infer<typeof Household>;

/** A household code as the user typed it. */
export const CodeInput = z.object({
  code: requiredText(LIMITS.typed, messages.codeRequired, messages.codeWrong),
});

/** Joining requires consent to what the other members will see. */
export const JoinInput = z.object({
  ...CodeInput.shape,
  agrees: z.literal(true, messages.agreeFirst),
});

/** Returns the viewer's household; null if there is none. */
export const getHousehold = endpoint('GET', '/profile/household', {
  reply: z.object({ household: z.nullable(Household) }),
});

const Changed = z.object({ household: Household, message: z.string() });

/** Creates a household and the viewer's code. Returns the existing household if the viewer has one. */
export const makeHousehold = endpoint('POST', '/profile/household', { reply: Changed });

/** Creates the viewer's code and replaces the previous one. 409 if the household is full, 404 without a household. */
export const makeHouseholdCode = endpoint('POST', '/profile/household/code', { reply: Changed });

/**
 * Joins the household of a code, which is then used up. 409 if the household is full or the viewer has another one, 404 for
 * every invalid code. Guessing is throttled.
 */
export const joinHousehold = endpoint('POST', '/profile/household/join', { body: JoinInput, reply: Changed });

/** Leaves the household. If no active member is left, it is deleted. */
export const leaveHousehold = endpoint('DELETE', '/profile/household', {
  reply: z.object({ message: z.string() }),
});
