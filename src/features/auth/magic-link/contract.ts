import * as z from 'zod/mini';
import { User } from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { ForgotInput, SecondFactorRequest } from '../contract.ts';
import type text from '../messages.en.json';

const say = messageFactory<typeof text>('auth');

/** How many minutes an emailed sign-in link is valid. */
export const LINK_MINUTES = 15;

/** Messages of sign-in by an emailed link. */
export const messages = {
  sent: say('linkSent', { minutes: LINK_MINUTES }),
  invalid: say('linkInvalid'),
  elsewhere: say('linkElsewhere'),
  needsBrowser: say('linkNeedsBrowser'),
  off: say('linkOff'),
  failed: say('linkFailed'),
} as const;

/** Returns the same reply in the same time, whether or not the address has an account. */
export const requestSignInLink = endpoint('POST', '/auth/sign-in-link', {
  body: ForgotInput,
  reply: z.object({ message: z.string() }),
});

/**
 * Exchanges an emailed link for a session, once, in the browser that requested it. Another browser gets 409, and the link stays
 * valid.
 */
export const openSignInLink = endpoint('POST', '/auth/sign-in-link/open', {
  body: z.object({ token: z.string(messages.invalid) }),
  reply: z.union([z.object({ user: User, token: z.string(), message: z.string() }), SecondFactorRequest]),
});
