import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { baseMessages } from '#shared/common-messages.ts';

/** Where hours stand with whoever verifies them; those that count are 0 while waiting or declined. */
export const STATUSES = ['waiting', 'verified', 'declined'] as const;
export type Status = (typeof STATUSES)[number];

/** Limits an answer to the entries in one state. */
export const StatusParam = z.enum(STATUSES, baseMessages.invalidRequest);

/** Limits an answer to verified hours: its entries are the verified ones, its hours those of them that count. */
export const Only = z.enum(['verified'], baseMessages.invalidRequest);
export type Only = z.infer<typeof Only>;

/** The hours that count of the same entries; null when none of the schools of the answer verifies. */
export const verifiedHours = z.nullable(z.number());

/** What is odd about hours; `flags.ts` has the rules. */
export const FLAGS = ['longEntry', 'longDay', 'sameDay', 'late', 'outsideDates', 'unusual'] as const;

/**
 * What somebody said of an entry at a school that verifies. `by` is the name of whoever decided for those who see
 * everybody's entries, else 'your school' or the supervisor's address; null while it waits and where hours are trusted.
 */
export const Verification = z.object({
  status: z.enum(STATUSES),
  hours: z.number(),
  by: z.nullable(z.string()),
  at: z.nullable(Instant),
  note: z.nullable(z.string()),
  reopenRequested: z.boolean(),
  /** Why the volunteer asks to reopen. */
  reopenNote: z.nullable(z.string()),
});
export type Verification = z.infer<typeof Verification>;
