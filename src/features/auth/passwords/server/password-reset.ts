import type * as z from 'zod/mini';
import { emailKey, LINKS } from '#features/users/contract.ts';
import { emailRecipientOf, lockUser, passwordChosenBy } from '#features/users/server/accounts.ts';
import { checkNewPassword } from '#features/users/server/password-rules.ts';
import { NO_SIGN_INS_REMOVED, type RemovedSignIns } from '#features/users/server/sign-in-hooks.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { dropPendingEmails, queueEmail, simulateQueueEmail } from '#server/email/outbox.ts';
import { networkOf } from '#server/http/client-address.ts';
import {
  checkRateLimit,
  consumeAttempt,
  EMAILS_PER_ACCOUNT,
  PASSWORD_RESETS,
} from '#server/http/rate-limit.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashPassword } from '#server/passwords.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { removeFirstLink } from '#server/storage/first-admin-link-file.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { type ForgotInput, messages, type ResetInput } from '../../contract.ts';
import { deleteMagicLinksOf } from '../../magic-link/server/store.ts';
import { setPassword } from '../../server/credentials.ts';
import { lockEmailRecipient } from '../../server/credentials-store.ts';
import { markEmailProven, queueRemovedSignInsEmail } from '../../server/email-ownership.ts';
import { choosePasswordFirstEmail, passwordChangedEmail, passwordResetEmail } from '../../server/emails.ts';
import { rememberDevice, resetAllThrottling } from '../../server/login-throttling.ts';
import { endSessionsOf } from '../../sessions/server/store.ts';
import {
  deletePasswordLinksOf,
  findPasswordLink,
  insertPasswordLinks,
  simulatePasswordLinkInsert,
  usePasswordLink,
} from './password-link-store.ts';

/** The `kind` of outbox emails with a password link. */
export const RESET_LINK = 'reset-link';
const HOUR_MS = 3_600_000;

/**
 * Emails a link that sets a password, if the address has an account. The reply is the same, after the same work, whether or not
 * it has one (security 2.3): for an unknown address an email is written too, but marked as dropped.
 */
export async function requestPasswordReset(
  deps: Deps,
  request: Request,
  input: z.output<typeof ForgotInput>,
) {
  await consumeAttempt(
    deps.database,
    [{ key: `resets:${networkOf(request.address)}`, policy: PASSWORD_RESETS }],
    request.at,
  );
  const letters = { key: `reset-letters:${emailKey(input.email)}`, policy: EMAILS_PER_ACCOUNT };
  if (await checkRateLimit(deps.database, [letters], request.at)) {
    await transaction(deps.database, (trx) => queueResetLink(trx, deps, request, input.email));
  }
  return { message: translate(deps, messages.resetSent) };
}

/**
 * Creates a link token for an account, valid for the given hours. Every older link of the account becomes invalid. A link that
 * was also shown to an administrator does not confirm the address.
 */
export async function createPasswordLink(
  trx: Trx,
  userId: number,
  at: Instant,
  hours: number,
  isShown = false,
): Promise<string> {
  await deletePasswordLinksOf(trx, userId);
  const token = newToken();
  const expiresAt = plusMilliseconds(at, hours * HOUR_MS);
  await insertPasswordLinks(trx, [{ userId, tokenHash: hashToken(token) }], { at, expiresAt, isShown });
  return token;
}

/** Stores the links of previously created tokens, for accounts without a link. */
export async function createPasswordLinks(
  trx: Trx,
  links: readonly { userId: number; tokenHash: string }[],
  validity: { at: Instant; expiresAt: Instant; isShown?: boolean },
): Promise<void> {
  await insertPasswordLinks(trx, links, validity);
}

/** Returns the account of a link. Throws if the link is unknown, used, replaced or expired, or the account is deactivated. */
export async function verifyLink(deps: Deps, request: Request, token: string) {
  const link = await findPasswordLink(deps.database.db, hashToken(token), request.at);
  if (link === undefined) throw errors.invalid(messages.invalidResetToken);
  return { user: { firstName: link.first_name, email: link.email } };
}

/** Sets the password with a link's token, once. All sessions of the account end. */
export async function setPasswordByLink(deps: Deps, request: Request, input: z.output<typeof ResetInput>) {
  checkNewPassword(deps, input.newPassword, 'newPassword');
  // Hashing costs as much as a sign-in, so an unknown token is rejected before it.
  if ((await findPasswordLink(deps.database.db, hashToken(input.token), request.at)) === undefined) {
    throw errors.invalid(messages.invalidResetToken);
  }
  const passwordHash = await hashPassword(input.newPassword);
  const reply = await transaction(deps.database, async (trx) => {
    const used = await usePasswordLink(trx, hashToken(input.token), request.at);
    if (used === undefined) throw errors.invalid(messages.invalidResetToken);
    const { userId } = used;
    const user = await lockUser(trx, userId);
    if (user === undefined) throw errors.invalid(messages.invalidResetToken);
    const chosen = passwordChosenBy(used.isShown ? user.vouched_by : null, request.at);
    await setPassword(trx, userId, passwordHash, chosen);
    // The link was emailed only to this address, so opening it confirms the address. A change of address invalidates the link.
    const ended = used.isShown
      ? NO_SIGN_INS_REMOVED
      : await markEmailProven(trx, deps, { user, at: request.at });
    await deleteMagicLinksOf(trx, userId);
    await endSessionsOf(trx, userId);
    await resetAllThrottling(trx, user);
    // Opening the link confirms access to the mailbox, so this device becomes a known one, which wrong passwords on other
    // devices cannot lock out.
    await rememberDevice(trx, deps, request, userId);
    // An account that had no password gets no email about a changed one, only about removed sign-in methods.
    if (user.password_hash !== null) await queuePasswordChangedEmail(trx, deps, user, request.at, ended);
    else await queueRemovedSignInsEmail(trx, deps, { user, ended, at: request.at });
    const actor = { ...actorOf(undefined, request), userId };
    await recordEvent(trx, actor, { action: 'password.reset', subject: 'user', subjectId: userId });
    return { message: translate(deps, messages.passwordReset) };
  });
  removeFirstLink(deps.config.dataDir, input.token);
  return reply;
}

/** Emails the account's owner that the password was changed. */
export async function queuePasswordChangedEmail(
  trx: Trx,
  deps: Deps,
  user: Row<'users'>,
  at: Instant,
  ended?: RemovedSignIns,
): Promise<void> {
  await queueEmail(trx, deps, {
    kind: 'password-changed',
    userId: user.id,
    letter: passwordChangedEmail(deps, emailRecipientOf(user), ended),
    at,
  });
}

/** Emails an unconfirmed address a link that sets a password and confirms the address, instead of a sign-in link. */
export async function queueFirstPasswordEmail(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  known: Parameters<typeof emailRecipientOf>[0] & { id: number },
): Promise<void> {
  await dropPendingEmails(trx, known.id, [RESET_LINK], at);
  const token = await createPasswordLink(trx, known.id, at, LINKS.resetMinutes / 60);
  await queueEmail(trx, deps, {
    kind: RESET_LINK,
    userId: known.id,
    letter: choosePasswordFirstEmail(deps, emailRecipientOf(known), token),
    at,
    expiresAt: plusMilliseconds(at, LINKS.resetMinutes * 60_000),
  });
}

// Runs the same number and kind of statements whether or not the address is known.
async function queueResetLink(trx: Trx, deps: Deps, request: Request, email: string): Promise<void> {
  const { at } = request;
  const known = await lockEmailRecipient(trx, email);
  await dropPendingEmails(trx, known?.id ?? 0, [RESET_LINK], at);
  const hours = LINKS.resetMinutes / 60;
  const token =
    known === undefined
      ? await simulatePasswordLink(trx)
      : await createPasswordLink(trx, known.id, at, hours);
  const to =
    known === undefined
      ? { email, firstName: 'Nobody', lastName: 'Known', isProven: false, id: null, language: null }
      : emailRecipientOf(known);
  const posting = {
    kind: RESET_LINK,
    userId: known?.id ?? null,
    letter: passwordResetEmail(deps, to, token),
    at,
    expiresAt: plusMilliseconds(at, LINKS.resetMinutes * 60_000),
  };
  await (known === undefined ? simulateQueueEmail : queueEmail)(trx, deps, posting);
  const deed = { action: 'password.forget', subject: 'user', subjectId: known?.id ?? null };
  await recordEvent(trx, actorOf(undefined, request), deed);
}

async function simulatePasswordLink(trx: Trx): Promise<string> {
  const token = newToken();
  await deletePasswordLinksOf(trx, 0);
  await simulatePasswordLinkInsert(trx, hashToken(token));
  return token;
}
