import * as z from 'zod/mini';
import { endpoint } from '#base/endpoint.ts';
import { IdText } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { optionalText } from '#base/text.ts';
import type text from './admin-text.en.json';
import { LIMITS } from './contract.ts';

const say = sayFrom<typeof text>('own-data');

/** Messages of the administrators' screen for deletion requests. */
export const messages = {
  erasureDeclined: (firstName: string, lastName: string) => say('erasureDeclined', { firstName, lastName }),
  erasureGone: say('erasureGone'),
  failedToLoadErasures: say('failedToLoadErasures'),
} as const;

/** The reason for declining a deletion request, for the letter to the person. */
export const ErasureRefusal = z.object({ reason: optionalText(LIMITS.reason) });

/** Declines the deletion request of an account (`:id`); its owner is told by mail. */
export const declineErasure = endpoint('POST', '/admin/erasure-requests/:id/decline', {
  params: z.object({ id: IdText }),
  body: ErasureRefusal,
  reply: z.object({ message: z.string() }),
});
