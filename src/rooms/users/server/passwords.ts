import { hash, verify } from '@node-rs/argon2';
import { refuse } from '#base/refusal.ts';
import type { Deps } from '#server/deps.ts';
import { messages, passwordProblem } from '../contract.ts';
import { isCommonPassword } from './common-passwords.ts';

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane.
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// Each hash takes a thread and 19 MiB: a login burst must not starve every other request.
const AT_ONCE = 2;
// Enough for a whole school signing in at once: all are done within a few seconds.
const QUEUE = 300;
const BUSY_RETRY_SECONDS = 3;

let running = 0;
const waiting: (() => void)[] = [];

/** Hashes a new password for storing. Throws 503 when too many hashes are queued already. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), STRENGTH));
}

/**
 * Whether a password matches a stored hash. Without an account (`null`) it takes the same time and is false, so
 * that response times do not reveal who has an account.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const known = stored ?? (await unknownAccountHash());
  const matches = await inTurn(() => verify(known, password.normalize('NFKC')));
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
  if (problem !== undefined) throw refuse.invalid(problem, { [field]: problem });
  if (deps.config.passwordBlocklist && isCommonPassword(password)) {
    throw refuse.invalid(messages.passwordTooCommon, { [field]: messages.passwordTooCommon });
  }
}

let unknown: Promise<string> | undefined;

function unknownAccountHash(): Promise<string> {
  unknown ??= hash('no account has this password', STRENGTH);
  return unknown;
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (waiting.length >= QUEUE) throw refuse.busy(messages.busy, BUSY_RETRY_SECONDS);
    await new Promise<void>((resume) => waiting.push(resume));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
