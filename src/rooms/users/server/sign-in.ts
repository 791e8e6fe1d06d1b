import type * as z from 'zod/mini';
import { refuse } from '#base/refusal.ts';
import { schoolsExist } from '#rooms/schools/server/actions.ts';
import { record } from '#server/audit.ts';
import { type Trx, transaction } from '#server/db/connect.ts';
import { databaseFailure } from '#server/db/failures.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { forgive, PER_ACCOUNT, PER_ADDRESS, REGISTRATIONS, takeTry } from '#server/http/try-limits.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { emailKey, type LoginInput, messages, type RegisterInput, type User } from '../contract.ts';
import { checkNewPassword, hashPassword, passwordMatches } from './passwords.ts';
import { endSession, startSession } from './sessions.ts';
import { findCredentials, findUser, insertMemberships, insertUser, markSignedIn } from './store.ts';

type SignedIn = { user: User; token: string; message: string };

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
  const usable = known?.is_active === 1 ? known : undefined;
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
    await forgive(trx, [account], [address]);
    await markSignedIn(trx, usable.id, request.at);
    const token = await startSession(trx, usable.id, request);
    return { user: await ownUser(trx, usable.id), token, message: text(deps, messages.loggedIn) };
  });
}

/** What registering needs that must not happen inside a transaction: throttling, the rules, the hash. */
export async function prepareRegistration(
  deps: Deps,
  request: Request,
  input: RegisterInput,
): Promise<string> {
  if (deps.config.registration !== 'open') {
    throw refuse.forbidden(messages.registrationClosed(deps.config.supportEmail));
  }
  checkNewPassword(deps, input.password, 'password');
  await takeTry(
    deps.database,
    [{ key: `registrations:${request.address}`, policy: REGISTRATIONS }],
    request.at,
  );
  return hashPassword(input.password);
}

/** Makes a volunteer's account in the schools chosen and signs it in. A role in the body has no effect. */
export async function registerVolunteer(
  trx: Trx,
  deps: Deps,
  request: Request,
  input: RegisterInput,
  passwordHash: string,
): Promise<SignedIn> {
  const schoolIds = [...new Set(input.schoolIds)];
  if (!(await schoolsExist(trx, schoolIds))) {
    throw refuse.invalid(messages.schoolRequired, { schoolIds: messages.schoolRequired });
  }
  const id = await insertOrRefuse(trx, input, passwordHash, request);
  await insertMemberships(trx, id, schoolIds, request.at);
  await markSignedIn(trx, id, request.at);
  const user = await ownUser(trx, id);
  await record(
    trx,
    { ...actorOf(request, undefined), userId: id },
    {
      action: 'account.register',
      subject: 'user',
      subjectId: id,
      after: { email: user.email, firstName: user.firstName, lastName: user.lastName, schoolIds },
    },
  );
  const token = await startSession(trx, id, request);
  return { user, token, message: text(deps, messages.registered(user.firstName)) };
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

async function insertOrRefuse(
  trx: Trx,
  input: RegisterInput,
  passwordHash: string,
  request: Request,
): Promise<number> {
  // Asked first, since a failed insert would end the transaction on PostgreSQL; the unique index has the last word.
  const taken = await findCredentials(trx, input.email);
  if (taken !== undefined) throw refuse.conflict(messages.emailTaken);
  try {
    return await insertUser(trx, { ...input, passwordHash, role: 'user', at: request.at });
  } catch (error) {
    if (databaseFailure(error) === 'unique') throw refuse.conflict(messages.emailTaken);
    throw error;
  }
}

async function ownUser(trx: Trx, id: number): Promise<User> {
  const user = await findUser(trx, id);
  if (user === undefined) throw new Error(`user ${id} vanished within its own transaction`);
  return user;
}

async function recordFailure(deps: Deps, request: Request, userId: number | null): Promise<void> {
  await transaction(deps.database, (trx) =>
    record(trx, actorOf(request, undefined), { action: 'session.fail', subject: 'user', subjectId: userId }),
  );
}
