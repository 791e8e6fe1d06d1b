import { messages as accountMessages } from '#features/users/contract.ts';
import { requirePermission } from '#features/users/server/account-permissions.ts';
import { findAdminUser, findCredentials, lockUser } from '#features/users/server/accounts.ts';
import { type Actor, recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { errors } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { endSessionsOf } from '../../sessions/server/store.ts';
import { messages } from '../contract.ts';
import { hasTwoFactor } from './code-verification.ts';
import { queueTwoFactorEmail } from './emails.ts';
import { removeTwoFactor } from './removal.ts';

/** Whether a user has two-factor authentication, for administrators who may reset it. */
export async function readTwoFactorOf(deps: Deps, viewer: Viewer, id: number) {
  const { db } = deps.database;
  await requireBelow(db, viewer, id);
  return { hasSecondFactor: await hasTwoFactor(db, id) };
}

/** Removes the second factor of a user who lost it. Viewers change their own in Account Settings. */
export async function resetSecondFactorOf(deps: Deps, { viewer, request }: Acting, id: number) {
  if (id === viewer.userId) throw errors.forbidden(messages.ownReset);
  return transaction(deps.database, async (trx) => {
    const user = await lockUser(trx, id);
    const { firstName, lastName } = await requireBelow(trx, viewer, id);
    if (user === undefined) throw errors.notFound(accountMessages.userNotFound);
    if (!(await reset(trx, deps, user, actorOf(viewer, request))))
      throw errors.conflict(messages.nothingToReset);
    return { message: translate(deps, messages.reset(fullName({ firstName, lastName }))) };
  });
}

/** Resets two-factor authentication from a command on the server, by the account's address. Returns the outcome. */
export function resetTwoFactorFromCommandLine(
  deps: Deps,
  email: string,
): Promise<'no account' | 'nothing to reset' | 'reset'> {
  const actor = { userId: null, at: deps.clock.now(), address: null, requestId: null };
  return transaction(deps.database, async (trx) => {
    const known = await findCredentials(trx, email);
    const user = known && (await lockUser(trx, known.id));
    if (user === undefined) return 'no account';
    return (await reset(trx, deps, user, actor)) ? 'reset' : 'nothing to reset';
  });
}

async function reset(trx: Trx, deps: Deps, user: Row<'users'>, actor: Actor): Promise<boolean> {
  if ((await removeTwoFactor(trx, user.id)) === undefined) return false;
  await endSessionsOf(trx, user.id);
  await queueTwoFactorEmail(trx, deps, user, { change: 'second-proof-reset', at: actor.at });
  await recordEvent(trx, actor, { action: 'second-proof.reset', subject: 'user', subjectId: user.id });
  return true;
}

// Removing the second factor leaves only the password, so a reset requires all of that account's permissions.
async function requireBelow(db: Db, viewer: Viewer, id: number) {
  const user = await findAdminUser(db, id);
  if (user === undefined) throw errors.notFound(accountMessages.userNotFound);
  requirePermission(viewer, 'password', user);
  return user;
}
