import * as z from 'zod/mini';
import { PersonContact } from '#features/users/contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { IdText } from '#shared/id.ts';
import { pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { optionalText } from '#shared/text-normalization.ts';
import { LIMITS } from './contract.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('privacy');

/** Messages of the administrators' screen for deletion requests. */
export const messages = {
  erasureDeclined: (firstName: string, lastName: string) => say('erasureDeclined', { firstName, lastName }),
  erasureGone: say('erasureGone'),
  failedToLoadErasures: say('failedToLoadErasures'),
} as const;

/** A person with a pending deletion request. */
export const DeletionRequest = z.object({
  user: PersonContact,
  reason: z.nullable(z.string()),
  requestedAt: Instant,
  /** Whether a legal hold prevents the deletion. */
  isHeld: z.boolean(),
});
export type DeletionRequest = z.infer<typeof DeletionRequest>;

/** Pending deletion requests, oldest first. */
export const listDeletionRequests = endpoint('GET', '/admin/erasure-requests', {
  query: z.object({ ...pageQuery, ...searchQuery }),
  reply: z.object({ erasureRequests: z.array(DeletionRequest), total: z.int(), ...pageReply }),
});

/** Permanently deletes a person's account. The hours stay under 'Former volunteer'. */
export const deleteUserData = endpoint('POST', '/admin/users/:id/erase', {
  params: z.object({ id: IdText }),
  freshProof: 'always',
  reply: z.object({ message: z.string() }),
});

/** The reason for declining a deletion request, which the email to the person includes. */
export const DeletionRejection = z.object({ reason: optionalText(LIMITS.reason) });

/** Declines the deletion request of an account (`:id`) and emails its owner. */
export const declineDeletionRequest = endpoint('POST', '/admin/erasure-requests/:id/decline', {
  params: z.object({ id: IdText }),
  body: DeletionRejection,
  reply: z.object({ message: z.string() }),
});
