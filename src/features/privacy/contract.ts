import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { optionalText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('privacy');

/** The maximum length, in characters, of the reason for a deletion request or for declining it. */
export const LIMITS = { reason: 500 } as const;

/** Messages about data export and account deletion (specification section 8). */
export const messages = {
  erasureRequested: say('erasureRequested'),
  erasureAlreadyRequested: say('erasureAlreadyRequested'),
  erasureWithdrawn: say('erasureWithdrawn'),
  erasureNotRequested: say('erasureNotRequested'),
  erased: say('erased'),
  cannotEraseSelf: say('cannotEraseSelf'),
} as const;

/** All data stored about the viewer as a file: 'json' contains everything, 'csv' the table of time entries. */
export const downloadPersonalData = endpoint('GET', '/profile/data', {
  query: z.object({ format: z.optional(z.enum(['json', 'csv'])) }),
  file: true,
});

/** Requests deletion of the account. There is at most one request until it is withdrawn or declined. */
export const requestAccountDeletion = endpoint('POST', '/profile/erasure-request', {
  body: z.object({ reason: optionalText(LIMITS.reason) }),
  freshProof: 'always',
  reply: z.object({ user: User, message: z.string() }),
  status: 201,
});

export const withdrawDeletionRequest = endpoint('DELETE', '/profile/erasure-request', {
  reply: z.object({ user: User, message: z.string() }),
});
