import { getToken } from './session.ts';

/** A call that start.js sent before this code had arrived. */
type Begun = { token: string | null; response: Promise<Response> };

declare global {
  /** By address. Missing where start.js did not run. */
  var begunCalls: Map<string, Begun> | undefined;
}

/** An answer that has waited longer may be out of date. */
const LONGEST_MS = 30_000;

/** The answer to a call that the page has already begun, once; undefined for any other. */
export function takePrefetchedCall(url: string, { method }: RequestInit): Promise<Response> | undefined {
  const begun = globalThis.begunCalls?.get(url);
  if (begun === undefined || method !== 'GET') return undefined;
  globalThis.begunCalls?.delete(url);
  return begun.token === getToken() && performance.now() < LONGEST_MS ? begun.response : undefined;
}
