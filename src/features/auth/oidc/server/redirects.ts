import * as z from 'zod';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { homePage } from '#server/email/email.ts';
import { networkOf } from '#server/http/client-address.ts';
import { type Counter, countFailure, PER_ADDRESS, throwWhilePaused } from '#server/http/rate-limit.ts';
import type { Request } from '#server/http/viewer.ts';
import { hashToken, newToken, seal, unseal } from '#server/secrets.ts';
import { millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors, HttpError } from '#shared/errors.ts';
import type { ReauthenticationFailure } from '../../re-authentication/contract.ts';
import { messages, SIGN_IN_STATES, type SignInFailure } from '../contract.ts';
import {
  type Identity,
  type Provider,
  ProviderFailure,
  signInAddress,
  verifyCallback,
} from './provider-client.ts';
import { insertPendingProviderSignIn } from './store.ts';

/** The encryption purpose of a stored callback. */
export const RETURN = 'provider-return';

const STATE = 'provider-state';
const TICKET = 'provider-ticket';
// Both times are rounded to whole seconds.
const ROUNDING_SECONDS = 2;

/** Where to redirect, and the key that the browser stores. */
export type Trip = Readonly<{ to: string; browserKey: string | undefined }>;

// The encrypted `state` has all values that the callback is checked against, so any server can finish the sign-in, and starting
// one stores no row. The browser's key binds it to that browser.
const State = z.object({
  provider: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  at: z.number(),
  browser: z.string(),
  /** The session to re-authenticate, instead of opening one. */
  fresh: z.optional(z.number()),
});
type State = z.infer<typeof State>;

/** Returns the provider with this name. Throws 404 if there is none. */
export function findProvider({ config, clock }: Deps, name: string): Provider {
  const settings = config.providers.find((provider) => provider.name === name);
  if (settings === undefined) throw errors.notFound(messages.unknown);
  return { settings, clock, redirectUrl: `${homePage({ config })}/api/auth/oidc/${name}/callback` };
}

/** The text of a provider's button; a provider that is no longer configured has only its name. */
export function titleOf({ config }: Pick<Deps, 'config'>, name: string): string {
  return config.providers.find((provider) => provider.name === name)?.title ?? name;
}

/**
 * Returns the ticket that a page gives a new window, so that the sign-in there re-authenticates this session and has no other
 * effect.
 */
export function reauthenticationTicket({ secretKey }: Deps, sessionId: number): string {
  return seal(secretKey, TICKET, String(sessionId));
}

/** Redirects a browser to a provider. With a ticket, the user must sign in again there. */
export async function redirectToProvider(
  deps: Deps,
  request: Request,
  name: string,
  ticket?: string,
): Promise<Trip> {
  const provider = findProvider(deps, name);
  const fresh = ticket === undefined ? undefined : sessionIn(deps, ticket);
  const isFresh = ticket !== undefined;
  if (isFresh && fresh === undefined) {
    return { to: failedAt(deps, provider, 'expired', isFresh), browserKey: undefined };
  }
  const browserKey = request.browserKey ?? newToken();
  const begun = {
    provider: name,
    nonce: newToken(),
    verifier: newToken(),
    at: millisecondsOf(request.at),
    browser: hashToken(browserKey),
    fresh,
  };
  const state = seal(deps.secretKey, STATE, JSON.stringify(begun));
  try {
    return { to: await signInAddress(provider, { ...begun, state }, isFresh), browserKey };
  } catch (error) {
    return { to: failedAt(deps, provider, reasonOf(deps, error), isFresh), browserKey: undefined };
  }
}

/**
 * Handles a provider's callback, with its query as received. Redirects to the page, with a code for the session or the reason
 * of a failure.
 */
export async function finishProviderRedirect(
  deps: Deps,
  request: Request,
  name: string,
  query: string,
): Promise<Trip> {
  const provider = findProvider(deps, name);
  const { browserKey } = request;
  const state = new URLSearchParams(query).get('state') ?? '';
  const begun = openState(deps, state);
  const isOurs =
    begun !== undefined &&
    browserKey !== undefined &&
    begun.provider === name &&
    begun.browser === hashToken(browserKey) &&
    Math.abs(millisecondsOf(request.at) - begun.at) < SIGN_IN_STATES.awayMinutes * 60_000;
  const isFresh = begun?.fresh !== undefined;
  const failed = (reason: ReauthenticationFailure) => failedAt(deps, provider, reason, isFresh);
  if (!isOurs) return { to: failed('expired'), browserKey: undefined };
  const counter = providerFailureCounter(request);
  try {
    await throwWhilePaused(deps.database, counter, request.at);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { to: failed('busy'), browserKey };
  }
  try {
    const identity = await verifyCallback(provider, query, { ...begun, state });
    if (isFresh && !isNewSignIn(identity, begun, request)) return { to: failed('standing'), browserKey };
    return { to: await storeIdentity(deps, request, begun, identity), browserKey };
  } catch (error) {
    const reason = reasonOf(deps, error);
    if (reason === 'unbelievable') {
      await transaction(deps.database, (trx) => countFailure(trx, counter, request.at));
    }
    return { to: failed(reason), browserKey };
  }
}

/** The failure counter of an IP address, for forged callbacks and unknown codes. */
export function providerFailureCounter(request: Request): Counter {
  return { key: `provider:${networkOf(request.address)}`, policy: PER_ADDRESS };
}

// Whether the user authenticated after leaving here, rather than being signed in at the provider already.
function isNewSignIn({ signedInFor }: Identity, begun: State, { at }: Request): boolean {
  const away = (millisecondsOf(at) - begun.at) / 1000;
  return signedInFor !== undefined && signedInFor <= away + ROUNDING_SECONDS;
}

// Stores the identity until the page fetches it, and returns the address of that page.
async function storeIdentity(
  deps: Deps,
  request: Request,
  begun: State,
  identity: Identity,
): Promise<string> {
  const { provider, browser, fresh } = begun;
  const code = newToken();
  const purpose = fresh === undefined ? 'sign-in' : 'fresh';
  const key = { tokenHash: hashToken(code), purpose, browserHash: browser } as const;
  const came = { provider, identity, cameAt: request.at, sessionId: fresh };
  const sealed = seal(deps.secretKey, RETURN, JSON.stringify(came));
  const expiresAt = plusMilliseconds(request.at, SIGN_IN_STATES.fetchSeconds * 1000);
  await transaction(deps.database, (trx) => insertPendingProviderSignIn(trx, key, { sealed, expiresAt }));
  return `${homePage(deps)}/?${fresh === undefined ? 'signin' : 'fresh'}=${code}`;
}

function sessionIn(deps: Deps, ticket: string): number | undefined {
  try {
    return Number(unseal(deps.secretKey, TICKET, ticket));
  } catch {
    return undefined;
  }
}

function openState(deps: Deps, state: string) {
  try {
    return State.parse(JSON.parse(unseal(deps.secretKey, STATE, state)));
  } catch {
    return undefined;
  }
}

function reasonOf({ log }: Deps, error: unknown): SignInFailure {
  if (!(error instanceof ProviderFailure)) throw error;
  if (error.kind !== 'declined') log.warn(error.message);
  return error.kind;
}

function failedAt(
  deps: Deps,
  { settings }: Provider,
  reason: ReauthenticationFailure,
  isFresh: boolean,
): string {
  return `${homePage(deps)}/?${isFresh ? 'fresh' : 'signin'}-failed=${reason}&provider=${settings.name}`;
}
