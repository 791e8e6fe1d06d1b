import { type Actor, recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import type { EmailRecipient } from '#server/email/personal-email.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashPassword } from '#server/passwords.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { emailKey, LINKS, messages, type RegisterInput, type verifyEmail } from '../contract.ts';
import { existingSchoolIds } from '../memberships/server/store.ts';
import { recordRegistration } from '../registration/server/audit.ts';
import { USER_FIELDS } from '../user-fields.ts';
import {
  confirmationSentAt,
  deleteConfirmationsOf,
  deleteRegistrationOf,
  findConfirmation,
  redeemConfirmation,
  saveConfirmation,
} from './email-confirmation-store.ts';
import { addressTakenEmail, confirmAddressEmail, queueEmailChangedEmail } from './emails.ts';
import { checkNewPassword } from './password-rules.ts';
import { NO_SIGN_INS_REMOVED, signIns } from './sign-in-hooks.ts';
import {
  CHOSEN_BY_OWNER,
  findCredentials,
  findUser,
  insertMemberships,
  insertUser,
  lockUser,
  markVerified,
  type NewUser,
  UNPROVEN_EMAIL,
  updateUser,
} from './store.ts';
import { rejectTakenEmail, throwEmailTaken } from './unique-email.ts';

export { deleteExpiredConfirmations } from './email-confirmation-store.ts';

/**
 * Changes an account's address to one that its owner has confirmed; does nothing if it is the current one. Throws 409 if
 * another account has it by now; this may be disclosed, because the address belongs to the person who opened the link. Removes
 * provider links, and password and magic links that were sent to the old address. Returns whether the old address was
 * confirmed.
 */
export async function changeAccountEmail(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, email }: { userId: number; email: string },
): Promise<boolean> {
  const before = await lockUser(trx, userId);
  if (before === undefined || before.email_key === emailKey(email)) return false;
  await rejectTakenEmail(trx, email);
  const { at } = request;
  const user = { ...fromColumns(USER_FIELDS, before), email, standing: UNPROVEN_EMAIL };
  const actor = { ...actorOf(undefined, request), userId };
  await updateUser(trx, actor, userId, user).catch(throwEmailTaken);
  await signIns().deletePasswordLinks(trx, userId);
  await signIns().deleteMagicLinks(trx, userId);
  const providers = await signIns().removeProviderLinks(trx, deps, actor, userId);
  if (before.email_verified_at !== null) {
    const ended = { ...NO_SIGN_INS_REMOVED, providers };
    await queueEmailChangedEmail(trx, deps, { user: before, newEmail: email, ended, at });
  }
  await recordEvent(trx, actor, {
    action: 'account.edit',
    subject: 'user',
    subjectId: userId,
    before: { email: before.email },
    after: { email },
  });
  return before.email_verified_at !== null;
}

const HOUR_MS = 3_600_000;

/** The address to confirm: of an account, or of a registration whose account is created through the link. */
type Unconfirmed = Readonly<{
  email: string;
  userId?: number;
  newAccount?: RegisterInput;
  /** The link changes the account's address; until it is opened, the account uses the current one. */
  isMove?: boolean;
}>;

/**
 * Emails a link that confirms an address. It works once, is valid for 24 hours, and replaces an older link to the same address.
 */
export async function queueConfirmationEmail(
  trx: Trx,
  deps: Deps,
  request: Request,
  { email, userId, newAccount, isMove = false }: Unconfirmed,
): Promise<void> {
  const token = newToken();
  // Only the recipient requests this email, so the language of the request applies.
  const to = { email, id: userId ?? null, language: null };
  const expiresAt = plusMilliseconds(request.at, LINKS.confirmHours * HOUR_MS);
  await saveConfirmation(trx, {
    token_hash: hashToken(token),
    email,
    user_id: userId ?? null,
    first_name: newAccount?.firstName ?? null,
    last_name: newAccount?.lastName ?? null,
    school_ids: newAccount === undefined ? null : JSON.stringify(newAccount.schoolIds),
    created_at: request.at,
    expires_at: expiresAt,
  });
  await queueEmail(trx, deps, {
    kind: 'confirm-address',
    userId: userId ?? null,
    letter: confirmAddressEmail(deps, to, { token, isMove }),
    at: request.at,
    expiresAt,
  });
}

/**
 * Informs the account that has an address, instead of a confirmation, about the attempt to register with it or to move another
 * account to it.
 */
export async function queueAddressTakenEmail(
  trx: Trx,
  deps: Deps,
  request: Request,
  { known, isMove }: { known: EmailRecipient & { id: number }; isMove: boolean },
): Promise<void> {
  await deleteRegistrationOf(trx, known.email);
  await queueEmail(trx, deps, {
    kind: isMove ? 'address-taken' : 'already-known',
    userId: known.id,
    letter: addressTakenEmail(deps, known, isMove),
    at: request.at,
  });
}

/**
 * Requests a change of an account's address, which takes effect when the emailed link is opened. If another account has the
 * address, the writes and the reply are the same, but the email goes to that account's owner.
 */
export async function requestEmailChange(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  await deleteConfirmationsOf(trx, userId);
  const known = await findCredentials(trx, email);
  if (known === undefined) return queueConfirmationEmail(trx, deps, request, { email, userId, isMove: true });
  await queueAddressTakenEmail(trx, deps, request, { known, isMove: true });
}

/**
 * Confirms an address with a link's token, once. A registration's link creates the account with the password chosen by its
 * recipient; without a password it only returns the registration. An account's link also sets a new password, unless the
 * browser is signed in to the account, because a stranger may have entered the address and know the password.
 */
export async function confirmEmail(deps: Deps, request: Request, input: BodyOf<typeof verifyEmail>) {
  const { db } = deps.database;
  const pending = await findConfirmation(db, hashToken(input.token), request.at);
  if (pending === undefined) throw errors.invalid(messages.invalidConfirmation);
  const { user_id: userId, email } = pending;
  const user = userId === null ? undefined : await findUser(db, userId);
  if (userId !== null && (await signIns().findOwnSession(db, request, userId)) !== undefined) {
    return confirmAddress(deps, request, { token: input.token });
  }
  const { newPassword, language } = input;
  const firstName = input.firstName ?? user?.firstName ?? pending.first_name ?? '';
  const lastName = input.lastName ?? user?.lastName ?? pending.last_name ?? '';
  if (newPassword === undefined) return { registration: { email, firstName, lastName } };
  checkNewPassword(deps, newPassword, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  if (userId !== null) {
    const chosen = { passwordHash, firstName, lastName };
    return confirmAddress(deps, request, { token: input.token, chosen });
  }
  return transaction(deps.database, async (trx) => {
    const row = await redeemConfirmation(trx, hashToken(input.token), request.at);
    if (row === undefined || row.user_id !== null) throw errors.invalid(messages.invalidConfirmation);
    await createAccount(trx, deps, request, { row, passwordHash, firstName, lastName, language });
    return { message: translate(deps, messages.accountConfirmed) };
  });
}

/** Whether a link to this address was emailed in the last ten minutes. */
export async function wasJustSent(trx: Trx, email: string, at: Instant): Promise<boolean> {
  const mailedAt = await confirmationSentAt(trx, email);
  return mailedAt !== undefined && millisecondsOf(at) - millisecondsOf(mailedAt) < HOUR_MS / 6;
}

async function createAccount(
  trx: Trx,
  deps: Deps,
  request: Request,
  made: Pick<NewUser, 'firstName' | 'lastName' | 'language'> & {
    row: Row<'email_confirmations'>;
    passwordHash: string;
  },
): Promise<void> {
  const { row, passwordHash, firstName, lastName, language } = made;
  const { email } = row;
  await rejectTakenEmail(trx, email);
  const { at } = request;
  const said = { email, firstName, lastName, role: 'user', isActive: true } as const;
  const user = { ...said, passwordHash, at, isVerified: true, language };
  const id = await insertUser(trx, user).catch(throwEmailTaken);
  const chosen = await existingSchoolIds(trx, JSON.parse(row.school_ids ?? '[]'));
  // The registration mode may have changed since the link was emailed.
  const { registration } = deps.config;
  const isLetIn = registration === 'open' || registration === 'verify-email';
  await insertMemberships(trx, id, chosen, { at, status: isLetIn ? 'active' : 'pending', isApproved: false });
  await signIns().rememberDevice(trx, deps, request, id);
  await recordRegistration(trx, request, id);
}

// Works without a password only in a browser that is signed in to the account; that session does not end.
function confirmAddress(deps: Deps, request: Request, { token, chosen }: { token: string; chosen?: Chosen }) {
  return transaction(deps.database, async (trx) => {
    const { at } = request;
    const row = await redeemConfirmation(trx, hashToken(token), at);
    const userId = row?.user_id ?? undefined;
    if (row === undefined || userId === undefined) throw errors.invalid(messages.invalidConfirmation);
    const keep = await signIns().findOwnSession(trx, request, userId);
    if (keep === undefined && chosen === undefined) throw errors.invalid(messages.invalidConfirmation);
    const hasMoved = await changeAccountEmail(trx, deps, request, { userId, email: row.email });
    const user = await lockUser(trx, userId);
    if (user?.email_key !== row.email_key) throw errors.invalid(messages.invalidConfirmation);
    // A user who confirmed the old address and opens the link while signed in owns both addresses.
    if (hasMoved && keep !== undefined) await markVerified(trx, userId, user.email_key, at);
    else
      await signIns().queueRemovedSignInsEmail(trx, deps, {
        user,
        ended: await signIns().markEmailProven(trx, deps, { user, at, keep }),
        at,
      });
    const actor = { ...actorOf(undefined, request), userId };
    if (chosen !== undefined) {
      await take(trx, actor, user, chosen);
      await signIns().rememberDevice(trx, deps, request, userId);
    }
    await recordEvent(trx, actor, { action: 'account.confirm-address', subject: 'user', subjectId: userId });
    return { message: translate(deps, messages.emailConfirmed) };
  });
}

/** The password and names for an account that a stranger may have created. */
type Chosen = Readonly<{ passwordHash: string; firstName: string; lastName: string }>;

async function take(
  trx: Trx,
  actor: Actor,
  user: Row<'users'>,
  { passwordHash, ...names }: Chosen,
): Promise<void> {
  await signIns().setPassword(trx, user.id, passwordHash, CHOSEN_BY_OWNER);
  await signIns().endSessions(trx, user.id);
  const before = { firstName: user.first_name, lastName: user.last_name };
  if (isUnchanged(before, names)) return;
  await updateUser(trx, actor, user.id, { ...fromColumns(USER_FIELDS, user), ...names });
  await recordEvent(trx, actor, {
    action: 'account.edit',
    subject: 'user',
    subjectId: user.id,
    before,
    after: names,
  });
}
