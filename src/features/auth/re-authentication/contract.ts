import * as z from 'zod/mini';
import { messages as accountMessages } from '#features/users/contract.ts';
import type text from '#features/users/messages.re-authentication.en.json';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { FAILURES, ProviderRef } from '../oidc/contract.ts';
import { PasskeyAnswer } from '../two-factor/passkey-contract.ts';

const say = messageFactory<typeof text>('users');

/** Messages about saying once more who one is. */
export const messages = {
  confirmed: say('freshConfirmed'),
  wrongPassword: say('freshWrongPassword'),
  failed: say('freshFailed'),
  expired: say('freshExpired'),
  otherAccount: (title: string) => say('freshOtherAccount', { title }),
} as const;

/** Why a sign-in elsewhere proved nothing (`?fresh-failed=`); `standing`: nobody signed in there again. */
export const REAUTHENTICATION_FAILURES = [...FAILURES, 'standing'] as const;
export type ReauthenticationFailure = (typeof REAUTHENTICATION_FAILURES)[number];

/** A service that the viewer's account is linked with; its `start` takes the ticket as `fresh`. */
export const ReauthenticationProvider = z.extend(ProviderRef, { ticket: z.string() });
export type ReauthenticationProvider = z.infer<typeof ReauthenticationProvider>;

/** How the viewer can prove once more who they are; none where a mailed link is all that opens the account. */
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
    .string(accountMessages.currentPasswordRequired)
    .check(z.minLength(1, accountMessages.currentPasswordRequired)),
});

/** Proves for this session who the viewer is, for `RECENT_AUTH_MINUTES`. */
export const reauthenticate = endpoint('POST', '/auth/fresh', {
  isLong: true,
  body: z.object({
    password: z.optional(z.string(accountMessages.currentPasswordRequired)),
    passkey: z.optional(PasskeyAnswer),
    /** What the window came back with that signed in at a service (`?fresh=`). */
    provider: z.optional(z.string(messages.expired)),
  }),
  reply: z.object({ message: z.string() }),
  isForSettingUp: true,
});
