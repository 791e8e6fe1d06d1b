import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';

/** Of how many waiting entries, the newest first, somebody reads who was asked about them. */
export const OWN_REQUESTS = { entries: 200 } as const;

/**
 * What became of the letter about an entry that waits for somebody outside: `stopped` when they want no letters, `at` null
 * when none went.
 */
export const VerifierRequest = z.object({
  to: z.string(),
  at: z.nullable(Instant),
  state: z.enum(['sent', 'failed', 'stopped']),
});
export type VerifierRequest = z.infer<typeof VerifierRequest>;

/** The same about one's own hours: `later` while no letter went yet, `isNamedHere` where the activity names nobody itself. */
const OwnVerifierRequest = z.object({
  ...VerifierRequest.shape,
  entryId: z.int(),
  state: z.enum([...VerifierRequest.shape.state.options, 'later']),
  isNamedHere: z.boolean(),
});
export type OwnVerifierRequest = z.infer<typeof OwnVerifierRequest>;

/** Who was asked about the viewer's own hours that wait for somebody outside. */
export const listOwnAsked = endpoint('GET', '/my-verifications/asked', {
  reply: z.object({ asked: z.array(OwnVerifierRequest) }),
});
