import type * as z from 'zod/mini';
import { emailKey } from '#features/users/contract.ts';
import { findCredentials } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { passwordMatches } from '#server/passwords.ts';
import { errors } from '#shared/errors.ts';
import { type LoginInput, messages } from '../contract.ts';
import { openSession, type Proven } from '../sessions/server/new-session.ts';
import { endSession } from '../sessions/server/store.ts';
import { claimSignIn } from './credentials-store.ts';
import {
  countRightPassword,
  countWrongPassword,
  isClosed,
  type Place,
  refundAttempt,
  signInAttemptSource,
  withinLimits,
} from './login-throttling.ts';

/**
 * Signs in with email and password. A wrong password, an unknown address and a deactivated account get the same reply in the
 * same time (security 2.3). Guessing is throttled per account and per IP address, and separately for known devices.
 */
export async function signIn(
  deps: Deps,
  request: Request,
  input: z.output<typeof LoginInput>,
): Promise<Proven> {
  const place = await signInAttemptSource(deps, request, emailKey(input.email));
  return withinLimits(deps, request, place, () => trySignIn(deps, request, input, place));
}

async function trySignIn(
  deps: Deps,
  request: Request,
  input: z.output<typeof LoginInput>,
  place: Place,
): Promise<Proven> {
  const known = await findCredentials(deps.database.db, input.email);
  const usable = known?.is_active === 1 && !(await isClosed(deps, place, known)) ? known : undefined;
  const matches = await passwordMatches(
    usable?.password_hash ?? null,
    input.password,
    networkOf(request.address),
  ).catch((error) => refundAttempt(deps, place, error));
  if (usable === undefined || !matches) {
    await recordFailure(deps, request, place, known?.id ?? null);
    throw errors.unauthenticated(messages.wrongLogin);
  }
  return transaction(deps.database, async (trx) => {
    const claim = {
      userId: usable.id,
      passwordHash: usable.password_hash ?? '',
      isKnown: place.mark !== undefined,
    };
    if (!(await claimSignIn(trx, claim))) throw errors.unauthenticated(messages.wrongLogin);
    await countRightPassword(trx, place, usable.id);
    return openSession(trx, deps, request, {
      userId: usable.id,
      by: 'password',
      deed: { action: 'session.start' },
      passwordHash: claim.passwordHash,
    });
  });
}

/** Ends the viewer's session. */
export async function signOut(deps: Deps, viewer: Viewer, request: Request): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await endSession(trx, viewer.sessionId);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'session.end',
      subject: 'user',
      subjectId: viewer.userId,
    });
  });
}

async function recordFailure(
  deps: Deps,
  request: Request,
  place: Place,
  userId: number | null,
): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await countWrongPassword(trx, request, place, userId);
    const deed = { action: 'session.fail', subject: 'user', subjectId: userId };
    await recordEvent(trx, actorOf(undefined, request), deed);
  });
}
