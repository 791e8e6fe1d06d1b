import * as oidc from 'openid-client';
import type { ProviderSettings } from '#server/config.ts';
import { type Clock, systemClock } from '#server/deps.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';

const MOST_BYTES = 1_000_000;

/** `fetch` for calls to other servers: does not follow redirects, and stops reading after a megabyte. */
export async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes were answered`);
    pieces.push(piece);
  }
  const { status, headers } = response;
  return new Response(bytes === 0 ? null : Buffer.concat(pieces), { status, headers });
}

/**
 * A provider, the clock to check its tokens against, its redirect URL, and the timeout of one call (five seconds by default).
 */
export type Provider = Readonly<{
  settings: ProviderSettings;
  clock: Clock;
  redirectUrl: string;
  callSeconds?: number;
}>;

/** The values that bind a callback to the sign-in that it ends. */
export type Checks = Readonly<{ state: string; nonce: string; verifier: string }>;

/** A person's identity at a provider. `isVerified` means that the provider has verified the address. */
export type Identity = Readonly<{
  issuer: string;
  subject: string;
  email: string | undefined;
  isVerified: boolean;
  firstName: string | undefined;
  lastName: string | undefined;
  /** The provider's session ID, which its logout token names. */
  session: string | undefined;
  /** How many seconds before this reply the user signed in at the provider, if it reports that. */
  signedInFor: number | undefined;
  /** The ID token itself, if signing out at the provider needs it. */
  idToken?: string;
}>;

/**
 * Why a provider sign-in failed: the provider did not respond properly, the user declined, or the reply failed verification.
 */
export class ProviderFailure extends Error {
  readonly kind: 'unreachable' | 'declined' | 'unbelievable';

  constructor(kind: ProviderFailure['kind'], cause: unknown, deed = 'signed nobody in') {
    super(`a provider ${deed} (${kind}): ${detailOf(cause)}`, { cause });
    this.name = 'ProviderFailure';
    this.kind = kind;
  }
}

const SCOPE = 'openid email profile';
/** The timeout of a call to a provider, and the tolerated clock difference. */
export const CALL_SECONDS = 5;
export const SKEW_SECONDS = 60;
const LONGEST_TOKEN = 6000;
const KNOWN_MS = 3_600_000;
// The library rejects keys older than five minutes, and fetches new ones for an unknown key only if they are older than one
// minute.
const KEYS_SECONDS = 290;
const ASK_AGAIN_SECONDS = 61;

type Said = Readonly<Record<string, unknown>>;

type Known = { at: number; metadata: oidc.ServerMetadata; keys: oidc.ExportedJWKSCache | undefined };

const known = new WeakMap<ProviderSettings, Known>();
const asking = new WeakMap<ProviderSettings, Promise<Known>>();

/**
 * The URL of the provider's sign-in page. With `isNewSignIn`, the user must sign in again even if already signed in there.
 * Throws `ProviderFailure`.
 */
export async function signInAddress(
  provider: Provider,
  checks: Checks,
  isNewSignIn = false,
): Promise<string> {
  const { metadata } = await metadataOf(provider);
  const address = oidc.buildAuthorizationUrl(configurationOf(provider, metadata), {
    redirect_uri: provider.redirectUrl,
    scope: SCOPE,
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
    ...(isNewSignIn ? { prompt: 'login', max_age: '0' } : {}),
  });
  return address.href;
}

/**
 * Returns the identity from a callback's `query` as received, after checking state, issuer, code, signature, audience, nonce
 * and expiry. Throws `ProviderFailure`.
 */
export async function verifyCallback(provider: Provider, query: string, checks: Checks): Promise<Identity> {
  const found = await metadataOf(provider);
  const configuration = configurationOf(provider, found.metadata);
  setCachedKeys(configuration, found);
  try {
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      new URL(`${provider.redirectUrl}?${query}`),
      {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('no id_token');
    const more = await fetchMissingClaims(configuration, tokens.access_token, claims);
    const { id_token: idToken = '' } = tokens;
    const isKept = supportsProviderLogout(provider, found.metadata) && idToken.length <= LONGEST_TOKEN;
    return { ...toIdentity(more, claims), ...(isKept ? { idToken } : {}) };
  } catch (error) {
    throw failureIn(error);
  } finally {
    cacheKeys(configuration, found);
  }
}

/** Whether signing out here signs out at the provider too. */
export function supportsProviderLogout({ settings }: Provider, metadata: oidc.ServerMetadata): boolean {
  return settings.signOut === 'everywhere' && metadata.end_session_endpoint !== undefined;
}

/** A provider's discovery document. It is cached for an hour, and concurrent callers share the request. */
export async function metadataOf(provider: Provider): Promise<Known> {
  const { settings, clock } = provider;
  const last = known.get(settings);
  const now = millisecondsOf(clock.now());
  if (last !== undefined && Math.abs(now - last.at) < KNOWN_MS) return last;
  const running = asking.get(settings) ?? ask(provider).finally(() => asking.delete(settings));
  asking.set(settings, running);
  try {
    return await running;
  } catch (error) {
    // If the provider does not respond, the older document is good enough.
    if (last !== undefined) return last;
    throw new ProviderFailure('unreachable', error);
  }
}

async function ask({ settings, clock, callSeconds = CALL_SECONDS }: Provider): Promise<Known> {
  const found = await oidc.discovery(
    new URL(settings.issuer),
    settings.clientId,
    undefined,
    oidc.ClientSecretBasic(settings.clientSecret),
    {
      timeout: callSeconds,
      [oidc.customFetch]: boundedFetch as oidc.CustomFetch,
      execute: isPlain(settings) ? [oidc.allowInsecureRequests] : [],
    },
  );
  const metadata = found.serverMetadata();
  const fresh = { at: millisecondsOf(clock.now()), metadata, keys: known.get(settings)?.keys };
  known.set(settings, fresh);
  return fresh;
}

/** The library's configuration of a provider. */
export function configurationOf(
  { settings, clock, callSeconds = CALL_SECONDS }: Provider,
  metadata: oidc.ServerMetadata,
): oidc.Configuration {
  const offset = Math.round(millisecondsOf(clock.now()) / 1000 - machineSeconds());
  const configuration = new oidc.Configuration(
    metadata,
    settings.clientId,
    { [oidc.clockSkew]: offset, [oidc.clockTolerance]: SKEW_SECONDS },
    authenticationAt(settings, metadata),
  );
  configuration.timeout = callSeconds;
  configuration[oidc.customFetch] = boundedFetch as oidc.CustomFetch;
  if (isPlain(settings)) oidc.allowInsecureRequests(configuration);
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

// Basic is the default if a provider names no method (OpenID Connect Discovery), but some accept only POST.
function authenticationAt(
  { clientSecret }: ProviderSettings,
  metadata: oidc.ServerMetadata,
): oidc.ClientAuth {
  const taken = metadata.token_endpoint_auth_methods_supported;
  const isPostOnly =
    taken !== undefined && !taken.includes('client_secret_basic') && taken.includes('client_secret_post');
  return isPostOnly ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}

// Declared a minute old, so that an unknown key is requested at once: providers rotate keys at any time.
function setCachedKeys(configuration: oidc.Configuration, { keys }: Known): void {
  const now = machineSeconds();
  if (keys === undefined || now - keys.uat > KEYS_SECONDS - ASK_AGAIN_SECONDS) return;
  oidc.setJwksCache(configuration, { jwks: keys.jwks, uat: now - ASK_AGAIN_SECONDS });
}

function cacheKeys(configuration: oidc.Configuration, found: Known): void {
  const now = machineSeconds();
  const keys = oidc.getJwksCache(configuration);
  if (keys !== undefined && now - keys.uat < ASK_AGAIN_SECONDS - 1) found.keys = keys;
}

// The library uses the system clock.
function machineSeconds(): number {
  return Math.floor(millisecondsOf(systemClock.now()) / 1000);
}

// Some providers return the address only from the userinfo endpoint.
async function fetchMissingClaims(
  configuration: oidc.Configuration,
  accessToken: string,
  claims: oidc.IDToken,
): Promise<Said> {
  const isAsked = claims['email'] === undefined || claims['email_verified'] === undefined;
  if (!isAsked || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(configuration, accessToken, claims.sub);
}

function toIdentity(more: Said, claims: oidc.IDToken): Identity {
  const { iss, sub } = claims;
  // Address and verification must come from the same response, because another response may be about another address.
  const isMicrosofts = isMicrosoft(iss);
  const isTold = claims['email_verified'] !== undefined || (isMicrosofts && claims['xms_edov'] !== undefined);
  const { email, email_verified, xms_edov } = isTold || more['email'] === undefined ? claims : more;
  const said = { ...more, ...claims };
  const words = (textIn(said['name']) ?? '').split(/\s+/);
  return {
    issuer: iss,
    subject: sub,
    email: textIn(email),
    isVerified: isYes(email_verified) || (isMicrosofts && isYes(xms_edov)),
    firstName: textIn(said['given_name']) ?? textIn(words.slice(0, -1).join(' ')),
    lastName: textIn(said['family_name']) ?? textIn(words.at(-1)),
    session: textIn(claims['sid']),
    signedInFor: claims.auth_time === undefined ? undefined : claims.iat - claims.auth_time,
  };
}

// Microsoft sends no `email_verified`, but `xms_edov` if the district adds that optional claim (docs/sign-in.md).
function isMicrosoft(issuer: string): boolean {
  return new URL(issuer).hostname === 'login.microsoftonline.com';
}

function isYes(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 500 ? value : undefined;
}

/** Whether a provider is reached without encryption, which is allowed only on this machine. */
export function isPlain({ issuer }: ProviderSettings): boolean {
  return issuer.startsWith('http:');
}

const OUT_OF_REACH: readonly unknown[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

function failureIn(error: unknown): ProviderFailure {
  if (error instanceof oidc.AuthorizationResponseError) {
    return new ProviderFailure(error.error === 'access_denied' ? 'declined' : 'unbelievable', error);
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed';
  return new ProviderFailure(
    isNetwork || OUT_OF_REACH.includes(code) ? 'unreachable' : 'unbelievable',
    error,
  );
}

// For the log: the library's message without tokens.
function detailOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? ` ${String(cause.code)}` : '';
  return `${cause.message}${code}`;
}
