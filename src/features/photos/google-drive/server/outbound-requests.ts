import type { GoogleSettings } from '#server/config.ts';
import { DriveFailure } from './google-errors.ts';

/** Sends a request from this server to Google. */
export type Outbound = (address: string | URL, init?: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 60_000;
const RESUME_INCOMPLETE = 308;

/**
 * Sends requests only to Google's services from the settings. Rejects any other address, wherever it came from, and
 * does not follow redirects.
 */
export function outboundTo(google: GoogleSettings): Outbound {
  const origins = new Set(
    [google.tokenUrl, google.revokeUrl, google.apiUrl].map((address) => new URL(address).origin),
  );
  return async (address, init = {}) => {
    const { href, origin } = new URL(address);
    if (!origins.has(origin)) throw new DriveFailure('strange', `${origin} is no address of Google's`);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(href, {
      ...init,
      redirect: 'manual',
      signal: init.signal == null ? timeout : AbortSignal.any([init.signal, timeout]),
    });
    const isRedirect = response.status >= 300 && response.status < 400;
    // A 308 without a location reports how much of an upload was received.
    if (isRedirect && (response.status !== RESUME_INCOMPLETE || response.headers.has('location'))) {
      throw new DriveFailure('strange', `${response.status}: a redirect`);
    }
    return response;
  };
}
