import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import { homePage } from '#server/email/email.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { unseal } from '#server/secrets.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { signOut } from '../../server/sign-in.ts';
import { endSessionsFrom, providerSourceOf } from '../../sessions/server/store.ts';
import { messages } from '../contract.ts';
import { saveEndedProviderSession } from './ended-provider-sessions.ts';
import { LOGOUT_MINUTES, loggedOutIn, signOutAddress } from './logout-token.ts';
import { ProviderFailure } from './provider-client.ts';
import { findProvider } from './redirects.ts';
import { ID_TOKEN } from './sign-in.ts';
import { insertLogout } from './store.ts';

// Anyone who signs out waits for it only where nobody has signed in there for an hour.
const PATIENCE_SECONDS = 2;

/** Ends the viewer's session, and says where they sign out of the service that it came from. */
export async function signOutWithProvider(
  deps: Deps,
  viewer: Viewer,
  request: Request,
): Promise<{ to: string | null }> {
  const source = await providerSourceOf(deps.database.db, viewer.sessionId);
  await signOut(deps, viewer, request);
  return { to: source === undefined ? null : await addressAt(deps, source) };
}

/**
 * Ends the sessions of somebody who signed out at a service, as its server says it. Refused unless it is the service
 * that speaks, of this installation, now and for the first time.
 */
export async function endSessionsByProvider(
  deps: Deps,
  request: Request,
  name: string,
  token: string,
): Promise<void> {
  const said = await loggedOutIn(findProvider(deps, name), token);
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
 * The same by the browser: a page of the service opens this address in a frame. Who knows the service's name for a
 * session may end those that came from it, and nothing else.
 */
export async function endSessionsByFrontChannel(
  deps: Deps,
  request: Request,
  name: string,
  { issuer, session }: { issuer: string | null; session: string },
): Promise<void> {
  const { settings } = findProvider(deps, name);
  // Some services name only the session.
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

// With or without a slash at its end, as when a provider is asked what it says of itself.
function isSame(issuer: string, known: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).href === new URL(known).href;
}
