import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteServerState, getServerStates, setServerState } from '#server/db/server-state.ts';
import type { Deps } from '#server/deps.ts';
import { translate } from '#server/i18n/translator.ts';
import { VERSION } from '#server/version.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import type { Release as ReleaseStatus } from '../contract.ts';
import { type FeedFailure, fetchRelease, isNewer, type Release } from './release-feed.ts';
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
export async function lookForRelease(deps: Deps): Promise<void> {
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
