import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { runSequentially } from '#server/http/keyed-queue.ts';
import {
  type Counter,
  clearCounters,
  consumeAttempt,
  countFailure,
  deleteCountersByPrefix,
  PER_ACCOUNT,
  PER_ADDRESS,
  throwWhilePaused,
} from '#server/http/rate-limit.ts';
import type { Request } from '#server/http/viewer.ts';
import { sign } from '#server/secrets.ts';
import { hasTwoFactor } from '../two-factor/server/code-verification.ts';
import { countFailedLogin, MOST_FAILED_LOGINS, resetFailedLogins } from './credentials-store.ts';
import {
  countDeviceFailure,
  failuresFromDevice,
  findKnownDevice,
  isUnknownDevice,
  saveKnownDevices,
} from './known-device-store.ts';

/**
 * The source of a password attempt. A device that the account has signed in from has its own counters, so that a stranger's
 * failures never lock it out. All other devices share the counters of the account and of the IP address.
 */
export type Place = Readonly<{
  tries: Counter;
  /** The mark of a known device; undefined for an unknown one. */
  mark: string | undefined;
  /** The counter of an unknown device's IP address, shared by all users there. */
  address: Counter | undefined;
}>;

/** The source of a sign-in attempt. */
export async function signInAttemptSource(deps: Deps, request: Request, emailKey: string): Promise<Place> {
  const known = await findKnownDevice(deps.database.db, emailKey, marksOf(deps, request));
  if (known === undefined) {
    return {
      tries: { key: accountCounter(emailKey), policy: PER_ACCOUNT },
      mark: undefined,
      address: { key: `address:${networkOf(request.address)}`, policy: PER_ADDRESS },
    };
  }
  const tries = { key: knownCounter(known.userId, known.mark), policy: PER_ACCOUNT };
  return { tries, mark: known.mark, address: undefined };
}

/**
 * The source of a re-authentication in an open session. It has its own counter: strangers' failures do not block it, and it
 * does not bypass the limit.
 */
export function sessionAttemptSource(deps: Deps, userId: number): Place {
  const tries = { key: passwordCounter(userId), policy: PER_ACCOUNT };
  return { tries, mark: markOf(deps, 'session'), address: undefined };
}

/** Resets all counters of an account, because a new password makes earlier guesses meaningless. */
export async function resetAllThrottling(trx: Trx, user: { id: number; email_key: string }): Promise<void> {
  await clearCounters(trx, [accountCounter(user.email_key)], []);
  await resetDeviceThrottling(trx, user.id);
}

/** Resets the counters of an account's known devices and sessions. */
export async function resetDeviceThrottling(trx: Trx, userId: number): Promise<void> {
  await clearCounters(trx, [passwordCounter(userId)], []);
  await deleteCountersByPrefix(trx, knownCounter(userId, ''));
}

function accountCounter(emailKey: string): string {
  return `account:${emailKey}`;
}

function passwordCounter(userId: number): string {
  return `password:${userId}`;
}

function knownCounter(userId: number, mark: string): string {
  return `known:${userId} ${mark}`;
}

/**
 * Runs a password check within the limits of its source. The attempt is counted before the check, so that simultaneous guesses
 * cannot slip past, in this process or another; a success refunds it. Within one process the checks run one at a time, so that
 * many correct passwords at once do not count as guesses. Throws 429 with the pause if no attempt is left.
 */
export function withinLimits<Result>(
  deps: Deps,
  request: Request,
  place: Place,
  check: () => Promise<Result>,
): Promise<Result> {
  return runSequentially(place.tries.key, async () => {
    if (place.address !== undefined) await throwWhilePaused(deps.database, place.address, request.at);
    await consumeAttempt(deps.database, [place.tries], request.at);
    return check();
  });
}

/** Whether wrong passwords in a row have locked the account for this device. Only an emailed link unlocks it. */
export async function isClosed(
  deps: Deps,
  place: Place,
  user: { id: number; failed_logins: number },
): Promise<boolean> {
  const failures =
    place.mark === undefined
      ? user.failed_logins
      : await failuresFromDevice(deps.database.db, user.id, place.mark);
  return failures >= MOST_FAILED_LOGINS;
}

/** Counts a wrong password. Takes the same time without an account (`null`). */
export async function countWrongPassword(
  trx: Trx,
  request: Request,
  place: Place,
  userId: number | null,
): Promise<void> {
  if (place.mark === undefined || userId === null) await countFailedLogin(trx, userId);
  else await countDeviceFailure(trx, userId, place.mark, request.at);
  if (place.address !== undefined) await countFailure(trx, place.address, request.at);
}

/**
 * Refunds the attempt of a correct password and resets the failures. If a second factor follows, failures stay counted:
 * otherwise anyone who knows the password could reset the count of wrong codes.
 */
export async function countRightPassword(trx: Trx, place: Place, userId: number): Promise<void> {
  if (await hasTwoFactor(trx, userId)) await clearCounters(trx, [], [place.tries.key]);
  else await resetWrongPasswords(trx, place, userId);
}

/** Resets the source's failures after the last factor was correct. */
export async function resetWrongPasswords(trx: Trx, place: Place, userId: number): Promise<void> {
  await resetAttemptCounter(trx, place);
  if (place.mark === undefined) await resetFailedLogins(trx, userId);
}

/** Resets the counter of the source after a correct password. */
export function resetAttemptCounter(trx: Trx, place: Place): Promise<void> {
  return clearCounters(trx, [place.tries.key], []);
}

/** Refunds the attempt if the server was too busy to check the password. */
export async function refundAttempt(deps: Deps, place: Place, error: unknown): Promise<never> {
  await transaction(deps.database, (trx) => clearCounters(trx, [], [place.tries.key]));
  throw error;
}

/** Stores the browser and the IP address of a sign-in as known devices of the account. */
export async function rememberDevice(trx: Trx, deps: Deps, request: Request, userId: number): Promise<void> {
  await saveKnownDevices(trx, userId, marksOf(deps, request), request.at);
}

/**
 * Whether a sign-in comes from a device that is new to the account: from a browser or, without a browser key, from an IP
 * address.
 */
export function isNewDevice(trx: Trx, deps: Deps, request: Request, userId: number): Promise<boolean> {
  const [mark = ''] = marksOf(deps, request);
  return isUnknownDevice(trx, userId, mark);
}

// The browser's mark comes first, because its key is unique, while a whole school may share one IP address.
function marksOf(deps: Deps, request: Request): string[] {
  const browser = request.device === undefined ? [] : [markOf(deps, `browser ${request.device}`)];
  return [...browser, markOf(deps, `address ${networkOf(request.address)}`)];
}

// A keyed hash, so that the table does not reveal users' IP addresses.
function markOf(deps: Deps, text: string): string {
  return sign(deps.secretKey, 'known-device', text);
}
