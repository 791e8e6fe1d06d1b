import { readStored } from './browser-storage.ts';

type SentCall = Readonly<{ token: string | null; response: Promise<Response> }>;

/** Older responses may be out of date. */
const MAX_AGE_MS = 30_000;

/** Calls sent before the code that handles their responses has loaded, by URL. */
const sentCalls = new Map<string, SentCall>();

/** Sends a call for the first screen the way `call` will: with this URL and the stored token. */
export function beginCall(url: string): void {
  const token = readStored('token');
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = fetch(url, { headers: { accept: 'application/json', ...authorization } });
  // The caller that takes the response handles the error.
  response.catch(() => undefined);
  sentCalls.set(url, { token, response });
}

/** Returns the response to a prefetched call, once. Undefined for any other call, after 30 s, and if the token has changed. */
export function takePrefetchedCall(url: string, { method }: RequestInit): Promise<Response> | undefined {
  const call = sentCalls.get(url);
  if (call === undefined || method !== 'GET') return undefined;
  sentCalls.delete(url);
  return call.token === readStored('token') && performance.now() < MAX_AGE_MS ? call.response : undefined;
}
