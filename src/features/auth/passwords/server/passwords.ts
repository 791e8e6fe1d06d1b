import { messages, passwordProblem } from '#features/users/contract.ts';
import type { Deps } from '#server/deps.ts';
import { refuse } from '#shared/errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { createHashingPool, type HashingTask } from './hashing-pool.ts';

// One for all servers of this process, as tests run several: they share its processors.
const hashing = createHashingPool();

/** Hashes a new password for storing. Throws 503 when too many hashes are queued already. */
export async function hashPassword(password: string): Promise<string> {
  return hashOf({ password: password.normalize('NFKC') });
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
  const answer = await hashing.ask({ stored: known, password: password.normalize('NFKC') }, from);
  if (!('matches' in answer)) throw failed(answer);
  return stored !== null && answer.matches;
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
  if (problem !== undefined) throw refuse.invalid(problem, { [field]: problem });
  if (deps.config.passwordBlocklist && isCommonPassword(password)) {
    throw refuse.invalid(messages.passwordTooCommon, { [field]: messages.passwordTooCommon });
  }
}

let unknown: Promise<string> | undefined;

function unknownAccountHash(): Promise<string> {
  unknown ??= hashOf({ password: 'no account has this password' });
  // A server that was too busy for it must not be so for ever.
  unknown.catch(() => {
    unknown = undefined;
  });
  return unknown;
}

async function hashOf(task: HashingTask): Promise<string> {
  const answer = await hashing.ask(task, '');
  if (!('hash' in answer)) throw failed(answer);
  return answer.hash;
}

function failed(answer: object): Error {
  return new Error(`a password could not be hashed: ${JSON.stringify(answer)}`);
}
