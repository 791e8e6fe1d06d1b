import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import type serverText from '../messages.server.en.json';
import type text from '../messages.volunteer.en.json';

const say = messageFactory<typeof text>('auth');
const ofServer = messageFactory<typeof serverText>('auth');

/** Messages of sessions. */
export const messages = {
  signedOutOthers: say('signedOutOthers'),
  signedOutOf: (device: string) => say('signedOutOf', { device }),
  sessionOver: say('sessionOver'),
  unknownDevice: ofServer('unknownDevice'),
  browserOn: (browser: string, system: string) => ofServer('browserOn', { browser, system }),
} as const;

/** How a user signed in; `link` is an emailed one. */
export const SIGN_IN_WAYS = ['password', 'provider', 'passkey', 'link'] as const;

/**
 * A session of an account; `device` is a name such as 'Chrome on Android'. `current` marks the session of this request.
 * `provider` is the title of the provider used to sign in; `signedInBy` is null if it was not recorded.
 */
export const Session = z.object({
  id: Id,
  current: z.boolean(),
  createdAt: Instant,
  lastUsedAt: Instant,
  device: z.string(),
  signedInBy: z.nullable(z.enum(SIGN_IN_WAYS)),
  provider: z.nullable(z.string()),
});
export type Session = z.infer<typeof Session>;

/** Ends every session of the account but this one. */
export const signOutOthers = endpoint('POST', '/auth/sign-out-others', {
  reply: z.object({ message: z.string() }),
});

/** The account's sessions, most recently used first. */
export const listSessions = endpoint('GET', '/profile/sessions', {
  reply: z.object({ sessions: z.array(Session) }),
});

/** Ends one of the account's sessions, on this device or another. */
export const signOutOf = endpoint('DELETE', '/profile/sessions/:id', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
});
