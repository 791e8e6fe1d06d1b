import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('announcements');

/** Messages of the preference in Account Settings. */
export const messages = { saved: say('choiceSaved'), failedToLoad: say('choiceFailedToLoad') } as const;

/** Whether the viewer gets announcements; null if the district sends no email. */
const Chosen = { isWanted: z.nullable(z.boolean()) };

export const getAnnouncementPreference = endpoint('GET', '/profile/mailings', { reply: z.object(Chosen) });

/** Changes the preference; an omitted field does not change. */
export const putAnnouncementPreference = endpoint('PUT', '/profile/mailings', {
  body: z.object({ isWanted: z.optional(z.boolean()) }),
  reply: z.object({ ...Chosen, message: z.string() }),
});
