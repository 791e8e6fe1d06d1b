import { createRemoteJWKSet, customFetch, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderSettings } from '#server/config.ts';
import { hashToken } from '#server/secrets.ts';
import { dateOf } from '#shared/calendar-date.ts';
import {
  boundedFetch,
  CALL_SECONDS,
  configurationOf,
  isPlain,
  metadataOf,
  type Provider,
  ProviderFailure,
  SKEW_SECONDS,
  supportsProviderLogout,
} from './provider-client.ts';

/**
 * A sign-out at a provider: of one session by the provider's ID, of all sessions of a person, or of that person's one session.
 * A second token with the same `mark` is a copy.
 */
export type ProviderLogout = Readonly<{
  issuer: string;
  subject: string | undefined;
  session: string | undefined;
  mark: string;
}>;

/** The maximum age of a logout token. */
export const LOGOUT_MINUTES = 10;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const SIGNED_WITH = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];
const TYPES: readonly unknown[] = [undefined, 'logout+jwt', 'application/logout+jwt', 'jwt'];
// The keys are fetched again as soon as a token names an unknown one, but not more often than this.
const ASK_AGAIN_MS = 30_000;
const KEYS_MS = 290_000;

const keySets = new WeakMap<ProviderSettings, { address: string; keys: JWTVerifyGetKey }>();

/**
 * Verifies a provider's logout token (OpenID Connect Back-Channel Logout, section 2.6): signature, issuer, audience, age,
 * event, and that it is not an ID token. Throws `ProviderFailure`.
 */
export async function verifyLogoutToken(provider: Provider, token: string): Promise<ProviderLogout> {
  const { settings, clock } = provider;
  const { metadata } = await metadataOf(provider);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keysOf(provider, metadata.jwks_uri ?? ''), {
      issuer: metadata.issuer,
      audience: settings.clientId,
      algorithms: SIGNED_WITH,
      currentDate: dateOf(clock.now()),
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: LOGOUT_MINUTES * 60,
      requiredClaims: ['jti', 'events'],
    });
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw new Error('a token of another kind');
    return toProviderLogout(metadata.issuer, payload);
  } catch (error) {
    throw new ProviderFailure('unbelievable', error, 'signed nobody out');
  }
}

/** The provider's sign-out URL, which returns to `backTo`; undefined if it has none. Throws `ProviderFailure`. */
export async function signOutAddress(
  provider: Provider,
  backTo: string,
  idToken: string | undefined,
): Promise<string | undefined> {
  const { metadata } = await metadataOf(provider);
  if (!supportsProviderLogout(provider, metadata)) return undefined;
  const address = oidc.buildEndSessionUrl(configurationOf(provider, metadata), {
    post_logout_redirect_uri: backTo,
    ...(idToken === undefined ? {} : { id_token_hint: idToken }),
  });
  // The page navigates to this address, so it must be an http(s) URL.
  const isWeb = address.protocol === 'https:' || (isPlain(provider.settings) && address.protocol === 'http:');
  return isWeb ? address.href : undefined;
}

function toProviderLogout(issuer: string, { events, nonce, sub, sid, jti }: JWTPayload): ProviderLogout {
  const event = typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : undefined;
  if (typeof event !== 'object' || event === null) throw new Error('not the event of signing out');
  if (nonce !== undefined) throw new Error('a nonce, as only tokens for signing in have one');
  const subject = textIn(sub);
  const session = textIn(sid);
  if (subject === undefined && session === undefined) throw new Error('neither a person nor a session');
  const mark = textIn(jti);
  if (mark === undefined) throw new Error('no identifier');
  return { issuer, subject, session, mark: hashToken(`${issuer} ${mark}`) };
}

function keysOf({ settings, callSeconds = CALL_SECONDS }: Provider, address: string): JWTVerifyGetKey {
  const last = keySets.get(settings);
  if (last?.address === address) return last.keys;
  const keys = createRemoteJWKSet(new URL(address), {
    timeoutDuration: callSeconds * 1000,
    cooldownDuration: ASK_AGAIN_MS,
    cacheMaxAge: KEYS_MS,
    [customFetch]: boundedFetch,
  });
  keySets.set(settings, { address, keys });
  return keys;
}

function textIn(value: unknown): string | undefined {
  // Text that no database can store cannot be an ID.
  const isName = typeof value === 'string' && value !== '' && value.length <= 500;
  return isName && value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
