import type { Trx } from '#server/db/connect.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/address.ts';
import { oneByOne } from '#server/http/one-by-one.ts';
import {
  type Counter,
  countFailure,
  forgetTriesBeginning,
  forgive,
  PER_ACCOUNT,
  PER_ADDRESS,
  refuseWhilePaused,
  takeTry,
} from '#server/http/try-limits.ts';
import type { Request } from '#server/http/viewer.ts';
import { sign } from '#server/secret.ts';
import { countFailedMark, failuresOfMark, findKnownMark, rememberMarks } from './known-device-store.ts';
import { countFailedLogin, MOST_FAILED_LOGINS } from './store.ts';

/**
 * From where an account's password is tried. A place that the account signed in from before has counters of its own,
 * so that strangers' failures never lock it; everywhere else the strangers' counters hold, of account and address.
 */
export type Place = Readonly<{
  tries: Counter;
  /** What the place is known by; nothing for a stranger's. */
  mark: string | undefined;
  /** Held against strangers, who share it with everybody at their address. */
  address: Counter | undefined;
}>;

/** From where somebody signs in. */
export async function placeOfSignIn(deps: Deps, request: Request, emailKey: string): Promise<Place> {
  const known = await findKnownMark(deps.database.db, emailKey, marksOf(deps, request));
  if (known === undefined) {
    return {
      tries: { key: `account:${emailKey}`, policy: PER_ACCOUNT },
      mark: undefined,
      address: { key: `address:${networkOf(request.address)}`, policy: PER_ADDRESS },
    };
  }
  const tries = { key: knownCounter(known.userId, known.mark), policy: PER_ACCOUNT };
  return { tries, mark: known.mark, address: undefined };
}

/** An open session that asks for the account's password: strangers do not count here, and it is no way around them. */
export function placeOfSession(deps: Deps, userId: number): Place {
  const tries = { key: passwordCounter(userId), policy: PER_ACCOUNT };
  return { tries, mark: markOf(deps, 'session'), address: undefined };
}

/** The counter of an open session's tries. */
export function passwordCounter(userId: number): string {
  return `password:${userId}`;
}

/** Forgets what was tried at an account by its own devices and sessions. */
export async function forgetTriesOf(trx: Trx, userId: number): Promise<void> {
  await forgive(trx, [passwordCounter(userId)], []);
  await forgetTriesBeginning(trx, knownCounter(userId, ''));
}

function knownCounter(userId: number, mark: string): string {
  return `known:${userId} ${mark}`;
}

/**
 * Runs a check of a password within the limits of its place: the try is taken before the check, so that simultaneous
 * guesses cannot slip past, here or in another process; a success gives it back. In one process they take turns, so
 * that many right ones at once are not taken for guesses. Throws 429 with the pause when there is no try left.
 */
export function withinLimits<Result>(
  deps: Deps,
  request: Request,
  place: Place,
  check: () => Promise<Result>,
): Promise<Result> {
  return oneByOne(place.tries.key, async () => {
    if (place.address !== undefined) await refuseWhilePaused(deps.database, place.address, request.at);
    await takeTry(deps.database, [place.tries], request.at);
    return check();
  });
}

/** Whether a place has had so many wrong passwords in a row that only a mailed link opens the account from there. */
export async function isClosed(
  deps: Deps,
  place: Place,
  user: { id: number; failed_logins: number },
): Promise<boolean> {
  const failures =
    place.mark === undefined
      ? user.failed_logins
      : await failuresOfMark(deps.database.db, user.id, place.mark);
  return failures >= MOST_FAILED_LOGINS;
}

/** A wrong password; for nobody (`null`) it takes the same time. */
export async function countWrong(
  trx: Trx,
  request: Request,
  place: Place,
  userId: number | null,
): Promise<void> {
  if (place.mark === undefined || userId === null) await countFailedLogin(trx, userId);
  else await countFailedMark(trx, userId, place.mark, request.at);
  if (place.address !== undefined) await countFailure(trx, place.address, request.at);
}

/** A right password: the place starts anew. */
export function forgetWrong(trx: Trx, place: Place): Promise<void> {
  return forgive(trx, [place.tries.key], []);
}

/** Too busy to look is no failure of the person's: the try is given back. */
export async function giveTryBack(deps: Deps, place: Place, error: unknown): Promise<never> {
  await transaction(deps.database, (trx) => forgive(trx, [], [place.tries.key]));
  throw error;
}

/** The account is known from now on by the browser and the address that signed in. */
export async function rememberPlace(trx: Trx, deps: Deps, request: Request, userId: number): Promise<void> {
  await rememberMarks(trx, userId, marksOf(deps, request), request.at);
}

// The browser first: nobody else has its key, while a whole school may share the address.
function marksOf(deps: Deps, request: Request): string[] {
  const browser = request.device === undefined ? [] : [markOf(deps, `browser ${request.device}`)];
  return [...browser, markOf(deps, `address ${networkOf(request.address)}`)];
}

// Keyed, so that the table tells nobody which addresses somebody was at.
function markOf(deps: Deps, text: string): string {
  return sign(deps.secretKey, 'known-device', text);
}
