import { createHash } from 'node:crypto';
import type { OAuth2Client } from 'google-auth-library';
import type { GoogleSettings } from '#server/config.ts';
import { type Clock, systemClock } from '#server/deps.ts';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { DriveFailure, toDriveFailure } from './google-errors.ts';
import { createGoogleFetch } from './google-requests.ts';

/** The scope: access only to files that this product created, and the account's address. */
export const SCOPE = 'https://www.googleapis.com/auth/drive.file';

/** An access token and when it expires. */
export type AccessToken = Readonly<{ token: string; expiresAt: Instant }>;

/**
 * The result of a user's consent. `refreshToken` is undefined if Google sent none. `hasScope` is false if the user did not
 * check the box for access to Drive.
 */
export type GrantedTokens = Readonly<{
  access: AccessToken;
  refreshToken: string | undefined;
  hasScope: boolean;
}>;

/** This installation's OAuth client. `redirectUrl` must be entered at Google exactly like this. */
export type GoogleClient = Readonly<{
  google: GoogleSettings;
  redirectUrl: string;
  clock: Clock;
}>;

/**
 * Returns the address of Google's consent page. It asks for consent every time, since Google sends a refresh token only then.
 */
export async function createConsentUrl(
  client: GoogleClient,
  state: string,
  verifier: string,
): Promise<string> {
  const { CodeChallengeMethod } = await import('google-auth-library');
  return (await loadOAuthClient(client)).generateAuthUrl({
    access_type: 'offline',
    prompt: 'consent',
    scope: SCOPE,
    state,
    code_challenge_method: CodeChallengeMethod.S256,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
}

/** Exchanges the code from the redirect for tokens. Throws the `DriveFailure` `lost` for an invalid code. */
export async function exchangeCode(
  client: GoogleClient,
  code: string,
  verifier: string,
): Promise<GrantedTokens> {
  const oauth = await loadOAuthClient(client);
  const { tokens } = await oauth.getToken({ code, codeVerifier: verifier }).catch(rethrowGoogleError);
  return {
    access: parseAccess(client, tokens),
    refreshToken: tokens.refresh_token ?? undefined,
    hasScope: (tokens.scope ?? SCOPE).split(' ').includes(SCOPE),
  };
}

/** Returns a new access token. Throws the `DriveFailure` `lost` if the refresh token is no longer valid. */
export async function refreshAccess(client: GoogleClient, refreshToken: string): Promise<AccessToken> {
  const oauth = await loadOAuthClient(client);
  oauth.setCredentials({ refresh_token: refreshToken });
  const { credentials } = await oauth.refreshAccessToken().catch(rethrowGoogleError);
  return parseAccess(client, credentials);
}

/** Revokes a token. Returns true if Google revoked it now or before. */
export async function revokeToken({ google }: GoogleClient, token: string): Promise<boolean> {
  try {
    const response = await createGoogleFetch(google)(google.revokeUrl, {
      method: 'POST',
      body: new URLSearchParams({ token }),
    });
    await response.body?.cancel();
    return response.ok || response.status === 400;
  } catch {
    return false;
  }
}

// Loads the library lazily, because most processes never use it.
async function loadOAuthClient({ google, redirectUrl }: GoogleClient): Promise<OAuth2Client> {
  const { OAuth2Client } = await import('google-auth-library');
  const googleFetch = createGoogleFetch(google);
  return new OAuth2Client({
    clientId: google.clientId,
    clientSecret: google.clientSecret,
    redirectUri: redirectUrl,
    endpoints: {
      oauth2AuthBaseUrl: google.authUrl,
      oauth2TokenUrl: google.tokenUrl,
      oauth2RevokeUrl: google.revokeUrl,
    },
    transporterOptions: {
      fetchImplementation: (input, init) => googleFetch(input instanceof Request ? input.url : input, init),
    },
  });
}

type Tokens = Readonly<{ access_token?: string | null; expiry_date?: number | null }>;

function parseAccess({ clock }: GoogleClient, { access_token, expiry_date }: Tokens): AccessToken {
  if (typeof access_token !== 'string') throw new DriveFailure('unexpected', 'no access token');
  // The library uses the machine's clock.
  const lifetimeMs = (expiry_date ?? 0) - millisecondsOf(systemClock.now());
  return { token: access_token, expiresAt: plusMilliseconds(clock.now(), Math.max(0, lifetimeMs)) };
}

// The library's errors contain the request with its secrets, so only Google's error code is passed on.
function rethrowGoogleError(error: unknown): never {
  if (error instanceof DriveFailure) throw error;
  const { status, data } = parseErrorResponse(error);
  const code = typeof data === 'object' && data !== null && 'error' in data ? String(data.error) : '';
  if (code === 'invalid_grant') throw new DriveFailure('lost', code);
  if (code === 'invalid_client' || code === 'unauthorized_client') throw new DriveFailure('client', code);
  if (status !== undefined && status < 500 && status !== 429) {
    throw new DriveFailure('unexpected', `${status} ${code.slice(0, 60)}`);
  }
  throw toDriveFailure(new Error(`token endpoint ${status ?? 'not reached'}`));
}

function parseErrorResponse(error: unknown): { status?: number; data?: unknown } {
  if (typeof error !== 'object' || error === null) return {};
  if ('cause' in error && error.cause instanceof DriveFailure) throw error.cause;
  if (!('response' in error) || typeof error.response !== 'object' || error.response === null) return {};
  return error.response;
}
