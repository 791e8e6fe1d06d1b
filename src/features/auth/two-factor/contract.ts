import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('two-factor');

/**
 * Limits: the length and time step of a code, the number of recovery codes, the longest input that is accepted as a code
 * (`typed`), how long a pending sign-in or a new secret is valid, and how many wrong codes end a pending sign-in.
 */
export const LIMITS = {
  digits: 6,
  stepSeconds: 30,
  recoveryCodes: 10,
  typed: 100,
  challengeMinutes: 10,
  mistakes: 5,
  offerMinutes: 30,
} as const;

/** Messages of authenticator codes and recovery codes. */
export const messages = {
  codeRequired: say('codeRequired'),
  wrongCode: say('wrongCode'),
  wrongFirstCode: say('wrongFirstCode'),
  startAgain: say('startAgain'),
  offerOver: say('offerOver'),
  added: say('added'),
  removed: say('removed'),
  newCodes: say('newCodes'),
  none: say('none'),
  demanded: say('demanded'),
  setUpFirst: say('setUpFirst'),
  reset: (name: string) => say('reset', { name }),
  nothingToReset: say('nothingToReset'),
  ownReset: say('ownReset'),
} as const;

/** A code as typed; spaces and hyphens are ignored. */
export const TypedCode = z
  .string(messages.codeRequired)
  .check(z.minLength(1, messages.codeRequired), z.maxLength(LIMITS.typed, messages.wrongCode));

const told = z.object({ message: z.string() });
const codes = z.object({ recoveryCodes: z.array(z.string()), message: z.string() });

/**
 * The viewer's second factor. `neededFrom` is when an administrator must have one; null if the district does not require it of
 * them. `isSetUp` includes passkeys; `isOverdue` means that every other call is rejected until it is set up.
 */
export const SecondFactor = z.object({
  totp: z.nullable(z.object({ createdAt: Instant, lastUsedAt: z.nullable(Instant) })),
  recoveryCodesLeft: z.int(),
  neededFrom: z.nullable(Instant),
  isSetUp: z.boolean(),
  isOverdue: z.boolean(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

export const getSecondFactor = endpoint('GET', '/profile/second-factor', {
  reply: SecondFactor,
  isForSettingUp: true,
});

/** Creates a new secret for an authenticator, as text and as the URI in its QR code. It takes effect once confirmed. */
export const startTotpSetup = endpoint('POST', '/profile/second-factor/totp', {
  reply: z.object({
    secret: z.string(),
    uri: z.string(),
    /** As an SVG path of unit squares, without a quiet zone. */
    qrCode: z.object({ side: z.int(), path: z.string() }),
  }),
  freshProof: 'always',
  isForSettingUp: true,
});

/**
 * Confirms the offered secret with one of its codes. Returns ten recovery codes, only this once; earlier ones become invalid.
 */
export const confirmTotp = endpoint('POST', '/profile/second-factor/totp/confirm', {
  body: z.object({ code: TypedCode }),
  reply: codes,
  freshProof: 'always',
  isForSettingUp: true,
});

/**
 * Removes the authenticator. Recovery codes become invalid with the last second factor. 409 if it is the last one and the
 * district requires one of the viewer.
 */
export const removeTotp = endpoint('DELETE', '/profile/second-factor/totp', {
  reply: told,
  freshProof: 'always',
  isForSettingUp: true,
});

/** Creates ten recovery codes, returned only this once; earlier ones become invalid. */
export const newRecoveryCodes = endpoint('POST', '/profile/second-factor/recovery-codes', {
  reply: codes,
  freshProof: 'always',
  isForSettingUp: true,
});
