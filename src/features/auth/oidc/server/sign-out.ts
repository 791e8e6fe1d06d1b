import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import { homePage } from '#server/email/email.ts';
import { type Acting, actorOf, type Request } from '#server/http/viewer.ts';
import { unseal } from '#server/secrets.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { signOut } from '../../server/sign-in.ts';
import { endSessionsFrom, providerSourceOf } from '../../sessions/server/store.ts';
import { messages } from '../contract.ts';
import { saveEndedProviderSession } from './ended-provider-sessions.ts';
import { LOGOUT_MINUTES, signOutAddress, verifyLogoutToken } from './logout-token.ts';
import { ProviderFailure } from './provider-client.ts';
import { findProvider } from './redirects.ts';
import { ID_TOKEN } from './sign-in.ts';
import { insertLogout } from './store.ts';

// Signing out waits for the discovery document only if no one has signed in with the provider for an hour.
const PATIENCE_SECONDS = 2;

/** Ends the viewer's session, and returns the provider's sign-out URL, if any. */
export async function signOutWithProvider(
  deps: Deps,
  { viewer, request }: Acting,
): Promise<{ to: string | null }> {
  const source = await providerSourceOf(deps.database.db, viewer.sessionId);
  await signOut(deps, { viewer, request });
  return { to: source === undefined ? null : await addressAt(deps, source) };
}

/**
 * Ends the sessions of a user who signed out at a provider (back-channel). Rejects tokens from other issuers, for other
 * servers, and old or repeated ones.
 */
export async function endSessionsByProvider(
  deps: Deps,
  request: Request,
  name: string,
  token: string,
): Promise<void> {
  const said = await verifyLogoutToken(findProvider(deps, name), token);
  const expiresAt = plusMilliseconds(request.at, 2 * LOGOUT_MINUTES * 60_000);
  await transaction(deps.database, async (trx) => {
    await insertLogout(trx, said.mark, expiresAt);
    await saveEndedProviderSession(trx, request, said);
    await endAndRecord(trx, request, name, said);
  }).catch((error: unknown) => {
    if (databaseFailure(error) !== 'unique') throw error;
    throw new ProviderFailure('unbelievable', new Error('a message that came before'), 'signed nobody out');
  });
}

/**
 * Ends sessions from the browser (front-channel): a page of the provider loads this address in a frame. The provider's session
 * ID is enough to end the sessions that came from it, and nothing else.
 */
export async function endSessionsByFrontChannel(
  deps: Deps,
  request: Request,
  name: string,
  { issuer, session }: { issuer: string | null; session: string },
): Promise<void> {
  const { settings } = findProvider(deps, name);
  // Some providers send only the session ID.
  const isOther = issuer !== null && !isSame(issuer, settings.issuer);
  if (session === '' || isOther) throw errors.invalid(messages.unknown);
  const said = { issuer: issuer ?? settings.issuer, session, subject: undefined };
  await transaction(deps.database, (trx) => endAndRecord(trx, request, name, said));
}

async function addressAt(
  deps: Deps,
  { provider: name, idToken }: { provider: string; idToken: string | null },
): Promise<string | null> {
  if (!deps.config.providers.some((provider) => provider.name === name)) return null;
  const provider = { ...findProvider(deps, name), callSeconds: PATIENCE_SECONDS };
  const hint = idToken === null ? undefined : unseal(deps.secretKey, ID_TOKEN, idToken);
  try {
    return (await signOutAddress(provider, `${homePage(deps)}/`, hint)) ?? null;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    deps.log.warn(error.message);
    return null;
  }
}

async function endAndRecord(
  trx: Trx,
  request: Request,
  provider: string,
  said: { issuer: string; subject: string | undefined; session: string | undefined },
): Promise<void> {
  const ended = await endSessionsFrom(trx, said);
  for (const userId of new Set(ended)) {
    const after = { provider, ended: ended.filter((id) => id === userId).length };
    const actor = { ...actorOf(undefined, request), userId };
    await recordEvent(trx, actor, {
      action: 'session.end-provider',
      subject: 'user',
      subjectId: userId,
      after,
    });
  }
}

// Ignores a trailing slash, as discovery does.
function isSame(issuer: string, known: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).href === new URL(known).href;
}
