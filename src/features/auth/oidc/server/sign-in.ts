import { messages as accountMessages, emailKey } from '#features/users/contract.ts';
import { emailRecipientOf, findCredentials, grantsOf, lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { countFailure, throwWhilePaused } from '#server/http/rate-limit.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken, newToken, seal, unseal } from '#server/secrets.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { markEmailProven, queueRemovedSignInsEmail } from '../../server/email-ownership.ts';
import { providerLinkEmail } from '../../server/emails.ts';
import { type Proven as Opened, openSession } from '../../sessions/server/new-session.ts';
import { messages, SIGN_IN_STATES } from '../contract.ts';
import { createProviderAccount, type Proven, verifiedIdentity } from './provider-account.ts';
import type { Identity } from './provider-client.ts';
import { findProvider, providerFailureCounter, RETURN, titleOf } from './redirects.ts';
import {
  claimPendingProviderSignIn,
  findLink,
  insertLink,
  insertPendingProviderSignIn,
  isLinked,
  providerLinksOf,
  type ReturnKey,
  touchLink,
} from './store.ts';

/** A person whom a provider identified, with the provider's name in the settings and the time of the callback. */
export type Arrival = Readonly<{ provider: string; identity: Identity; cameAt: Instant | undefined }>;

/** A provider sign-in that waits for the password of the account to link. */
export type Linking = Arrival & Readonly<{ userId: number }>;

/** Requests the password of the account with the provider's address. */
export type LinkRequest = Readonly<{ next: 'link'; challenge: string }>;

/**
 * Signs in a user who returns from a provider. A linked provider account opens its account here. A new one creates an account,
 * or is linked to the account with the same address: after its password if it has one, otherwise only if it has no role and no
 * linked provider account.
 */
export async function exchange(deps: Deps, request: Request, code: string): Promise<Opened | LinkRequest> {
  await throwWhilePaused(deps.database, providerFailureCounter(request), request.at);
  const key = callbackKey(request, 'sign-in', code);
  const sealed = await transaction(deps.database, (trx) => claimPendingProviderSignIn(trx, key, request.at));
  if (sealed === undefined) {
    await transaction(deps.database, (trx) => countFailure(trx, providerFailureCounter(request), request.at));
    throw errors.invalid(messages.startAgain);
  }
  const arrival = JSON.parse(unseal(deps.secretKey, RETURN, sealed)) as Arrival;
  try {
    return await arrive(deps, request, arrival);
  } catch (error) {
    if (error instanceof HttpError) await recordRejected(deps, request, arrival);
    throw error;
  }
}

/** The key of a stored callback in the request's browser. */
export function callbackKey(request: Request, purpose: ReturnKey['purpose'], token: string): ReturnKey {
  return { tokenHash: hashToken(token), purpose, browserHash: hashToken(request.browserKey ?? '') };
}

/** The encryption purpose of a session's ID token. */
export const ID_TOKEN = 'provider-id-token';

/** Opens the session of a person whose provider account is linked. */
export async function openProviderSession(
  trx: Trx,
  deps: Deps,
  request: Request,
  {
    userId,
    linkId,
    provider,
    identity,
    cameAt,
    passwordHash,
  }: Linking & { linkId: number; passwordHash?: string },
): Promise<Opened> {
  return openSession(trx, deps, request, {
    userId,
    ...(passwordHash === undefined ? {} : { passwordHash }),
    deed: { action: 'session.provider', after: { provider } },
    by: 'provider',
    source: {
      linkId,
      issuer: identity.issuer,
      subject: identity.subject,
      providerSession: identity.session,
      cameAt,
      idToken: identity.idToken && seal(deps.secretKey, ID_TOKEN, identity.idToken),
    },
  });
}

/**
 * Links a provider account to an account here. The provider's verification may be the first confirmation of the address.
 * Returns the link's ID.
 */
export async function link(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, provider, identity }: Linking,
): Promise<number> {
  const { at } = request;
  const user = await lockUser(trx, userId);
  if (user !== undefined && identity.email !== undefined && user.email_key === emailKey(identity.email)) {
    const ended = await markEmailProven(trx, deps, { user, at, isSigningIn: true });
    await queueRemovedSignInsEmail(trx, deps, { user, ended, at });
  }
  const id = await insertLink(trx, { ...identity, userId, provider, at });
  const actor = { ...actorOf(undefined, request), userId };
  const after = { provider };
  await recordEvent(trx, actor, { action: 'provider.link', subject: 'user', subjectId: userId, after });
  return id;
}

async function arrive(deps: Deps, request: Request, arrival: Arrival): Promise<Opened | LinkRequest> {
  const run = () => transaction(deps.database, (trx) => decide(trx, deps, request, arrival));
  // Two windows may return with the same new user at the same moment. The second finds what the first created.
  return run().catch((error: unknown) => {
    if (databaseFailure(error) === 'unique') return run();
    throw error;
  });
}

async function decide(
  trx: Trx,
  deps: Deps,
  request: Request,
  arrival: Arrival,
): Promise<Opened | LinkRequest> {
  const { settings } = findProvider(deps, arrival.provider);
  const linked = await openLinked(trx, deps, request, arrival);
  if (linked !== undefined) return linked;
  const proven = verifiedIdentity(settings, arrival.identity);
  const known = await findCredentials(trx, proven.email);
  if (known === undefined) {
    const userId = await createProviderAccount(trx, deps, request, proven);
    const linkId = await link(trx, deps, request, { ...arrival, userId });
    const signedIn = await openProviderSession(trx, deps, request, { ...arrival, userId, linkId });
    if ('next' in signedIn) return signedIn;
    const say = signedIn.user.schools.length > 0 ? accountMessages.registered : messages.welcome;
    return { ...signedIn, message: translate(deps, say(signedIn.user.firstName)) };
  }
  const user = await requireActive(trx, deps, known.id);
  // Another window may have linked the account while this one waited for the lock.
  const linkedSince = await openLinked(trx, deps, request, arrival);
  if (linkedSince !== undefined) return linkedSince;
  if (user.password_hash !== null) return askForPassword(trx, deps, request, { ...arrival, userId: user.id });
  await rejectClaimed(trx, deps, user, proven);
  const linkId = await link(trx, deps, request, { ...arrival, userId: user.id });
  await queueProviderLinkEmail(trx, deps, request, {
    userId: user.id,
    provider: arrival.provider,
    isLinked: true,
  });
  return openProviderSession(trx, deps, request, { ...arrival, userId: user.id, linkId });
}

/** Opens the account that this provider account is linked to. Undefined if there is none. */
async function openLinked(
  trx: Trx,
  deps: Deps,
  request: Request,
  arrival: Arrival,
): Promise<Opened | undefined> {
  const linked = await findLink(trx, arrival.identity);
  if (linked === undefined) return undefined;
  await requireActive(trx, deps, linked.user_id);
  // The link may have been removed while this request waited for the lock.
  if (!(await isLinked(trx, linked.user_id, linked.id))) return undefined;
  await touchLink(trx, linked.id, arrival.provider, request.at);
  return openProviderSession(trx, deps, request, { ...arrival, userId: linked.user_id, linkId: linked.id });
}

async function requireActive(trx: Trx, deps: Deps, userId: number): Promise<Row<'users'>> {
  const user = await lockUser(trx, userId);
  if (user?.is_active === 1) return user;
  throw errors.forbidden(messages.inactive(deps.config.supportEmail));
}

// There is no password to request, so users with a role are never linked this way, and the provider may have reassigned the
// address of a former owner.
async function rejectClaimed(trx: Trx, deps: Deps, user: Row<'users'>, proven: Proven): Promise<void> {
  const { title, email } = proven;
  const holdsRole = isDistrictAdministrator(user) || (await grantsOf(trx, [user.id])).length > 0;
  if (holdsRole) throw errors.forbidden(messages.administrator(title, email));
  if ((await providerLinksOf(trx, user.id)).length === 0) return;
  throw errors.forbidden(messages.otherAccount(title, email, deps.config.supportEmail));
}

async function askForPassword(
  trx: Trx,
  deps: Deps,
  request: Request,
  linking: Linking,
): Promise<LinkRequest> {
  const challenge = newToken();
  const sealed = seal(deps.secretKey, RETURN, JSON.stringify(linking));
  const expiresAt = plusMilliseconds(request.at, SIGN_IN_STATES.linkMinutes * 60_000);
  await insertPendingProviderSignIn(trx, callbackKey(request, 'link', challenge), { sealed, expiresAt });
  return { next: 'link', challenge };
}

async function recordRejected(deps: Deps, request: Request, { identity }: Arrival): Promise<void> {
  await transaction(deps.database, async (trx) => {
    const linked = await findLink(trx, identity);
    const deed = { action: 'session.fail', subject: 'user', subjectId: linked?.user_id ?? null };
    await recordEvent(trx, actorOf(undefined, request), deed);
  });
}

/** Emails an account's owner that a provider account was linked or unlinked. */
export async function queueProviderLinkEmail(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  { userId, provider, isLinked }: { userId: number; provider: string; isLinked: boolean },
): Promise<void> {
  const user = assertDefined(await lockUser(trx, userId));
  await queueEmail(trx, deps, {
    kind: isLinked ? 'provider-linked' : 'provider-unlinked',
    userId,
    letter: providerLinkEmail(deps, emailRecipientOf(user), titleOf(deps, provider), isLinked),
    at,
  });
}
