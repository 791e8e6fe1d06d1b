import { emailRecipientOf, grantsOf, markVerified } from '#features/users/server/accounts.ts';
import {
  type EmailProof,
  NO_SIGN_INS_REMOVED,
  type RemovedSignIns,
} from '#features/users/server/sign-in-hooks.ts';
import { type Actor, recordEvent } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import type { Request } from '#server/http/viewer.ts';
import { hashToken } from '#server/secrets.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { titleOf } from '../oidc/server/redirects.ts';
import { deleteProviderLinksOf, providerLinksOf } from '../oidc/server/store.ts';
import { endSessionsExcept, sessionByToken } from '../sessions/server/store.ts';
import { removeTwoFactor } from '../two-factor/server/removal.ts';
import { removedSignInsEmail } from './emails.ts';

/** Returns the ID of the account's session in the requesting browser, or undefined. Works in public calls too. */
export async function findOwnSession(
  db: Db,
  { bearer }: Request,
  userId: number,
): Promise<number | undefined> {
  return bearer === undefined ? undefined : sessionByToken(db, userId, hashToken(bearer));
}

/**
 * Records that the owner of an account's address confirmed it. The first confirmation removes earlier sign-in methods, because
 * the person who entered the address may not own it. A later one does the same while an assigned password is in use. The
 * session in `keep` does not end. Returns what was removed, for the email that names it.
 */
export async function markEmailProven(
  trx: Trx,
  deps: Deps,
  { user, at, keep, isSigningIn = false }: EmailProof,
): Promise<RemovedSignIns> {
  if (user.email_verified_at !== null && user.password_given_at === null) return NO_SIGN_INS_REMOVED;
  await markVerified(trx, user.id, user.email_key, at);
  const actor = { userId: user.id, at, address: null, requestId: null };
  const keepsSecondStep = isSigningIn || !(await mayBeStrangers(trx, user));
  return removeAttachedSignIns(trx, deps, actor, { userId: user.id, keep, keepsSecondStep });
}

// Whether a stranger may have set up the second factor. If not, it stays, because access to the mailbox alone must not bypass
// it.
async function mayBeStrangers(trx: Trx, user: Row<'users'>): Promise<boolean> {
  if (user.email_verified_at !== null || user.vouched_at !== null || isDistrictAdministrator(user))
    return false;
  return (await grantsOf(trx, [user.id])).length === 0;
}

/**
 * Removes what signs in besides the password: provider links, all sessions except `keep` and, unless `keepsSecondStep`,
 * passkeys, the authenticator and recovery codes.
 */
export async function removeAttachedSignIns(
  trx: Trx,
  deps: Deps,
  actor: Actor,
  {
    userId,
    keep,
    keepsSecondStep = false,
  }: { userId: number; keep?: number | undefined; keepsSecondStep?: boolean },
): Promise<RemovedSignIns> {
  const providers = await removeProviderLinks(trx, deps, actor, userId);
  const second = keepsSecondStep ? undefined : await removeTwoFactor(trx, userId);
  if (second !== undefined) {
    await recordEvent(trx, actor, { action: 'second-proof.reset', subject: 'user', subjectId: userId });
  }
  const sessions = (await endSessionsExcept(trx, userId, keep)) > 0;
  return {
    providers,
    passkeys: second?.passkeys ?? false,
    authenticator: second?.authenticator ?? false,
    sessions,
  };
}

/** Removes an account's provider links. Returns the providers' titles. */
export async function removeProviderLinks(
  trx: Trx,
  deps: Deps,
  actor: Actor,
  userId: number,
): Promise<string[]> {
  const links = await providerLinksOf(trx, userId);
  await deleteProviderLinksOf(trx, userId);
  for (const { provider } of links) {
    const deed = { action: 'provider.unlink', subject: 'user', subjectId: userId } as const;
    await recordEvent(trx, actor, { ...deed, before: { provider } });
  }
  return links.map(({ provider }) => titleOf(deps, provider));
}

/**
 * Emails the owner of a confirmed address which sign-in methods the confirmation removed. Sends nothing if it removed none, or
 * only sessions.
 */
export async function queueRemovedSignInsEmail(
  trx: Trx,
  deps: Deps,
  { user, ended, at }: { user: Row<'users'>; ended: RemovedSignIns; at: Instant },
): Promise<void> {
  const { providers, passkeys, authenticator } = ended;
  if (providers.length === 0 && !passkeys && !authenticator) return;
  const letter = removedSignInsEmail(deps, emailRecipientOf({ ...user, email_verified_at: at }), ended);
  await queueEmail(trx, deps, {
    kind: 'attached-ended',
    userId: user.id,
    letter,
    at,
  });
}
