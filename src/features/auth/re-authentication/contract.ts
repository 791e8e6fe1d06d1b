import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { messages as passwordMessages } from '../contract.ts';
import type text from '../messages.volunteer.en.json';
import { FAILURES, ProviderRef } from '../oidc/contract.ts';
import { PasskeyAnswer } from '../two-factor/passkey-contract.ts';

const say = messageFactory<typeof text>('auth');

/** Messages of re-authentication. */
export const messages = {
  confirmed: say('freshConfirmed'),
  wrongPassword: say('freshWrongPassword'),
  failed: say('freshFailed'),
  expired: say('freshExpired'),
  otherAccount: (title: string) => say('freshOtherAccount', { title }),
} as const;

/**
 * Why re-authentication at a provider failed (`?fresh-failed=`); `standing` means that the user did not sign in again there.
 */
export const REAUTHENTICATION_FAILURES = [...FAILURES, 'standing'] as const;
export type ReauthenticationFailure = (typeof REAUTHENTICATION_FAILURES)[number];

/** A provider that the viewer's account is linked to. Its `start` page takes the ticket as the parameter `fresh`. */
export const ReauthenticationProvider = z.extend(ProviderRef, { ticket: z.string() });
export type ReauthenticationProvider = z.infer<typeof ReauthenticationProvider>;

/** The ways in which the viewer can re-authenticate; none if an emailed link is their only way to sign in. */
export const listReauthenticationMethods = endpoint('GET', '/auth/fresh', {
  reply: z.object({
    password: z.boolean(),
    passkey: z.boolean(),
    providers: z.array(ReauthenticationProvider),
  }),
  isForSettingUp: true,
});

/** The viewer's own password. */
export const ReauthenticationInput = z.object({
  password: z
    .string(passwordMessages.currentPasswordRequired)
    .check(z.minLength(1, passwordMessages.currentPasswordRequired)),
});

/** Re-authenticates this session for `RECENT_AUTH_MINUTES`. */
export const reauthenticate = endpoint('POST', '/auth/fresh', {
  isLong: true,
  body: z.object({
    password: z.optional(z.string(passwordMessages.currentPasswordRequired)),
    passkey: z.optional(PasskeyAnswer),
    /** The code from the provider's callback in the window (`?fresh=`). */
    provider: z.optional(z.string(messages.expired)),
  }),
  reply: z.object({ message: z.string() }),
  isForSettingUp: true,
});
