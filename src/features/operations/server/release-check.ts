import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { deleteServerState, getServerStates, setServerState } from '#server/db/server-state.ts';
import type { Deps } from '#server/deps.ts';
import { translate } from '#server/i18n/translator.ts';
import { VERSION } from '#server/version.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import type { Release as ReleaseStatus } from '../contract.ts';
import { serverMessage as say } from './server-messages.ts';

const NOTES = join(import.meta.dirname, '../../../../CHANGELOG.md');
const NEWEST = 'release:newest';
const FAILURE = 'release:failure';
// Jobs run hourly; a little less than a day makes this check daily.
const CHECK_INTERVAL_MS = 23.5 * 3_600_000;

const FAILURES = {
  unreachable: say('releaseUnreachable'),
  slow: say('releaseSlow'),
  refused: say('releaseRefused'),
  moved: say('releaseMoved'),
  large: say('releaseLarge'),
  unreadable: say('releaseUnreadable'),
} as const satisfies Record<FeedFailure, unknown>;

let ownNotes: string | null | undefined;

/** Returns what this version changes for an operator, and the newest version if RELEASE_FEED_URL is set. */
export async function readRelease(deps: Deps): Promise<ReleaseStatus> {
  ownNotes ??= releaseNotesOf(readNotes(), VERSION);
  const isWatched = deps.config.releaseFeedUrl !== undefined;
  const states = isWatched ? await getServerStates(deps.database.db, [NEWEST, FAILURE]) : new Map();
  const [newest, failure] = [states.get(NEWEST), states.get(FAILURE)];
  const found = newest === undefined ? undefined : (JSON.parse(newest.value) as Release);
  return {
    notes: ownNotes,
    isWatched,
    newest: found === undefined || !isNewer(found.version, VERSION) ? null : found,
    checkedAt: newest?.at ?? null,
    error: failure === undefined ? null : translate(deps, FAILURES[failure.value as FeedFailure]),
  };
}

/** Checks for the newest version once a day if a feed is set. The System screen shows a failed check. */
export async function checkForRelease(deps: Deps): Promise<void> {
  const states = await getServerStates(deps.database.db, [NEWEST, FAILURE]);
  const checkTimes = [...states.values()].map(({ at }) => millisecondsOf(at));
  if (Math.max(0, ...checkTimes) + CHECK_INTERVAL_MS <= millisecondsOf(deps.clock.now()))
    await fetchLatestRelease(deps);
}

/** Checks for the newest version now. */
export async function fetchLatestRelease({ config, database, clock }: Deps): Promise<void> {
  if (config.releaseFeedUrl === undefined) return;
  const found = await fetchRelease(config.releaseFeedUrl);
  if (typeof found === 'string') {
    await setServerState(database.db, FAILURE, found, clock.now());
    return;
  }
  await setServerState(database.db, NEWEST, JSON.stringify(found), clock.now());
  await deleteServerState(database.db, FAILURE);
}

/** Returns a version's section of the changelog, from its heading to the next. */
export function releaseNotesOf(list: string, version: string): string | null {
  const [, notes] = list.split(/^## /m).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return heading.trim() === version ? [heading, lines.join('\n').trim()] : [];
  });
  return notes || null;
}

// The changelog may be missing from an installation.
function readNotes(): string {
  try {
    return readFileSync(NOTES, 'utf8');
  } catch {
    return '';
  }
}

/** A feed's reply: GitHub's and Gitea's latest release, or our own short form. */
const Feed = z.union([
  z.object({ version: z.string(), notes: z.nullish(z.string()) }),
  z.object({ tag_name: z.string(), body: z.nullish(z.string()) }).transform((release) => ({
    version: release.tag_name,
    notes: release.body,
  })),
]);

const VERSION_FORMAT = /^v?(\d{1,6}\.\d{1,6}\.\d{1,6})$/;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 200_000;
const NOTES_LENGTH = 5_000;

/** A released version and its notes as plain text. */
export type Release = Readonly<{ version: string; notes: string }>;

/** The reason why a check failed: one of our codes, never the feed's text. */
type FeedFailure = 'unreachable' | 'slow' | 'refused' | 'moved' | 'large' | 'unreadable';

/**
 * Fetches the newest version from a feed. The request contains no version, district name, cookie or token. Redirects are not
 * followed, and the reply is limited to 200 kB and ten seconds.
 */
export async function fetchRelease(address: string, timeoutMs = TIMEOUT_MS): Promise<Release | FeedFailure> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const headers = { accept: 'application/json', 'user-agent': 'volunteer-time-tracker' };
    const response = await fetch(address, { headers, redirect: 'manual', signal, credentials: 'omit' });
    if (response.status !== 200) {
      await response.body?.cancel();
      return response.status >= 300 && response.status < 400 ? 'moved' : 'refused';
    }
    const text = await readBody(response);
    return text === undefined ? 'large' : parseRelease(text);
  } catch {
    return signal.aborted ? 'slow' : 'unreachable';
  }
}

/** Whether a version is newer than another. Both have the form '1.2.3'. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  for (const [at, number] of (one ?? []).entries()) {
    if (number !== other?.[at]) return number > (other?.[at] ?? 0);
  }
  return false;
}

async function readBody(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop ends the download.
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseRelease(text: string): Release | 'unreadable' {
  const read = Feed.safeParse(parseJson(text));
  const version = read.success ? VERSION_FORMAT.exec(read.data.version.trim())?.[1] : undefined;
  if (!read.success || version === undefined) return 'unreadable';
  return { version, notes: cleanText(read.data.notes ?? '') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Removes characters that a database cannot store or a page cannot show. Line breaks stay.
function cleanText(text: string): string {
  const readable = text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{C}\n\t]/gu, '');
  return readable.slice(0, NOTES_LENGTH).toWellFormed().trim();
}
