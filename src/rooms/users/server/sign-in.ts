import type * as z from 'zod/mini';
import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { forgive, PER_ACCOUNT, PER_ADDRESS, takeTry } from '#server/http/try-limits.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { emailKey, type LoginInput, messages, type User } from '../contract.ts';
import { ownUser } from './own-account.ts';
import { passwordMatches } from './passwords.ts';
import { endSession } from './session-store.ts';
import { startSession } from './sessions.ts';
import { claimSignIn, countFailedLogin, findCredentials, MOST_FAILED_LOGINS } from './store.ts';

/** What signing in and registering answer. */
export type SignedIn = { user: User; token: string; message: string };

/**
 * Signs in with e-mail address and password. A wrong password, an unknown address and a deactivated account get
 * the same answer in the same time (security 2.3); guessing is throttled per account and per address.
 */
export async function signIn(
  deps: Deps,
  request: Request,
  input: z.output<typeof LoginInput>,
): Promise<SignedIn> {
  const account = `account:${emailKey(input.email)}`;
  const address = `address:${request.address}`;
  await takeTry(
    deps.database,
    [
      { key: account, policy: PER_ACCOUNT },
      { key: address, policy: PER_ADDRESS },
    ],
    request.at,
  );
  const known = await findCredentials(deps.database.db, input.email);
  const usable = known?.is_active === 1 && known.failed_logins < MOST_FAILED_LOGINS ? known : undefined;
  const matches = await passwordMatches(usable?.password_hash ?? null, input.password).catch(
    async (error) => {
      // Too busy to look is no failure of the person's.
      await transaction(deps.database, (trx) => forgive(trx, [], [account, address]));
      throw error;
    },
  );
  if (usable === undefined || !matches) {
    await recordFailure(deps, request, known?.id ?? null);
    throw refuse.unauthenticated(messages.wrongLogin);
  }
  return transaction(deps.database, async (trx) => {
    if (!(await claimSignIn(trx, usable.id, usable.password_hash ?? '', request.at))) {
      throw refuse.unauthenticated(messages.wrongLogin);
    }
    await forgive(trx, [account], [address]);
    const token = await startSession(trx, usable.id, request);
    return { user: await ownUser(trx, usable.id), token, message: text(deps, messages.loggedIn) };
  });
}

/** Ends the viewer's session. */
export async function signOut(deps: Deps, request: Request, viewer: Viewer): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await endSession(trx, viewer.sessionId);
    await record(trx, actorOf(request, viewer), {
      action: 'session.end',
      subject: 'user',
      subjectId: viewer.userId,
    });
  });
}

async function recordFailure(deps: Deps, request: Request, userId: number | null): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await countFailedLogin(trx, userId);
    const deed = { action: 'session.fail', subject: 'user', subjectId: userId };
    await record(trx, actorOf(request, undefined), deed);
  });
}
