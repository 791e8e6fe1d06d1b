import * as z from 'zod';
import { millisecondsOf, plusMilliseconds } from '#base/calendar-date.ts';
import { Refusal, refuse } from '#base/refusal.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/address.ts';
import { type Counter, countFailure, PER_ADDRESS, refuseWhilePaused } from '#server/http/try-limits.ts';
import type { Request } from '#server/http/viewer.ts';
import { homePage } from '#server/mail/letter.ts';
import { identityOf, type Provider, ProviderFailure, signInAddress } from '#server/oidc/provider.ts';
import { hashToken, newToken, seal, unseal } from '#server/secret.ts';
import { messages, type SignInFailure, WAITS } from '../provider-contract.ts';
import { insertReturn } from './provider-return-store.ts';

/** What a return is sealed for. */
export const RETURN = 'provider-return';

const STATE = 'provider-state';

/** Where to go next, and the key that the browser keeps. */
export type Trip = Readonly<{ to: string; browserKey: string | undefined }>;

// Everything that a sign-in is checked against at its end travels sealed in its `state`, so any server can end it, and
// beginning many costs no row. The browser's key is what binds it.
const State = z.object({
  provider: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  at: z.number(),
  browser: z.string(),
});

/** The provider of this name; 404 without one. */
export function providerNamed({ config, clock }: Deps, name: string): Provider {
  const settings = config.providers.find((provider) => provider.name === name);
  if (settings === undefined) throw refuse.notFound(messages.unknown);
  return { settings, clock, redirectUrl: `${homePage({ config })}/api/auth/oidc/${name}/callback` };
}

/** What stands on a provider's button; one that is not set any more has only its name left. */
export function titleOf({ config }: Pick<Deps, 'config'>, name: string): string {
  return config.providers.find((provider) => provider.name === name)?.title ?? name;
}

/** Sends a browser to a provider. */
export async function leaveFor(deps: Deps, request: Request, name: string): Promise<Trip> {
  const provider = providerNamed(deps, name);
  const browserKey = request.browserKey ?? newToken();
  const begun = {
    provider: name,
    nonce: newToken(),
    verifier: newToken(),
    at: millisecondsOf(request.at),
    browser: hashToken(browserKey),
  };
  const state = seal(deps.secretKey, STATE, JSON.stringify(begun));
  try {
    return { to: await signInAddress(provider, { ...begun, state }), browserKey };
  } catch (error) {
    return { to: failedAt(deps, provider, reasonOf(deps, error)), browserKey: undefined };
  }
}

/** A browser back from a provider, with its query as it stands: to the page, with a code for the session or a reason. */
export async function comeBack(deps: Deps, request: Request, name: string, query: string): Promise<Trip> {
  const provider = providerNamed(deps, name);
  const { browserKey } = request;
  const state = new URLSearchParams(query).get('state') ?? '';
  const begun = browserKey === undefined ? undefined : begunWith(deps, state);
  const isOurs =
    begun !== undefined &&
    begun.provider === name &&
    begun.browser === hashToken(browserKey ?? '') &&
    Math.abs(millisecondsOf(request.at) - begun.at) < WAITS.awayMinutes * 60_000;
  if (!isOurs) return { to: failedAt(deps, provider, 'expired'), browserKey: undefined };
  const counter = triesFrom(request);
  try {
    await refuseWhilePaused(deps.database, counter, request.at);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { to: failedAt(deps, provider, 'busy'), browserKey };
  }
  try {
    const identity = await identityOf(provider, query, { ...begun, state });
    const code = newToken();
    const key = { tokenHash: hashToken(code), purpose: 'sign-in', browserHash: begun.browser } as const;
    const sealed = seal(deps.secretKey, RETURN, JSON.stringify({ provider: name, identity }));
    const expiresAt = plusMilliseconds(request.at, WAITS.fetchSeconds * 1000);
    await transaction(deps.database, (trx) => insertReturn(trx, key, { sealed, expiresAt }));
    return { to: `${homePage(deps)}/?signin=${code}`, browserKey };
  } catch (error) {
    const reason = reasonOf(deps, error);
    if (reason === 'unbelievable') {
      await transaction(deps.database, (trx) => countFailure(trx, counter, request.at));
    }
    return { to: failedAt(deps, provider, reason), browserKey };
  }
}

/** Failures from one address: answers that no provider gave, and codes that nobody was given. */
export function triesFrom(request: Request): Counter {
  return { key: `provider:${networkOf(request.address)}`, policy: PER_ADDRESS };
}

function begunWith(deps: Deps, state: string) {
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

function failedAt(deps: Deps, { settings }: Provider, reason: SignInFailure): string {
  return `${homePage(deps)}/?signin-failed=${reason}&provider=${settings.name}`;
}
