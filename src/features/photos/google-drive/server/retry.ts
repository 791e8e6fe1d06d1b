import type { Clock } from '#server/deps.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { type DriveFailure, failureIn, failureOf } from './google-errors.ts';
import type { Outbound } from './outbound-requests.ts';

/** Where access tokens come from. */
export type AccessSource = Readonly<{
  token: () => Promise<string>;
  /** A new token, to replace one that Google rejected. */
  renew: (rejected: string) => Promise<string>;
}>;

/** How requests are made: tokens, number of attempts, deadline. `onPause` is called with the end of each pause. */
export type RequestOptions = Readonly<{
  access: AccessSource;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  signal?: AbortSignal;
  onPause?: (until: Instant) => void;
  tries?: number;
}>;

const TRIES = 7;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 32_000;
const LONGEST_RETRY_AFTER_MS = 120_000;
const RESUME_INCOMPLETE = 308;

/**
 * Repeats a request until it succeeds: with doubling pauses and jitter while Google is busy or unreachable, and once
 * with a new token when Google rejects the current one. Throws `DriveFailure` for anything else.
 */
export async function requestWithRetry(
  options: RequestOptions,
  outbound: Outbound,
  address: URL | string,
  init: RequestInit = {},
): Promise<Response> {
  const tries = options.tries ?? TRIES;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendWithAccess(options, outbound, address, init);
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = failureOf(error);
      if (!failure.isTemporaryFailure || attempt >= tries) throw failure;
      await pause(options, attempt, failure);
      options.signal?.throwIfAborted();
    }
  }
}

async function sendWithAccess(
  { access, signal }: RequestOptions,
  outbound: Outbound,
  address: URL | string,
  init: RequestInit,
): Promise<Response> {
  const send = (token: string) =>
    outbound(address, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
      ...(signal === undefined ? {} : { signal }),
    });
  const token = await access.token();
  const first = await send(token);
  if (isReply(first)) return first;
  const failure = await failureIn(first);
  if (failure.kind !== 'unauthorized') throw failure;
  const second = await send(await access.renew(token));
  if (isReply(second)) return second;
  throw await failureIn(second);
}

function isReply({ ok, status }: Response): boolean {
  return ok || status === RESUME_INCOMPLETE;
}

async function pause(
  { clock, random, signal, onPause }: RequestOptions,
  attempt: number,
  failure: DriveFailure,
) {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  const jittered = longest * (0.5 + random() / 2);
  const milliseconds = Math.max(jittered, Math.min(failure.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
  onPause?.(plusMilliseconds(clock.now(), milliseconds));
  await clock.sleep(milliseconds, signal);
}
