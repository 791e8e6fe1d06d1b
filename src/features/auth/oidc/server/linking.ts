import type * as z from 'zod/mini';
import { emailKey } from '#features/users/contract.ts';
import { findUser, lockUser } from '#features/users/server/accounts.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { unseal } from '#server/secrets.ts';
import { errors } from '#shared/errors.ts';
import { claimSignIn, findOwnCredentials } from '../../server/credentials-store.ts';
import { countRightPassword, signInAttemptSource, withinLimits } from '../../server/login-throttling.ts';
import { requirePassword } from '../../server/sign-in.ts';
import type { Proven } from '../../sessions/server/new-session.ts';
import { hasPasskeyHere } from '../../two-factor/server/passkeys.ts';
import { type LinkedProvider, type LinkInput, messages, type ProviderRef } from '../contract.ts';
import { RETURN, titleOf } from './redirects.ts';
import { callbackKey, type Linking, link, openProviderSession, queueProviderLinkEmail } from './sign-in.ts';
import {
  claimPendingProviderSignIn,
  deleteLink,
  findLink,
  findPendingProviderSignIn,
  providerLinksOf,
} from './store.ts';

type Given = z.output<typeof LinkInput>;

/** The configured providers. */
export function providers({ config }: Deps): ProviderRef[] {
  return config.providers.map(({ name, title }) => ({ name, title }));
}

/**
 * Links a provider account after checking the password of the account here, and signs in. Wrong passwords are throttled as at
 * sign-in, with the same counters.
 */
export async function linkByPassword(deps: Deps, request: Request, input: Given): Promise<Proven> {
  const key = callbackKey(request, 'link', input.challenge);
  const sealed = await findPendingProviderSignIn(deps.database.db, key, request.at);
  if (sealed === undefined) throw errors.invalid(messages.startAgain);
  const linking = JSON.parse(unseal(deps.secretKey, RETURN, sealed)) as Linking;
  const user = await findUser(deps.database.db, linking.userId);
  if (user === undefined) throw errors.invalid(messages.startAgain);
  const place = await signInAttemptSource(deps, request, emailKey(user.email));
  return withinLimits(deps, request, place, async () => {
    const { passwordHash } = await requirePassword(deps, request, place, {
      email: user.email,
      password: input.password,
      wrong: messages.wrongPassword,
    });
    return transaction(deps.database, async (trx) => {
      // Claimed only now, so that a mistyped password does not send the user back to the provider.
      if ((await claimPendingProviderSignIn(trx, key, request.at)) === undefined)
        throw errors.invalid(messages.startAgain);
      const claim = { userId: user.id, passwordHash, isKnown: place.mark !== undefined };
      if (!(await claimSignIn(trx, claim))) throw errors.unauthenticated(messages.wrongPassword);
      await countRightPassword(trx, place, user.id);
      const linkId = await linkOnce(trx, deps, request, linking);
      return openProviderSession(trx, deps, request, { ...linking, linkId, passwordHash });
    });
  });
}

// Returns an existing link, because another window of the same user may have linked the provider account a moment ago.
async function linkOnce(trx: Trx, deps: Deps, request: Request, linking: Linking): Promise<number> {
  const { userId, provider, identity } = linking;
  const linked = await findLink(trx, identity);
  if (linked?.user_id === userId) return linked.id;
  // The provider account was linked to another account after the password was requested.
  if (linked !== undefined) throw errors.invalid(messages.startAgain);
  const linkId = await link(trx, deps, request, linking);
  await queueProviderLinkEmail(trx, deps, request, { userId, provider, isLinked: true });
  return linkId;
}

/** The provider accounts linked to the viewer's account. */
export async function ownLinks(deps: Deps, viewer: Viewer): Promise<LinkedProvider[]> {
  const links = await providerLinksOf(deps.database.db, viewer.userId);
  return links.map((row) => ({
    id: row.id,
    name: row.provider,
    title: titleOf(deps, row.provider),
    linkedAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/**
 * Removes a link. Throws 409 if no other way to sign in is left: a password, a passkey that works on this host, or a link to
 * another configured provider.
 */
export async function unlink(deps: Deps, { viewer, request }: Acting, id: number) {
  const { email, email_verified_at } = await findOwnCredentials(deps.database.db, viewer.userId);
  // Rate-limited, because an unconfirmed address may be a stranger's.
  const mayNotify = email_verified_at !== null || (await canEmail(deps, request, email, viewer.userId));
  return transaction(deps.database, async (trx) => {
    const user = await lockUser(trx, viewer.userId);
    const links = await providerLinksOf(trx, viewer.userId);
    const ended = links.find((one) => one.id === id);
    if (user === undefined || ended === undefined) throw errors.notFound(messages.notLinked);
    const isSet = (name: string) => deps.config.providers.some((provider) => provider.name === name);
    const hasOther = links.some((one) => one.id !== id && isSet(one.provider));
    const isOnly = user.password_hash === null && !hasOther;
    if (isOnly && !(await hasPasskeyHere(trx, deps, viewer.userId)))
      throw errors.conflict(messages.lastWayIn);
    await deleteLink(trx, id);
    const notice = { userId: viewer.userId, provider: ended.provider, isLinked: false };
    if (mayNotify) await queueProviderLinkEmail(trx, deps, request, notice);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'provider.unlink',
      subject: 'user',
      subjectId: viewer.userId,
      before: { provider: ended.provider },
    });
    return { message: translate(deps, messages.unlinked(titleOf(deps, ended.provider))) };
  });
}
