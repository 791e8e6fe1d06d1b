import type { GoogleSettings } from '#server/config.ts';
import type { Clock } from '#server/deps.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { DriveFailure, readFailure, toDriveFailure } from './google-errors.ts';

/** Google's status for an incomplete resumable upload. Without a location it is not a redirect. */
export const RESUME_INCOMPLETE = 308;

/** Sends a request from this server to Google. */
export type GoogleFetch = (address: string | URL, init?: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 60_000;

/**
 * Sends requests only to Google's services from the settings. Rejects any other address, wherever it came from, and
 * does not follow redirects.
 */
export function createGoogleFetch(google: GoogleSettings): GoogleFetch {
  const origins = new Set(
    [google.tokenUrl, google.revokeUrl, google.apiUrl].map((address) => new URL(address).origin),
  );
  return async (address, init = {}) => {
    const { href, origin } = new URL(address);
    if (!origins.has(origin)) throw new DriveFailure('unexpected', `${origin} is not a Google address`);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(href, {
      ...init,
      redirect: 'manual',
      signal: init.signal == null ? timeout : AbortSignal.any([init.signal, timeout]),
    });
    const isRedirect = response.status >= 300 && response.status < 400;
    // A 308 without a location reports how much of an upload was received.
    if (isRedirect && (response.status !== RESUME_INCOMPLETE || response.headers.has('location'))) {
      throw new DriveFailure('unexpected', `${response.status}: a redirect`);
    }
    return response;
  };
}

/** Provides access tokens. */
export type AccessTokenSource = Readonly<{
  token: () => Promise<string>;
  /** Returns a new token that replaces one that Google rejected. */
  renew: (rejected: string) => Promise<string>;
}>;

/** The dependencies of requests: tokens, number of attempts and deadline. `onPause` is called with the end of each pause. */
export type RequestOptions = Readonly<{
  access: AccessTokenSource;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  signal?: AbortSignal;
  onPause?: (until: Instant) => void;
  tries?: number;
}>;

const DEFAULT_TRIES = 7;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 32_000;
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Sends a request and repeats it, up to `tries` times: with doubling pauses and jitter while Google is busy or unreachable, and
 * once with a new token if Google rejects the current one. Throws `DriveFailure` for any other failure, or after the last try.
 */
export async function requestWithRetry(
  options: RequestOptions,
  googleFetch: GoogleFetch,
  address: URL | string,
  init: RequestInit = {},
): Promise<Response> {
  const tries = options.tries ?? DEFAULT_TRIES;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendWithAccess(options, googleFetch, address, init);
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = toDriveFailure(error);
      if (!failure.isTemporary || attempt >= tries) throw failure;
      await pause(options, attempt, failure);
      options.signal?.throwIfAborted();
    }
  }
}

async function sendWithAccess(
  { access, signal }: RequestOptions,
  googleFetch: GoogleFetch,
  address: URL | string,
  init: RequestInit,
): Promise<Response> {
  const send = (token: string) =>
    googleFetch(address, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
      ...(signal === undefined ? {} : { signal }),
    });
  const token = await access.token();
  const first = await send(token);
  if (isAccepted(first)) return first;
  const failure = await readFailure(first);
  if (failure.kind !== 'unauthorized') throw failure;
  const second = await send(await access.renew(token));
  if (isAccepted(second)) return second;
  throw await readFailure(second);
}

function isAccepted({ ok, status }: Response): boolean {
  return ok || status === RESUME_INCOMPLETE;
}

async function pause(
  { clock, random, signal, onPause }: RequestOptions,
  attempt: number,
  failure: DriveFailure,
) {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  const jittered = longest * (0.5 + random() / 2);
  const milliseconds = Math.max(jittered, Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  onPause?.(plusMilliseconds(clock.now(), milliseconds));
  await clock.sleep(milliseconds, signal);
}
