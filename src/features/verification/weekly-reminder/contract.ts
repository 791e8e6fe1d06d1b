import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from '../messages.emails.en.json';

/** From which hour of the district's Monday the weekly letters of what waits are written, and how many schools one names. */
export const WEEKLY = { hour: 7, schools: 30 } as const;

/** Sentences about the weekly letter. */
export const mailMessages = { saved: messageFactory<typeof text>('verification')('weeklySaved') } as const;

/** Whether somebody gets the weekly letter of what waits; null for those who verify hours nowhere. */
const WeeklyMail = z.nullable(z.object({ isWanted: z.boolean() }));

export const getWeeklyMail = endpoint('GET', '/my-verifications/mail', {
  reply: z.object({ mail: WeeklyMail }),
});

/** The viewer's own choice; left out, it stays. */
export const setWeeklyMail = endpoint('PUT', '/my-verifications/mail', {
  body: z.object({ isWanted: z.optional(z.boolean()) }),
  reply: z.object({ mail: WeeklyMail, message: z.string() }),
});
