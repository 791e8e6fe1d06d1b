import * as z from 'zod/mini';
import { requiredLine } from '#shared/text-normalization.ts';
import { emailOr, LIMITS, messages } from '../contract.ts';

/** A person on a paper sign-in sheet: a name and, if the sheet has one, an address. */
export const GuestVolunteerInput = z.object({
  firstName: requiredLine(LIMITS.name, messages.namesRequired),
  lastName: requiredLine(LIMITS.name, messages.namesRequired),
  email: z.nullish(emailOr(messages.emailInvalid)),
});
export type GuestVolunteerInput = z.infer<typeof GuestVolunteerInput>;

/** Changes to a guest volunteer. `isInvited` also creates an account for them. The address may be blank. */
export const GuestVolunteerChange = z.object({
  firstName: requiredLine(LIMITS.name, messages.namesRequired),
  lastName: requiredLine(LIMITS.name, messages.namesRequired),
  email: z.union([z.literal(''), emailOr(messages.emailInvalid)], messages.emailInvalid),
  isActive: z.boolean(),
  isInvited: z.boolean(),
});
export type GuestVolunteerChange = z.infer<typeof GuestVolunteerChange>;
