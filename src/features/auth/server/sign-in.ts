import type * as z from 'zod/mini';
import { emailKey } from '#features/users/contract.ts';
import { findCredentials } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { type Acting, actorOf, type Request } from '#server/http/viewer.ts';
import { passwordMatches } from '#server/passwords.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
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
  return withinLimits(deps, request, place, async () => {
    const user = await requirePassword(deps, request, place, { ...input, wrong: messages.wrongLogin });
    return transaction(deps.database, async (trx) => {
      const claim = { ...user, isKnown: place.mark !== undefined };
      if (!(await claimSignIn(trx, claim))) throw errors.unauthenticated(messages.wrongLogin);
      await countRightPassword(trx, place, user.userId);
      return openSession(trx, deps, request, { ...user, by: 'password', deed: { action: 'session.start' } });
    });
  });
}

/**
 * Returns the account with this email and password. For a wrong password, an unknown address and a deactivated account it
 * counts and records a failed sign-in, and throws 401 with the message `wrong`.
 */
export async function requirePassword(
  deps: Deps,
  request: Request,
  place: Place,
  { email, password, wrong }: { email: string; password: string; wrong: Message },
): Promise<{ userId: number; passwordHash: string }> {
  const known = await findCredentials(deps.database.db, email);
  const usable = known?.is_active === 1 && !(await isClosed(deps, place, known)) ? known : undefined;
  const matches = await passwordMatches(
    usable?.password_hash ?? null,
    password,
    networkOf(request.address),
  ).catch((error) => refundAttempt(deps, place, error));
  if (usable !== undefined && matches) {
    return { userId: usable.id, passwordHash: usable.password_hash ?? '' };
  }
  await transaction(deps.database, async (trx) => {
    await countWrongPassword(trx, request, place, known?.id ?? null);
    const deed = { action: 'session.fail', subject: 'user', subjectId: known?.id ?? null };
    await recordEvent(trx, actorOf(undefined, request), deed);
  });
  throw errors.unauthenticated(wrong);
}

/** Ends the viewer's session. */
export async function signOut(deps: Deps, { viewer, request }: Acting): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await endSession(trx, viewer.sessionId);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'session.end',
      subject: 'user',
      subjectId: viewer.userId,
    });
  });
}
