import * as z from 'zod/mini';
import { messages as accountMessages, User } from '#features/users/contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { SecondFactorRequest } from '../contract.ts';
import type text from '../messages.en.json';

const say = messageFactory<typeof text>('auth');

/** Messages of sign-in with OpenID Connect providers. */
export const messages = {
  unknown: say('providerUnknown'),
  startAgain: say('providerStartAgain'),
  inactive: (email: string) => say('providerInactive', { email }),
  noAddress: (title: string) => say('providerNoAddress', { title }),
  unverified: (title: string, address: string) => say('providerUnverified', { title, address }),
  otherDomain: (title: string, address: string, domains: string) =>
    say('providerOtherDomain', { title, address, domains }),
  otherAccount: (title: string, address: string, email: string) =>
    say('providerOtherAccount', { title, address, email }),
  administrator: (title: string, address: string) => say('providerAdministrator', { title, address }),
  welcome: (firstName: string) => say('providerWelcome', { firstName }),
  wrongPassword: say('providerWrongPassword'),
  lastWayIn: say('providerLastWayIn'),
  notLinked: say('providerNotLinked'),
  unlinked: (title: string) => say('providerUnlinked', { title }),
} as const;

/**
 * Time limits of a provider sign-in: at the provider, until the browser fetches its session, and for entering the password that
 * links the account.
 */
export const SIGN_IN_STATES = { awayMinutes: 10, fetchSeconds: 60, linkMinutes: 10 } as const;

/** Why a provider sent a browser back without signing the user in. The page shows a message for each (`?signin-failed=`). */
export const FAILURES = ['unreachable', 'declined', 'unbelievable', 'expired', 'busy'] as const;
export type SignInFailure = (typeof FAILURES)[number];

/** A provider to sign in with; `title` is the text of its button. */
export const ProviderRef = z.object({ name: z.string(), title: z.string() });
export type ProviderRef = z.infer<typeof ProviderRef>;

/** The configured providers; empty if there are none. */
export const listProviders = endpoint('GET', '/auth/providers', {
  reply: z.object({ providers: z.array(ProviderRef) }),
});

const signedIn = z.object({ user: User, token: z.string(), message: z.string() });

/**
 * Exchanges the code of a provider callback for a session, once, in the browser that started. If an account with a password has
 * the address, the reply requests that password first.
 */
export const exchangeSignIn = endpoint('POST', '/auth/oidc/exchange', {
  body: z.object({ code: z.string(messages.startAgain) }),
  reply: z.union([
    signedIn,
    z.object({ next: z.literal('link'), challenge: z.string() }),
    SecondFactorRequest,
  ]),
});

/** The password that confirms a link, with the challenge that requested it. */
export const LinkInput = z.object({
  challenge: z.string(messages.startAgain),
  password: z
    .string(accountMessages.emailAndPasswordRequired)
    .check(z.minLength(1, accountMessages.emailAndPasswordRequired)),
});

/** Links a provider account after checking the password of the account here, and signs in. */
export const linkProvider = endpoint('POST', '/auth/oidc/link', {
  isLong: true,
  body: LinkInput,
  reply: z.union([signedIn, SecondFactorRequest]),
});

/** A provider account linked to the viewer's account. */
export const LinkedProvider = z.object({
  id: Id,
  name: z.string(),
  title: z.string(),
  linkedAt: Instant,
  lastUsedAt: Instant,
});
export type LinkedProvider = z.infer<typeof LinkedProvider>;

/** The provider accounts linked to the viewer's account, oldest link first. */
export const listOwnProviders = endpoint('GET', '/profile/providers', {
  reply: z.object({ providers: z.array(LinkedProvider) }),
});

/** Removes a link, unless it is the last way to sign in. */
export const unlinkProvider = endpoint('DELETE', '/profile/providers/:id', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});
