import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { requiredText } from '#shared/text-normalization.ts';
import { ActivityRef } from '../contract.ts';
import type text from '../messages.log-code.en.json';

const LONGEST = 200;

const say = messageFactory<typeof text>('activities');

/** Sentences about the codes of activities. */
export const messages = {
  unknown: say('logCodeUnknown'),
  renewed: say('logCodeRenewed'),
} as const;

/** The code of an activity, and the address with it that opens Log Time with the activity chosen. */
export const LogAddress = z.object({ code: z.string(), address: z.string() });
export type LogAddress = z.infer<typeof LogAddress>;

/**
 * The code of an activity, made when it has none. With `renew` it gets another one: the addresses and QR codes in
 * circulation stop working.
 */
export const makeLogCode = endpoint('POST', '/admin/activities/:id/log-code', {
  params: z.object({ id: IdText }),
  body: z.object({ renew: z.optional(z.boolean(commonMessages.invalidRequest)) }),
  reply: z.object({ ...LogAddress.shape, message: z.nullable(z.string()) }),
});

/**
 * The activity that a code stands for. Whoever may not log hours at its school learns the school's name, which is public,
 * and nothing about the activity: `activity` is null, and `isWaiting` says whether the school still has to let them in. 404
 * for a code that no activity has; guessing is throttled by account and by address.
 */
export const openLogCode = endpoint('POST', '/log-codes/open', {
  body: z.object({ code: requiredText(LONGEST, messages.unknown, messages.unknown) }),
  reply: z.object({
    school: z.object({ id: Id, name: z.string() }),
    activity: z.nullable(z.object({ ...ActivityRef.shape, activeUntil: z.nullable(CalendarDate) })),
    isWaiting: z.boolean(),
  }),
});
