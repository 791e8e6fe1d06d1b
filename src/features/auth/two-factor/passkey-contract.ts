import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { requiredLine } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('two-factor');

/** Limits: the length of a name, the number of passkeys per person, and how long a WebAuthn request can be answered. */
export const PASSKEYS = { name: 60, most: 20, askedMinutes: 10, offeredMinutes: 30 } as const;

/** Messages of passkeys. */
export const messages = {
  nameRequired: say('passkeyNameRequired'),
  nameTooLong: say('passkeyNameTooLong', { max: PASSKEYS.name }),
  notHere: say('passkeyNotHere'),
  tooMany: say('passkeyTooMany', { most: PASSKEYS.most }),
  notAdded: say('passkeyNotAdded'),
  addedBefore: say('passkeyAddedBefore'),
  added: (name: string) => say('passkeyAdded', { name }),
  renamed: say('passkeyRenamed'),
  removed: (name: string) => say('passkeyRemoved', { name }),
  gone: say('passkeyGone'),
  lastWayIn: say('passkeyLastWayIn'),
  refused: say('passkeyRefused'),
  over: say('passkeyOver'),
  cloned: say('passkeyCloned'),
  failed: say('passkeyFailed'),
  cancelled: say('passkeyCancelled'),
} as const;

/** Longer than any value that a device sends. */
const LONGEST = 12_000;
const Coded = z.string(messages.refused).check(z.maxLength(LONGEST, messages.refused));

/** A device's response that proves possession of a passkey (WebAuthn, as JSON). */
export const PasskeyAnswer = z.object({
  id: Coded,
  rawId: Coded,
  type: z.literal('public-key', messages.refused),
  response: z.object({
    clientDataJSON: Coded,
    authenticatorData: Coded,
    signature: Coded,
    userHandle: z.optional(Coded),
  }),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** A device's response with a new passkey. */
export const NewPasskey = z.object({
  id: Coded,
  rawId: Coded,
  type: z.literal('public-key', messages.refused),
  response: z.object({
    clientDataJSON: Coded,
    attestationObject: Coded,
    transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** The server's WebAuthn request, which the browser passes to the device. */
export const Asked = z.record(z.string(), z.unknown());

const Name = requiredLine(PASSKEYS.name, messages.nameRequired, messages.nameTooLong);

/** The name of a passkey. */
export const PasskeyName = z.object({ name: Name });

/** One of a user's passkeys. `worksAt` is the only host it works on, if that is no longer this one. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
  worksAt: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof Passkey>;

/** The viewer's passkeys; `offeredAt` is the origin where one can be added, null if passkeys cannot work. */
export const listPasskeys = endpoint('GET', '/profile/second-factor/passkeys', {
  reply: z.object({ passkeys: z.array(Passkey), offeredAt: z.nullable(z.string()) }),
  isForSettingUp: true,
});

/** The WebAuthn request that creates a passkey. 409 if passkeys cannot work. */
export const offerPasskey = endpoint('POST', '/profile/second-factor/passkeys/options', {
  reply: z.object({ options: Asked }),
  freshProof: 'always',
  isForSettingUp: true,
});

export const addPasskey = endpoint('POST', '/profile/second-factor/passkeys', {
  body: z.object({ name: Name, passkey: NewPasskey }),
  reply: z.object({
    passkey: Passkey,
    /** Returned only this once, if the passkey is the user's first second factor; otherwise null. */
    recoveryCodes: z.nullable(z.array(z.string())),
    message: z.string(),
  }),
  status: 201,
  freshProof: 'always',
  isForSettingUp: true,
});

export const renamePasskey = endpoint('PUT', '/profile/second-factor/passkeys/:id', {
  params: z.object({ id: IdText }),
  body: PasskeyName,
  reply: z.object({ passkey: Passkey, message: z.string() }),
  isForSettingUp: true,
});

/** Removes a passkey, unless it is the last way to sign in. */
export const removePasskey = endpoint('DELETE', '/profile/second-factor/passkeys/:id', {
  params: z.object({ id: IdText }),
  reply: z.object({ message: z.string() }),
  freshProof: 'always',
  isForSettingUp: true,
});
