import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';

/** The verification status of hours. Waiting and declined entries have 0 verified hours. */
export const STATUSES = ['waiting', 'verified', 'declined'] as const;
export type Status = (typeof STATUSES)[number];

/** Limits a reply to entries with one status. */
export const StatusParam = z.enum(STATUSES, commonMessages.invalidRequest);

/** Limits a reply to verified entries and their verified hours. */
export const VerifiedOnlyFilter = z.enum(['verified'], commonMessages.invalidRequest);
export type VerifiedOnlyFilter = z.infer<typeof VerifiedOnlyFilter>;

/** The verified part of the hours in a reply; null if none of their schools verifies hours. */
export const verifiedHours = z.nullable(z.number());

/** The reasons to review hours; `entry-flags.ts` has the rules. */
export const FLAGS = ['longEntry', 'longDay', 'sameDay', 'late', 'outsideDates', 'unusual'] as const;

/**
 * The verification of an entry at a school that verifies hours. `by` is the external verifier's address or the
 * name of the user who decided; users who do not see everyone's entries get 'your school' instead of a name. It is null while
 * the entry waits, and if its hours count without a decision.
 */
export const Verification = z.object({
  status: z.enum(STATUSES),
  hours: z.number(),
  by: z.nullable(z.string()),
  at: z.nullable(Instant),
  note: z.nullable(z.string()),
  reopenRequested: z.boolean(),
  /** The volunteer's reason for asking to reopen. */
  reopenNote: z.nullable(z.string()),
});
export type Verification = z.infer<typeof Verification>;
