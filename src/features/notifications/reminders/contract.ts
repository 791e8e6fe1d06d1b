import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('reminders');

/**
 * From which hour of the district's day the letters are written, how many somebody gets a week at most, how long an
 * event lasts at most for a letter after it, and how many things one letter names.
 */
export const REMINDERS = {
  eveningHour: 18,
  weeklyHour: 7,
  lettersAWeek: 2,
  eventDays: 14,
  aroundDays: 30,
  named: 10,
} as const;

/** Messages about reminders. */
export const messages = { saved: say('saved'), failedToLoad: say('failedToLoad') } as const;

/** Which reminders a user opted in to: after events, weekly hours, decisions. All are off by default. */
export const Reminders = z.object({ afterEvents: z.boolean(), weekly: z.boolean(), decisions: z.boolean() });
export type Reminders = z.infer<typeof Reminders>;

/** `mail` is null if the district sends no email; an unconfirmed address gets no emails. */
const Chosen = { mail: z.nullable(Reminders), isConfirmed: z.boolean() };

export const getReminders = endpoint('GET', '/profile/reminders', { reply: z.object(Chosen) });

/** Changes reminders; omitted fields stay. */
export const setReminders = endpoint('PUT', '/profile/reminders', {
  body: z.partial(Reminders),
  reply: z.object({ ...Chosen, message: z.string() }),
});
