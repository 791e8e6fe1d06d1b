import { randomBytes } from 'node:crypto';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type RelyingParty, relyingParty } from '#server/http/relying-party.ts';
import { hashToken, isSameSecret, sign } from '#server/secrets.ts';
import { type Instant, instantOf, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { messages, type NewPasskey, PASSKEYS, type PasskeyAnswer } from '../passkey-contract.ts';
import { findPasskey, insertAnsweredChallenge, type PasskeyRow } from './passkey-store.ts';

/**
 * The purpose of a challenge and, except for a sign-in, the session or pending sign-in that it belongs to. A response to one
 * challenge is invalid for another.
 */
export type Question =
  | Readonly<{ for: 'sign-in' }>
  | Readonly<{ for: 'add' | 'fresh'; sessionId: number }>
  | Readonly<{ for: 'second'; challenge: string }>;

/**
 * Creates a WebAuthn challenge. Expiry and purpose are signed instead of stored, so that a visit to the sign-in page writes
 * nothing.
 */
export function createChallenge(deps: Pick<Deps, 'secretKey'>, question: Question, until: Instant): Buffer {
  const begun = `${randomBytes(24).toString('base64url')}.${millisecondsOf(until).toString(36)}`;
  return Buffer.from(`${begun}.${signed(deps, question, begun)}`);
}

/** Returns when a challenge expires, if this server issued it for this purpose; otherwise undefined. */
export function findChallengeExpiry(
  deps: Pick<Deps, 'secretKey'>,
  question: Question,
  challenge: string,
): Instant | undefined {
  const [nonce = '', until = '', mark = ''] = Buffer.from(challenge, 'base64url').toString().split('.');
  if (!isSameSecret(mark, signed(deps, question, `${nonce}.${until}`))) return undefined;
  return instantOf(Number.parseInt(until, 36));
}

/** Records that a challenge was answered. Returns false if it was answered before, on any server. */
export function markChallengeAnswered(trx: Trx, challenge: string, until: Instant): Promise<boolean> {
  return insertAnsweredChallenge(trx, hashToken(challenge), until);
}

function signed(deps: Pick<Deps, 'secretKey'>, question: Question, begun: string): string {
  const [, whose] = Object.values(question);
  return sign(deps.secretKey, 'passkey-challenge', `${question.for} ${whose ?? ''} ${begun}`);
}

const MINUTE_MS = 60_000;
/** The accepted algorithms: ES256, EdDSA and RS256. Every device supports one of them. */
const ALGORITHMS = [-7, -8, -257];

/** The owner of a passkey, as a device displays it. */
export type Owner = Readonly<{ handle: string; email: string; name: string }>;

/** A verified response; the challenge is used up when the caller acts on it. */
export type Checked = Readonly<{ challenge: string; until: Instant }>;

/** The relying party; throws 409 if passkeys cannot work. */
export function requireRelyingParty(deps: Deps): RelyingParty {
  const party = relyingParty(deps);
  if (party === undefined) throw errors.conflict(messages.notHere);
  return party;
}

/** The WebAuthn request to create a passkey. It lists the user's existing ones, so that no device creates a second. */
export async function passkeyRegistrationOptions(
  deps: Deps,
  question: Question,
  owner: Owner,
  { present, at }: { present: readonly PasskeyRow[]; at: Instant },
): Promise<Record<string, unknown>> {
  const party = requireRelyingParty(deps);
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: bytesOf(owner.handle),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: new Uint8Array(
      createChallenge(deps, question, plusMilliseconds(at, PASSKEYS.askedMinutes * MINUTE_MS)),
    ),
    timeout: PASSKEYS.askedMinutes * MINUTE_MS,
    attestationType: 'none',
    excludeCredentials: named(present),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
}

/** Verifies a device's response with a new passkey. */
export async function verifyPasskeyRegistration(
  deps: Deps,
  question: Question,
  passkey: NewPasskey,
  at: Instant,
): Promise<Checked & Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'rp_id'>> {
  const party = requireRelyingParty(deps);
  const asked = expectChallenge(deps, question, at);
  const outcome = await verifyRegistrationResponse({
    response: { ...passkey, response: withoutAbsent(passkey.response), clientExtensionResults: {} },
    expectedChallenge: asked.isOurs,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (outcome?.verified !== true) throw errors.invalid(asked.isOver() ? messages.over : messages.notAdded);
  const { id, publicKey, counter } = outcome.registrationInfo.credential;
  return {
    ...asked.checked(),
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    rp_id: party.id,
  };
}

/** The WebAuthn request to use a passkey; without `among`, any passkey of this server. */
export async function passkeyAuthenticationOptions(
  deps: Deps,
  question: Question,
  { among, at }: { among?: readonly PasskeyRow[]; at: Instant },
): Promise<Record<string, unknown>> {
  const party = requireRelyingParty(deps);
  const minutes = question.for === 'sign-in' ? PASSKEYS.offeredMinutes : PASSKEYS.askedMinutes;
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(createChallenge(deps, question, plusMilliseconds(at, minutes * MINUTE_MS))),
    timeout: minutes * MINUTE_MS,
    userVerification: 'required',
    ...(among === undefined ? {} : { allowCredentials: named(among) }),
  });
  return { ...options };
}

/**
 * Verifies a device's response with a passkey. The caller compares the counter after the signature is verified: a forged
 * response must not look like a clone.
 */
export async function verifyPasskeyAuthentication(
  deps: Deps,
  question: Question,
  answer: PasskeyAnswer,
  at: Instant,
): Promise<Checked & Readonly<{ passkey: PasskeyRow; counter: number }>> {
  const party = requireRelyingParty(deps);
  const asked = expectChallenge(deps, question, at);
  const passkey = await findPasskey(deps.database.db, answer.id);
  if (passkey === undefined) throw errors.unauthenticated(messages.refused);
  const { userHandle } = answer.response;
  const isTheirs = userHandle === undefined ? question.for !== 'sign-in' : userHandle === passkey.user_handle;
  const outcome = await verifyAuthenticationResponse({
    response: { ...answer, response: withoutAbsent(answer.response), clientExtensionResults: {} },
    expectedChallenge: asked.isOurs,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: 0,
    },
  }).catch(() => undefined);
  if (outcome?.verified !== true || !isTheirs) {
    throw errors.unauthenticated(asked.isOver() ? messages.over : messages.refused);
  }
  return { ...asked.checked(), passkey, counter: outcome.authenticationInfo.newCounter };
}

// Checks the challenge that the library finds in a device's response.
function expectChallenge(deps: Deps, question: Question, at: Instant) {
  let found: Checked | undefined;
  return {
    isOurs: (challenge: string) => {
      const until = findChallengeExpiry(deps, question, challenge);
      if (until === undefined) return false;
      found = { challenge, until };
      return at <= until;
    },
    isOver: () => found !== undefined && at > found.until,
    checked: (): Checked => {
      if (found === undefined) throw new Error('an answer was taken whose challenge was not looked at');
      return found;
    },
  };
}

function named(passkeys: readonly PasskeyRow[]) {
  return passkeys.map(({ credential_id: id, transports }) => ({
    id,
    transports: JSON.parse(transports) as string[],
  }));
}

function bytesOf(handle: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(handle, 'base64url'));
}

type Present<Given> = { [Name in keyof Given]: Exclude<Given[Name], undefined> };

function withoutAbsent<Given extends object>(given: Given): Present<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Present<Given>;
}
