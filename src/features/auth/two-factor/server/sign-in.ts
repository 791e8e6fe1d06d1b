import type * as z from 'zod/mini';
import { emailKey } from '#features/users/contract.ts';
import { lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { checkRateLimit, EMAILS_PER_ACCOUNT } from '#server/http/rate-limit.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { isLinked } from '../../oidc/server/store.ts';
import { findOwnCredentials } from '../../server/credentials-store.ts';
import {
  countWrongPassword,
  isClosed,
  type Place,
  resetWrongPasswords,
  signInAttemptSource,
  withinLimits,
} from '../../server/login-throttling.ts';
import { beginSession, type SignedIn } from '../../sessions/server/new-session.ts';
import { messages } from '../contract.ts';
import { type PasskeyAnswer, messages as passkeyMessages } from '../passkey-contract.ts';
import type { secondFactor } from '../sign-in-contract.ts';
import { hasTwoFactor, type SecondFactorMethod, verifyTwoFactorCode } from './code-verification.ts';
import { queueTwoFactorEmail } from './emails.ts';
import { passkeyOptionsFor, verifyPasskey } from './passkeys.ts';
import {
  completePendingSignIn,
  countFailedSecondFactor,
  type FirstProof,
  openPendingSignIn,
} from './pending-sign-in.ts';

type Given = z.output<typeof secondFactor.parts.body>;

/** The WebAuthn request for the second factor; null if the user has no passkey that works on this host. */
export async function secondFactorOptions(deps: Deps, request: Request, token: string) {
  const { db } = deps.database;
  const firstProof = await openPendingSignIn(db, deps, request, token);
  if (firstProof === undefined) throw errors.invalid(messages.startAgain);
  const { userId } = firstProof;
  const options = await passkeyOptionsFor(db, deps, { for: 'second', challenge: token }, { userId, request });
  return { options: options ?? null };
}

/**
 * Completes a sign-in with the second factor. Wrong codes count toward the same limits as wrong passwords from the same device,
 * so that a stranger who knows the password does not lock out the owner's known devices.
 */
export async function signInWithSecondFactor(deps: Deps, request: Request, given: Given): Promise<SignedIn> {
  const { db } = deps.database;
  const firstProof = await openPendingSignIn(db, deps, request, given.challenge);
  if (firstProof === undefined) throw errors.invalid(messages.startAgain);
  const user = await findOwnCredentials(db, firstProof.userId);
  const place = await signInAttemptSource(deps, request, emailKey(user.email));
  return withinLimits(deps, request, place, async () => {
    if (await isClosed(deps, place, user)) throw errors.invalid(messages.startAgain);
    const { challenge, code, passkey } = given;
    const signedIn =
      passkey === undefined
        ? await trySecond(deps, request, place, { challenge, code: typed(code), firstProof })
        : await tryPasskey(deps, request, place, { challenge, passkey, firstProof });
    if (signedIn !== undefined) return signedIn;
    await countWrongSecond(deps, request, place, { userId: firstProof.userId, challenge });
    throw errors.unauthenticated(passkey === undefined ? messages.wrongCode : passkeyMessages.refused);
  });
}

function trySecond(
  deps: Deps,
  request: Request,
  place: Place,
  { challenge, code, firstProof }: { challenge: string; code: string; firstProof: FirstProof },
): Promise<SignedIn | undefined> {
  return transaction(deps.database, async (trx) => {
    const user = await lockUser(trx, firstProof.userId);
    if (user === undefined || !(await isStillValid(trx, user, firstProof))) {
      throw errors.invalid(messages.startAgain);
    }
    // Another window may have removed the last factor, so that no code can be correct any more.
    if (!(await hasTwoFactor(trx, user.id))) throw errors.invalid(messages.startAgain);
    const secondProof = await verifyTwoFactorCode(trx, deps, user.id, { code, at: request.at });
    if (secondProof === undefined) return undefined;
    if (!(await completePendingSignIn(trx, challenge))) throw errors.invalid(messages.startAgain);
    await resetWrongPasswords(trx, place, user.id);
    await emailRecoveryCodeUsed(trx, deps, user, { secondProof, request });
    return beginSession(trx, deps, request, { ...firstProof, secondProof });
  });
}

// Undefined if the response is invalid or from another user's passkey.
async function tryPasskey(
  deps: Deps,
  request: Request,
  place: Place,
  { challenge, passkey, firstProof }: { challenge: string; passkey: PasskeyAnswer; firstProof: FirstProof },
): Promise<SignedIn | undefined> {
  const question = { for: 'second', challenge } as const;
  const act = async (trx: Trx, userId: number) => {
    const user = await lockUser(trx, firstProof.userId);
    if (user === undefined || !(await isStillValid(trx, user, firstProof))) {
      throw errors.invalid(messages.startAgain);
    }
    if (userId !== user.id) throw errors.unauthenticated(passkeyMessages.refused);
    if (!(await completePendingSignIn(trx, challenge))) throw errors.invalid(messages.startAgain);
    await resetWrongPasswords(trx, place, user.id);
    return beginSession(trx, deps, request, { ...firstProof, secondProof: 'passkey' });
  };
  return verifyPasskey(deps, request, { question, answer: passkey }, act).catch((error: unknown) => {
    if (error instanceof HttpError && error.text === passkeyMessages.refused) return undefined;
    throw error;
  });
}

function typed(code: string | undefined): string {
  if (code === undefined) throw errors.invalid(messages.codeRequired, { code: messages.codeRequired });
  return code;
}

// While the second factor was pending, the account may have been deactivated, its password changed, or its provider link
// removed.
async function isStillValid(
  trx: Trx,
  user: Row<'users'>,
  { passwordHash, source }: FirstProof,
): Promise<boolean> {
  if (user.is_active === 0) return false;
  if (passwordHash !== undefined && user.password_hash !== passwordHash) return false;
  return source === undefined || isLinked(trx, user.id, source.linkId);
}

async function emailRecoveryCodeUsed(
  trx: Trx,
  deps: Deps,
  user: Row<'users'>,
  { secondProof, request }: { secondProof: SecondFactorMethod; request: Request },
): Promise<void> {
  if (secondProof === 'recovery-code')
    await queueTwoFactorEmail(trx, deps, user, { change: 'second-proof-used', at: request.at });
}

async function countWrongSecond(
  deps: Deps,
  request: Request,
  place: Place,
  { userId, challenge }: { userId: number; challenge: string },
): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await countWrongPassword(trx, request, place, userId);
    const deed = { action: 'second-proof.fail', subject: 'user', subjectId: userId };
    await recordEvent(trx, actorOf(undefined, request), deed);
  });
  const isOver = await countFailedSecondFactor(deps, challenge);
  if (isOver && place.mark === undefined) await warnOfGuesses(deps, request, userId);
}

// The user of an unknown device knows the password but lacks the code.
async function warnOfGuesses(deps: Deps, request: Request, userId: number): Promise<void> {
  const letters = { key: `second-proof-letters:${userId}`, policy: EMAILS_PER_ACCOUNT };
  if (!(await checkRateLimit(deps.database, [letters], request.at))) return;
  await transaction(deps.database, async (trx) => {
    const user = await lockUser(trx, userId);
    if (user !== undefined)
      await queueTwoFactorEmail(trx, deps, user, { change: 'second-proof-guessed', at: request.at });
  });
}
