import * as z from 'zod/mini';
import { endpoint } from '#base/endpoint.ts';
import { IdText } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { optionalText } from '#base/text.ts';
import type text from './admin-text.en.json';
import { LIMITS } from './contract.ts';

const say = sayFrom<typeof text>('own-data');

/** Sentences of what administrators do with wishes to be deleted. */
export const messages = {
  erasureDeclined: (firstName: string, lastName: string) => say('erasureDeclined', { firstName, lastName }),
  erasureGone: say('erasureGone'),
  failedToLoadErasures: say('failedToLoadErasures'),
} as const;

/** Why somebody is not deleted, for the letter that tells them. */
export const ErasureRefusal = z.object({ reason: optionalText(LIMITS.reason) });

/** Leaves an account as it is although its owner (`:id`) wished it deleted; they are told by mail. */
export const declineErasure = endpoint('POST', '/admin/erasure-requests/:id/decline', {
  params: z.object({ id: IdText }),
  body: ErasureRefusal,
  reply: z.object({ message: z.string() }),
});
