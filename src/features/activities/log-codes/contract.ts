import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { requiredText } from '#shared/text-normalization.ts';
import { ActivityRef } from '../contract.ts';
import type text from '../messages.en.json';

const LONGEST = 200;

const say = messageFactory<typeof text>('activities');

/** Messages about log codes. */
export const messages = {
  unknown: say('logCodeUnknown'),
  renewed: say('logCodeRenewed'),
} as const;

/** The log code of an activity and the URL that opens Log Time with the activity selected. */
export const LogAddress = z.object({ code: z.string(), address: z.string() });
export type LogAddress = z.infer<typeof LogAddress>;

/**
 * Returns the log code of an activity, creating it on first use. `renew` replaces it, so links and QR codes in
 * circulation stop working.
 */
export const makeLogCode = endpoint('POST', '/admin/activities/:id/log-code', {
  params: z.object({ id: IdText }),
  body: z.object({ renew: z.optional(z.boolean(commonMessages.invalidRequest)) }),
  reply: z.object({ ...LogAddress.shape, message: z.nullable(z.string()) }),
});

/**
 * Looks up the activity of a log code. A user who can't log hours at its school gets only the school's public name:
 * `activity` is null, and `isWaiting` is true while the school has yet to approve them. 404 for an unknown code;
 * guesses are rate limited by account and network.
 */
export const openLogCode = endpoint('POST', '/log-codes/open', {
  body: z.object({ code: requiredText(LONGEST, messages.unknown, messages.unknown) }),
  reply: z.object({
    school: z.object({ id: Id, name: z.string() }),
    activity: z.nullable(z.object({ ...ActivityRef.shape, activeUntil: z.nullable(CalendarDate) })),
    isWaiting: z.boolean(),
  }),
});
