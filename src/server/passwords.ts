import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { openLimit } from '#server/process/limit.ts';
import { errors } from '#shared/errors.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '#shared/messages.server.en.json';

const say = messageFactory<typeof texts>('shared');

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const MOST_COMMON = 10_000;

/** Whether a password is among the ten thousand most common ones. Case is ignored. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    dictionary['passwords-common'].slice(0, MOST_COMMON).map((known) => known.toLowerCase()),
  );
  return common.has(password.toLowerCase());
}

let common: Set<string> | undefined;

const RETRY_AFTER_SECONDS = 3;

/**
 * Each hash occupies a CPU core and 19 MiB. One core is left to requests: with one of two cores hashing, logging hours during a
 * burst of sign-ins took less than half as long as with both. The queue has room for a school that signs in within a minute.
 * The process has one limit, because tests run several servers in it.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const hashing = openLimit({ atOnce: AT_ONCE, waiting: 300, waitMs: 30_000 }, () =>
  errors.busy(say('signInBusy'), RETRY_AFTER_SECONDS),
);

/** Hashes a new password for storing. Throws 503 when too many hashes are queued already. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run('', () => hash(password.normalize('NFKC'), STRENGTH));
}

/**
 * Whether a password matches a stored hash. Without an account (`null`) it takes the same time and is false, so
 * that response times do not reveal who has an account. `from` is the client's network: networks take turns in the queue.
 */
export async function passwordMatches(
  stored: string | null,
  password: string,
  from: string,
): Promise<boolean> {
  const known = stored ?? (await unknownAccountHash());
  const matches = await hashing.run(from, () => verify(known, password.normalize('NFKC')));
  return stored !== null && matches;
}

let unknown: Promise<string> | undefined;

function unknownAccountHash(): Promise<string> {
  unknown ??= hashPassword('no account has this password');
  // A rejection because of a full queue must not be cached.
  unknown.catch(() => {
    unknown = undefined;
  });
  return unknown;
}
