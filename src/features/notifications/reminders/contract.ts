import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('reminders');

/**
 * Limits of reminders: the hours of the district's day from which they are sent, the number per volunteer and week, the longest
 * event in days, how many days around the date of a year ago count as the same event, and the number of items in one email.
 */
export const REMINDERS = {
  eveningHour: 18,
  weeklyHour: 7,
  emailsPerWeek: 2,
  eventDays: 14,
  aroundDays: 30,
  named: 10,
} as const;

/** Messages about reminders. */
export const messages = { saved: say('saved'), failedToLoad: say('failedToLoad') } as const;

/** The reminders that a user opted in to: after events, weekly hours, decisions. All are off by default. */
export const Reminders = z.object({ afterEvents: z.boolean(), weekly: z.boolean(), decisions: z.boolean() });
export type Reminders = z.infer<typeof Reminders>;

/** `mail` is null if the district sends no email. An unconfirmed address gets no reminders. */
const Preferences = { mail: z.nullable(Reminders), isConfirmed: z.boolean() };

export const getReminders = endpoint('GET', '/profile/reminders', { reply: z.object(Preferences) });

/** Changes reminders; omitted fields stay. */
export const setReminders = endpoint('PUT', '/profile/reminders', {
  body: z.partial(Reminders),
  reply: z.object({ ...Preferences, message: z.string() }),
});
