import * as z from 'zod/mini';
import { PersonContact } from '#features/users/contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { sayFrom } from '#shared/i18n/message.ts';
import { IdText } from '#shared/id.ts';
import { pageQuery, pageReply, searchQuery } from '#shared/pagination.ts';
import { optionalText } from '#shared/text-normalization.ts';
import { LIMITS } from './contract.ts';
import type text from './messages.staff.en.json';

const say = sayFrom<typeof text>('privacy');

/** Messages of the administrators' screen for deletion requests. */
export const messages = {
  erasureDeclined: (firstName: string, lastName: string) => say('erasureDeclined', { firstName, lastName }),
  erasureGone: say('erasureGone'),
  failedToLoadErasures: say('failedToLoadErasures'),
} as const;

/** A person with a pending deletion request. */
export const ErasureRequest = z.object({
  user: PersonContact,
  reason: z.nullable(z.string()),
  requestedAt: Instant,
  /** Whether it has to wait: a legal hold covers the person. */
  isHeld: z.boolean(),
});
export type ErasureRequest = z.infer<typeof ErasureRequest>;

/** Pending deletion requests, oldest first. */
export const listErasureRequests = endpoint('GET', '/admin/erasure-requests', {
  query: z.object({ ...pageQuery, ...searchQuery }),
  reply: z.object({ erasureRequests: z.array(ErasureRequest), total: z.int(), ...pageReply }),
});

/** Removes a person for good; the hours stay under 'Former volunteer'. */
export const eraseUser = endpoint('POST', '/admin/users/:id/erase', {
  params: z.object({ id: IdText }),
  freshProof: 'always',
  reply: z.object({ message: z.string() }),
});

/** The reason for declining a deletion request, for the letter to the person. */
export const ErasureRefusal = z.object({ reason: optionalText(LIMITS.reason) });

/** Declines the deletion request of an account (`:id`); its owner is told by mail. */
export const declineErasure = endpoint('POST', '/admin/erasure-requests/:id/decline', {
  params: z.object({ id: IdText }),
  body: ErasureRefusal,
  reply: z.object({ message: z.string() }),
});
