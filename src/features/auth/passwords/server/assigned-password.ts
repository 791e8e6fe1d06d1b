import { LINKS } from '#features/users/contract.ts';
import { grantsNothing, mayGive } from '#features/users/server/account-permissions.ts';
import {
  CHOSEN_BY_OWNER,
  emailRecipientOf,
  lockUser,
  rightsHolderOf,
} from '#features/users/server/accounts.ts';
import type { RightsGain } from '#features/users/server/sign-in-hooks.ts';
import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { deleteMagicLinksOf } from '../../magic-link/server/store.ts';
import type text from '../../messages.server.en.json';
import { setPassword } from '../../server/credentials.ts';
import { usersWithAssignedPassword } from '../../server/credentials-store.ts';
import { removeAttachedSignIns } from '../../server/email-ownership.ts';
import { newRightsEmail } from '../../server/emails.ts';
import { createPasswordLink, RESET_LINK } from './password-reset.ts';

const say = messageFactory<typeof text>('auth');

const HOUR_MS = 3_600_000;

/**
 * Throws while an administrator-assigned password is in use: the administrator could add a second factor that the owner cannot
 * remove. Without a mail server no user can set their own password by an emailed link, so the check does not apply.
 */
export function rejectAssignedPassword(
  { config }: Deps,
  user: Pick<Row<'users'>, 'password_given_at'>,
): void {
  if (user.password_given_at === null || config.smtpUrl === undefined) return;
  throw errors.conflict(say('ownPasswordFirst'));
}

/**
 * Removes assigned passwords whose owners gain rights that the assigning administrator could not grant, because anyone who
 * knows the password would gain them too. Also removes sessions and other ways to sign in, and emails the owner a link to set a
 * password. Every path that grants rights calls this. Returns how many accounts were affected.
 */
export async function endAssignedPasswords(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  outgrown: readonly RightsGain[],
): Promise<number> {
  const given = outgrown.filter(({ gift }) => !grantsNothing(gift));
  const ids = await usersWithAssignedPassword(
    trx,
    given.map(({ userId }) => userId),
  );
  let ended = 0;
  for (const { userId, gift, keep } of given) {
    const user = ids.has(userId) ? await lockUser(trx, userId) : undefined;
    if (user === undefined || user.password_given_at === null) continue;
    const giver =
      user.password_given_by === null ? undefined : await rightsHolderOf(trx, user.password_given_by);
    if (mayGive(giver, gift)) continue;
    const { at } = request;
    const gone = await removeAttachedSignIns(trx, deps, actorOf(viewer, request), {
      userId,
      keep,
      keepsSecondStep: true,
    });
    await setPassword(trx, userId, null, CHOSEN_BY_OWNER);
    await deleteMagicLinksOf(trx, userId);
    const token = await createPasswordLink(trx, userId, at, LINKS.welcomeHours);
    await queueEmail(trx, deps, {
      kind: RESET_LINK,
      userId,
      letter: newRightsEmail(deps, emailRecipientOf(user), token, gone),
      at,
      expiresAt: plusMilliseconds(at, LINKS.welcomeHours * HOUR_MS),
    });
    ended++;
  }
  return ended;
}
