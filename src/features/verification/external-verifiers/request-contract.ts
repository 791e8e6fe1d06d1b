import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';

/** How many of a volunteer's newest waiting entries are listed with their requests. */
export const OWN_REQUESTS = { entries: 200 } as const;

/**
 * The status of the email about an entry that waits for an external verifier. `stopped` means that they have unsubscribed; `at`
 * is null when no email was sent.
 */
export const VerifierRequest = z.object({
  to: z.string(),
  at: z.nullable(Instant),
  state: z.enum(['sent', 'failed', 'stopped']),
});
export type VerifierRequest = z.infer<typeof VerifierRequest>;

/**
 * The status of the email about the viewer's own hours. `later` means that no email was sent yet, and `isNamedHere` that the
 * volunteer and not the activity names the verifier.
 */
const OwnVerifierRequest = z.object({
  ...VerifierRequest.shape,
  entryId: z.int(),
  state: z.enum([...VerifierRequest.shape.state.options, 'later']),
  isNamedHere: z.boolean(),
});
export type OwnVerifierRequest = z.infer<typeof OwnVerifierRequest>;

/** The requests about the viewer's own hours that wait for an external verifier. */
export const listOwnVerifierRequests = endpoint('GET', '/my-verifications/asked', {
  reply: z.object({ asked: z.array(OwnVerifierRequest) }),
});
