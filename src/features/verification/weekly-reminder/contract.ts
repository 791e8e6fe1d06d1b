import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from '../messages.server.en.json';

/** The local hour on Mondays from which weekly reminders are sent, and how many schools a reminder lists at most. */
export const WEEKLY_REMINDER = { hour: 7, schools: 30 } as const;

/** Messages about the weekly reminder. */
export const messages = { saved: messageFactory<typeof text>('verification')('weeklySaved') } as const;

/** Whether the user gets the weekly reminder of waiting hours; null for those who cannot verify hours anywhere. */
const WeeklyMail = z.nullable(z.object({ isWanted: z.boolean() }));

export const getWeeklyMail = endpoint('GET', '/my-verifications/mail', {
  reply: z.object({ mail: WeeklyMail }),
});

/** The viewer's own preference; an absent field keeps its value. */
export const setWeeklyMail = endpoint('PUT', '/my-verifications/mail', {
  body: z.object({ isWanted: z.optional(z.boolean()) }),
  reply: z.object({ mail: WeeklyMail, message: z.string() }),
});
