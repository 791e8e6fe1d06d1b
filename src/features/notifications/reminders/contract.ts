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

/** Sentences of this room. */
export const messages = { saved: say('saved'), failedToLoad: say('failedToLoad') } as const;

/** Which letters a person asked for: after an event, a week's hours, what was decided. All are off at first. */
export const Reminders = z.object({ afterEvents: z.boolean(), weekly: z.boolean(), decisions: z.boolean() });
export type Reminders = z.infer<typeof Reminders>;

/** `mail` is null where the district sends no mail; while the address is not confirmed, no letter goes there. */
const Chosen = { mail: z.nullable(Reminders), isConfirmed: z.boolean() };

export const getReminders = endpoint('GET', '/profile/reminders', { reply: z.object(Chosen) });

/** What is left out stays. */
export const setReminders = endpoint('PUT', '/profile/reminders', {
  body: z.partial(Reminders),
  reply: z.object({ ...Chosen, message: z.string() }),
});
