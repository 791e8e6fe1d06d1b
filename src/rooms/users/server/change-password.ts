import type * as z from 'zod/mini';
import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { forgive, PER_ACCOUNT, PER_ADDRESS, takeTry } from '#server/http/try-limits.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { type ChangePasswordInput, changedPasswordProblem, messages } from '../contract.ts';
import { deletePasswordLinksOf } from './password-link-store.ts';
import { postPasswordNotice } from './password-reset.ts';
import { checkNewPassword, hashPassword, passwordMatches } from './passwords.ts';
import { endOtherSessions } from './session-store.ts';
import { countFailedLogin, findOwnCredentials, holdUser, MOST_FAILED_LOGINS, setPassword } from './store.ts';

/**
 * Changes the viewer's password. Wrong current ones are throttled by the account's own counter, together with
 * sign-ins, so that an open session is no way around it. Other sessions end, and links that were mailed die.
 */
export async function changeOwnPassword(
  deps: Deps,
  request: Request,
  viewer: Viewer,
  input: z.output<typeof ChangePasswordInput>,
) {
  checkNewPassword(deps, input.newPassword, 'newPassword', changedPasswordProblem);
  const { email_key, password_hash, failed_logins } = await findOwnCredentials(
    deps.database.db,
    viewer.userId,
  );
  const account = `account:${email_key}`;
  const address = `address:${request.address}`;
  await takeTry(
    deps.database,
    [
      { key: account, policy: PER_ACCOUNT },
      { key: address, policy: PER_ADDRESS },
    ],
    request.at,
  );
  const known = failed_logins < MOST_FAILED_LOGINS ? password_hash : null;
  const matches = await passwordMatches(known, input.currentPassword).catch((error) =>
    giveBack(deps, [account, address], error),
  );
  if (!matches) {
    await recordFailure(deps, request, viewer);
    throw refuse.invalid(messages.currentPasswordWrong, { currentPassword: messages.currentPasswordWrong });
  }
  const passwordHash = await hashPassword(input.newPassword).catch((error) =>
    giveBack(deps, [account, address], error),
  );
  return transaction(deps.database, async (trx) => {
    const user = await holdUser(trx, viewer.userId);
    // Another request changed it in the meantime: what was checked is not the current one any more.
    if (user === undefined || user.password_hash !== password_hash) {
      throw refuse.invalid(messages.currentPasswordWrong, { currentPassword: messages.currentPasswordWrong });
    }
    await setPassword(trx, viewer.userId, passwordHash);
    await endOtherSessions(trx, viewer);
    await deletePasswordLinksOf(trx, viewer.userId);
    await forgive(trx, [account], [address]);
    await postPasswordNotice(trx, deps, user, request.at);
    await record(trx, actorOf(request, viewer), {
      action: 'password.change',
      subject: 'user',
      subjectId: viewer.userId,
    });
    return { message: text(deps, messages.passwordChanged) };
  });
}

// Too busy to look is no failure of the person's.
async function giveBack(deps: Deps, counters: readonly string[], error: unknown): Promise<never> {
  await transaction(deps.database, (trx) => forgive(trx, [], counters));
  throw error;
}

async function recordFailure(deps: Deps, request: Request, viewer: Viewer): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await countFailedLogin(trx, viewer.userId);
    const deed = { action: 'password.fail', subject: 'user', subjectId: viewer.userId };
    await record(trx, actorOf(request, viewer), deed);
  });
}
