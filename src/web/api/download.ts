import type { Endpoint, EndpointParts } from '#shared/endpoint.ts';
import { answer, type CallArguments } from './call.ts';

// Safari reads the file only after the click has been handled.
const KEEP_MS = 60_000;

/**
 * Saves the file an endpoint returns, under the server's file name or else `name`. It is fetched like any other
 * request, so the token is in a header and never in a URL.
 */
export async function download<Parts extends EndpointParts>(
  name: string,
  endpoint: Endpoint<Parts>,
  ...given: CallArguments<Parts>
): Promise<void> {
  const response = await answer(endpoint, ...given);
  saveBlob(await response.blob(), nameIn(response.headers.get('content-disposition')) ?? name);
}

/** Saves a file under a name. */
export function saveBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}

function nameIn(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1];
}

/** Lets the browser download a URL, without a token, under the server's file name or else `name`. */
export function saveFrom(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
