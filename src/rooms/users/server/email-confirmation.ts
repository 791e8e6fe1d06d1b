import { type Instant, instantOf, millisecondsOf } from '#base/calendar-date.ts';
import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { type Trx, transaction } from '#server/db/connect.ts';
import { databaseFailure } from '#server/db/failures.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import { hashToken, newToken } from '#server/secret.ts';
import { LINKS, messages, type RegisterInput } from '../contract.ts';
import {
  confirmationMailedAt,
  deleteConfirmationsBefore,
  deleteConfirmationTo,
  putConfirmation,
  takeConfirmation,
} from './confirmation-store.ts';
import { alreadyKnownLetter, confirmLetter } from './letters.ts';
import { schoolsAmong } from './membership-store.ts';
import { recordRegistration } from './own-account.ts';
import { findCredentials, insertMemberships, insertUser, markVerified } from './store.ts';

const HOUR_MS = 3_600_000;

/** What a confirmation is of: an account's address, or of an account that opening the link makes. */
type Unconfirmed = Readonly<{
  email: string;
  userId?: number;
  newAccount?: RegisterInput & { passwordHash: string };
}>;

/** Mails a link that proves an address, once, within 24 hours; an older one of the same address dies. */
export async function postConfirmation(
  trx: Trx,
  deps: Deps,
  request: Request,
  { email, userId, newAccount }: Unconfirmed,
): Promise<void> {
  const token = newToken();
  const expiresAt = instantOf(millisecondsOf(request.at) + LINKS.confirmHours * HOUR_MS);
  await putConfirmation(trx, {
    token_hash: hashToken(token),
    email,
    user_id: userId ?? null,
    password_hash: newAccount?.passwordHash ?? null,
    first_name: newAccount?.firstName ?? null,
    last_name: newAccount?.lastName ?? null,
    school_ids: newAccount === undefined ? null : JSON.stringify(newAccount.schoolIds),
    created_at: request.at,
    expires_at: expiresAt,
  });
  await post(trx, deps, {
    kind: 'confirm-address',
    userId: userId ?? null,
    letter: confirmLetter(deps, email, token),
    at: request.at,
    expiresAt,
  });
}

/** Instead of a confirmation: tells the owner of an account that somebody wanted another one for the address. */
export async function tellAlreadyKnown(
  trx: Trx,
  deps: Deps,
  request: Request,
  known: { id: number; email: string },
): Promise<void> {
  await deleteConfirmationTo(trx, known.email);
  await post(trx, deps, {
    kind: 'already-known',
    userId: known.id,
    letter: alreadyKnownLetter(deps, known.email),
    at: request.at,
    expiresAt: noticeExpiry(request.at),
  });
}

/** Confirms an address with a link's token, once; makes the account when it was one of a registration. */
export async function confirmEmail(deps: Deps, request: Request, token: string) {
  await transaction(deps.database, async (trx) => {
    const row = await takeConfirmation(trx, hashToken(token), request.at);
    if (row === undefined) throw refuse.invalid(messages.invalidConfirmation);
    if (row.user_id === null) await makeAccount(trx, deps, request, row);
    else await confirmAddress(trx, request, row.user_id, row.email_key);
  });
  return { message: text(deps, messages.emailConfirmed) };
}

/** Whether a link to this address was mailed a moment ago. */
export async function wasJustMailed(trx: Trx, email: string, at: Instant): Promise<boolean> {
  const mailedAt = await confirmationMailedAt(trx, email);
  return mailedAt !== undefined && millisecondsOf(at) - millisecondsOf(mailedAt) < HOUR_MS / 6;
}

/** Removes links that nobody opened in time, with the registrations behind them. */
export async function sweepConfirmations(trx: Trx, now: Instant): Promise<void> {
  await deleteConfirmationsBefore(trx, now);
}

async function makeAccount(
  trx: Trx,
  deps: Deps,
  request: Request,
  row: Row<'email_confirmations'>,
): Promise<void> {
  const { email, password_hash: passwordHash, first_name: firstName, last_name: lastName } = row;
  if (firstName === null || lastName === null) throw new Error('a registration without a name');
  // Asked first, since a failed insert would end the transaction on PostgreSQL; the unique index has the last word.
  if ((await findCredentials(trx, email)) !== undefined) throw refuse.conflict(messages.emailTaken);
  const { at } = request;
  const user = { email, passwordHash, firstName, lastName, role: 'user', at, isVerified: true } as const;
  const id = await insertUser(trx, user).catch((error: unknown) => {
    if (databaseFailure(error) === 'unique') throw refuse.conflict(messages.emailTaken);
    throw error;
  });
  const chosen = await schoolsAmong(trx, JSON.parse(row.school_ids ?? '[]'));
  // The district may have changed its mind about who gets in since the link was mailed.
  const { registration } = deps.config;
  const isLetIn = registration === 'open' || registration === 'verify-email';
  await insertMemberships(trx, id, chosen, at, isLetIn ? 'active' : 'pending');
  await recordRegistration(trx, request, id);
}

async function confirmAddress(trx: Trx, request: Request, userId: number, key: string): Promise<void> {
  if (!(await markVerified(trx, userId, key, request.at))) throw refuse.invalid(messages.invalidConfirmation);
  await record(
    trx,
    { ...actorOf(request, undefined), userId },
    { action: 'account.confirm-address', subject: 'user', subjectId: userId },
  );
}
