import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { optionalText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('privacy');

/** How long a reason may be, in characters: to be deleted, or why somebody is not. */
export const LIMITS = { reason: 500 } as const;

/** Sentences of this room (specification section 8). */
export const messages = {
  erasureRequested: say('erasureRequested'),
  erasureAlreadyRequested: say('erasureAlreadyRequested'),
  erasureWithdrawn: say('erasureWithdrawn'),
  erasureNotRequested: say('erasureNotRequested'),
  erased: say('erased'),
  cannotEraseSelf: say('cannotEraseSelf'),
} as const;

/** Everything stored about the viewer as a file: 'json' has it all, 'csv' the table of time entries. */
export const downloadPersonalData = endpoint('GET', '/profile/data', {
  query: z.object({ format: z.optional(z.enum(['json', 'csv'])) }),
  file: true,
});

/** Asks the district to delete the account: once, until it is withdrawn. */
export const requestAccountDeletion = endpoint('POST', '/profile/erasure-request', {
  body: z.object({ reason: optionalText(LIMITS.reason) }),
  freshProof: 'always',
  reply: z.object({ user: User, message: z.string() }),
  status: 201,
});

export const withdrawDeletionRequest = endpoint('DELETE', '/profile/erasure-request', {
  reply: z.object({ user: User, message: z.string() }),
});
