import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { messages, passwordProblem } from '#features/users/contract.ts';
import type { Deps } from '#server/deps.ts';
import { openLimit } from '#server/process/limit.ts';
import { errors } from '#shared/errors.ts';
import { STRENGTH } from './argon2-parameters.ts';

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
 * Each hash takes a processor and 19 MiB; one processor is left to requests: beside sign-ins, logging took less than half as
 * long with one of two hashing as with both. As many wait as a whole school that signs in within a minute. One limit for
 * all servers of this process, as tests run several: they share its processors.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const hashing = openLimit({ atOnce: AT_ONCE, waiting: 300, waitMs: 30_000 }, () =>
  errors.busy(messages.busy, RETRY_AFTER_SECONDS),
);

/** Hashes a new password for storing. Throws 503 when too many hashes are queued already. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run('', () => hash(password.normalize('NFKC'), STRENGTH));
}

/**
 * Whether a password matches a stored hash. Without an account (`null`) it takes the same time and is false, so
 * that response times do not reveal who has an account. `from` is the network that asks: networks take turns.
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

/**
 * Refuses a new password that is too short, too long or too common; names the body's field. `problemOf` has the
 * sentences of the form.
 */
export function checkNewPassword(
  deps: Deps,
  password: string,
  field: string,
  problemOf = passwordProblem,
): void {
  const problem = problemOf(password, deps.config.passwordMinLength);
  if (problem !== undefined) throw errors.invalid(problem, { [field]: problem });
  if (deps.config.passwordBlocklist && isCommonPassword(password)) {
    throw errors.invalid(messages.passwordTooCommon, { [field]: messages.passwordTooCommon });
  }
}

let unknown: Promise<string> | undefined;

function unknownAccountHash(): Promise<string> {
  unknown ??= hashPassword('no account has this password');
  // A server that was too busy for it must not be so for ever.
  unknown.catch(() => {
    unknown = undefined;
  });
  return unknown;
}
