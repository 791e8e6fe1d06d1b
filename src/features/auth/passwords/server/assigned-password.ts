import { LINKS } from '#features/users/contract.ts';
import type text from '#features/users/messages.emails.en.json';
import { rightsHolderOf } from '#features/users/roles/server/store.ts';
import { type GrantedRights, grantsNothing, mayGive } from '#features/users/server/account-permissions.ts';
import {
  CHOSEN_BY_OWNER,
  emailRecipientOf,
  lockUser,
  setPassword,
  withGivenPassword,
} from '#features/users/server/store.ts';
import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { deleteMagicLinksOf } from '../../magic-link/server/store.ts';
import { removeAttachedSignIns } from '../../server/email-ownership.ts';
import { newRightsEmail } from '../../server/emails.ts';
import { makePasswordLink, RESET_LINK } from './password-reset.ts';

const say = messageFactory<typeof text>('users');

const HOUR_MS = 3_600_000;

/**
 * Throws while a password that somebody else chose opens an account: they could add a second step of their own, which the
 * owner cannot take away. Where no mail server is set, nobody can choose their own by an emailed link.
 */
export function rejectAssignedPassword(
  { config }: Deps,
  user: Pick<Row<'users'>, 'password_given_at'>,
): void {
  if (user.password_given_at === null || config.smtpUrl === undefined) return;
  throw errors.conflict(say('ownPasswordFirst'));
}

/** What somebody gets, and the session of theirs that stays. */
export type RightsGain = Readonly<{ userId: number; gift: GrantedRights; keep?: number | undefined }>;

/**
 * Ends the passwords that somebody else chose, where their owners get what that person could not give: the person who knows the
 * password must not get it too. Sessions and other ways in end as well; an email lets the owner choose a password. Every
 * path that gives rights ends here. Returns for how many.
 */
export async function endAssignedPasswords(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  outgrown: readonly RightsGain[],
): Promise<number> {
  const given = outgrown.filter(({ gift }) => !grantsNothing(gift));
  const ids = await withGivenPassword(
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
    const token = await makePasswordLink(trx, userId, at, LINKS.welcomeHours);
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
