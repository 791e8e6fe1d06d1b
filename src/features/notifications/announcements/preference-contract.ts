import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.preference.en.json';

const say = messageFactory<typeof text>('announcements');

/** Sentences of the choice in Settings. */
export const messages = { saved: say('choiceSaved'), failedToLoad: say('choiceFailedToLoad') } as const;

/** Whether somebody gets letters that administrators write to many; null where the district sends no mail. */
const Chosen = { isWanted: z.nullable(z.boolean()) };

export const getAnnouncementPreference = endpoint('GET', '/profile/mailings', { reply: z.object(Chosen) });

/** What is left out stays. */
export const putAnnouncementPreference = endpoint('PUT', '/profile/mailings', {
  body: z.object({ isWanted: z.optional(z.boolean()) }),
  reply: z.object({ ...Chosen, message: z.string() }),
});
