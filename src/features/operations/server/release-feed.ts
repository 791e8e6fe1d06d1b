import * as z from 'zod';

/** A feed's reply: GitHub's and Gitea's latest release, or our own short form. */
const Feed = z.union([
  z.object({ version: z.string(), notes: z.nullish(z.string()) }),
  z.object({ tag_name: z.string(), body: z.nullish(z.string()) }).transform((release) => ({
    version: release.tag_name,
    notes: release.body,
  })),
]);

const VERSION = /^v?(\d{1,6}\.\d{1,6}\.\d{1,6})$/;
const PATIENCE_MS = 10_000;
const BYTES = 200_000;
const NOTES_LENGTH = 5_000;

/** A released version and its notes as plain text. */
export type Release = Readonly<{ version: string; notes: string }>;

/** Why a check failed: a code of ours, never the feed's own text. */
export type FeedFailure = 'unreachable' | 'slow' | 'refused' | 'moved' | 'large' | 'unreadable';

/**
 * Fetches the newest version from a feed. The request carries no version, name, cookie or token. Redirects are not followed,
 * and the reply is limited to 200 kB and ten seconds.
 */
export async function fetchRelease(
  address: string,
  patienceMs = PATIENCE_MS,
): Promise<Release | FeedFailure> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const headers = { accept: 'application/json', 'user-agent': 'volunteer-time-tracker' };
    const response = await fetch(address, { headers, redirect: 'manual', signal, credentials: 'omit' });
    if (response.status !== 200) {
      await response.body?.cancel();
      return response.status >= 300 && response.status < 400 ? 'moved' : 'refused';
    }
    const text = await firstOf(response);
    return text === undefined ? 'large' : releaseIn(text);
  } catch {
    return signal.aborted ? 'slow' : 'unreachable';
  }
}

/** Whether a version is newer than another; both like '1.2.3'. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  for (const [at, number] of (one ?? []).entries()) {
    if (number !== other?.[at]) return number > (other?.[at] ?? 0);
  }
  return false;
}

async function firstOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the download.
    if (length > BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function releaseIn(text: string): Release | 'unreadable' {
  const read = Feed.safeParse(parsed(text));
  const version = read.success ? VERSION.exec(read.data.version.trim())?.[1] : undefined;
  if (!read.success || version === undefined) return 'unreadable';
  return { version, notes: plain(read.data.notes ?? '') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Removes what a database cannot store or a page cannot show; line breaks stay.
function plain(text: string): string {
  const readable = text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '');
  return readable.slice(0, NOTES_LENGTH).toWellFormed().trim();
}
