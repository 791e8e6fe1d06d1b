import * as z from 'zod/mini';
import { Instant } from '#base/calendar-date.ts';
import { endpoint } from '#base/endpoint.ts';
import { IdText } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { pageQuery, pageReply, searchQuery } from '#base/page.ts';
import { optionalText } from '#base/text.ts';
import { PersonContact, User } from '#rooms/users/contract.ts';
import type text from './text.en.json';

const say = sayFrom<typeof text>('own-data');

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

/** A person with a pending deletion request. */
export const ErasureRequest = z.object({
  user: PersonContact,
  reason: z.nullable(z.string()),
  requestedAt: Instant,
  /** Whether it has to wait: a legal hold covers the person. */
  isHeld: z.boolean(),
});
export type ErasureRequest = z.infer<typeof ErasureRequest>;

/** Everything stored about the viewer as a file: 'json' has it all, 'csv' the table of time entries. */
export const downloadOwnData = endpoint('GET', '/profile/data', {
  query: z.object({ format: z.optional(z.enum(['json', 'csv'])) }),
  file: true,
});

/** Asks the district to delete the account: once, until it is withdrawn. */
export const requestErasure = endpoint('POST', '/profile/erasure-request', {
  body: z.object({ reason: optionalText(LIMITS.reason) }),
  reply: z.object({ user: User, message: z.string() }),
  status: 201,
});

export const withdrawErasure = endpoint('DELETE', '/profile/erasure-request', {
  reply: z.object({ user: User, message: z.string() }),
});

/** Pending deletion requests, oldest first. */
export const listErasureRequests = endpoint('GET', '/admin/erasure-requests', {
  query: z.object({ ...pageQuery, ...searchQuery }),
  reply: z.object({ erasureRequests: z.array(ErasureRequest), total: z.int(), ...pageReply }),
});

/** Removes a person for good; the hours stay under 'Former volunteer'. */
export const eraseUser = endpoint('POST', '/admin/users/:id/erase', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});
