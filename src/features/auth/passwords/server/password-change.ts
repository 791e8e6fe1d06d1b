import type * as z from 'zod/mini';
import { lockUser } from '#features/users/server/accounts.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import { checkNewPassword } from '#features/users/server/password-rules.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashPassword, passwordMatches } from '#server/passwords.ts';
import { errors, type HttpError } from '#shared/errors.ts';
import { type ChangePasswordInput, changedPasswordProblem, messages } from '../../contract.ts';
import { deleteMagicLinksOf } from '../../magic-link/server/store.ts';
import { setPassword } from '../../server/credentials.ts';
import { findOwnCredentials } from '../../server/credentials-store.ts';
import {
  countWrongPassword,
  isClosed,
  type Place,
  refundAttempt,
  resetAttemptCounter,
  sessionAttemptSource,
  withinLimits,
} from '../../server/login-throttling.ts';
import { endOtherSessions, recordSessionReauthentication } from '../../sessions/server/store.ts';
import { deletePasswordLinksOf } from './password-link-store.ts';
import { queuePasswordChangedEmail } from './password-reset.ts';

/**
 * Checks the viewer's password within the limits of `place`, and returns the account as it was then. A wrong password is
 * counted and recorded, and throws `wrong`.
 */
export async function requireOwnPassword(
  deps: Deps,
  { viewer, request }: Acting,
  { place, password, wrong }: { place: Place; password: string; wrong: () => HttpError },
): Promise<Awaited<ReturnType<typeof findOwnCredentials>>> {
  const user = await findOwnCredentials(deps.database.db, viewer.userId);
  const stored = (await isClosed(deps, place, user)) ? null : user.password_hash;
  const matches = await passwordMatches(stored, password, networkOf(request.address)).catch((error) =>
    refundAttempt(deps, place, error),
  );
  if (matches) return user;
  await transaction(deps.database, async (trx) => {
    await countWrongPassword(trx, request, place, viewer.userId);
    const deed = { action: 'password.fail', subject: 'user', subjectId: viewer.userId };
    await recordEvent(trx, actorOf(viewer, request), deed);
  });
  throw wrong();
}

/**
 * Changes the viewer's password. Wrong current passwords are throttled like sign-ins, so that an open session does not bypass
 * the limit. Other sessions end, and emailed links become invalid.
 */
export async function changeOwnPassword(
  deps: Deps,
  acting: Acting,
  input: z.output<typeof ChangePasswordInput>,
) {
  const { viewer, request } = acting;
  checkNewPassword(deps, input.newPassword, 'newPassword', changedPasswordProblem);
  const place = sessionAttemptSource(deps, viewer.userId);
  return withinLimits(deps, request, place, async () => {
    const current = await requireOwnPassword(deps, acting, {
      place,
      password: input.currentPassword,
      wrong: rejectCurrentPassword,
    });
    const passwordHash = await hashPassword(input.newPassword).catch((error) =>
      refundAttempt(deps, place, error),
    );
    // An unconfirmed address may be a stranger's, who must not be flooded with notices.
    const isProven = current.email_verified_at !== null;
    const mayNotify = isProven || (await canEmail(deps, request, current.email, viewer.userId));
    return transaction(deps.database, async (trx) => {
      const user = await lockUser(trx, viewer.userId);
      // Another request changed the password since the check.
      if (user === undefined || user.password_hash !== current.password_hash) throw rejectCurrentPassword();
      await setPassword(trx, viewer.userId, passwordHash);
      await endOtherSessions(trx, viewer);
      await recordSessionReauthentication(trx, viewer.sessionId, request.at);
      await deletePasswordLinksOf(trx, viewer.userId);
      await deleteMagicLinksOf(trx, viewer.userId);
      await resetAttemptCounter(trx, place);
      if (mayNotify) await queuePasswordChangedEmail(trx, deps, user, request.at);
      await recordEvent(trx, actorOf(viewer, request), {
        action: 'password.change',
        subject: 'user',
        subjectId: viewer.userId,
      });
      return { message: translate(deps, messages.passwordChanged) };
    });
  });
}

function rejectCurrentPassword() {
  return errors.invalid(messages.currentPasswordWrong, { currentPassword: messages.currentPasswordWrong });
}
