const MOST_BYTES = 1_000_000;

/** `fetch` for answers of other services: follows no redirect, and stops reading beyond a megabyte. */
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
