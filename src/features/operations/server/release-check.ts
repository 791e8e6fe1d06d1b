import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteServerState, getServerStates, setServerState } from '#server/db/server-state.ts';
import type { Deps } from '#server/deps.ts';
import { translate } from '#server/i18n/translator.ts';
import { VERSION } from '#server/version.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import type { Release as Shown } from '../contract.ts';
import { type FeedFailure, fetchRelease, isNewer, type Release } from './release-feed.ts';
import { serverMessage as say } from './server-messages.ts';

const NOTES = join(import.meta.dirname, '../../../../CHANGELOG.md');
const NEWEST = 'release:newest';
const FAILURE = 'release:failure';
// The chores run every hour; a little less than a day, so that it is asked once a day.
const ASK_EVERY_MS = 23.5 * 3_600_000;

const FAILURES = {
  unreachable: say('releaseUnreachable'),
  slow: say('releaseSlow'),
  refused: say('releaseRefused'),
  moved: say('releaseMoved'),
  large: say('releaseLarge'),
  unreadable: say('releaseUnreadable'),
} as const satisfies Record<FeedFailure, unknown>;

let ownNotes: string | null | undefined;

/** What changes for an operator with this version, and the newest one where RELEASE_FEED_URL names who is asked. */
export async function readRelease(deps: Deps): Promise<Shown> {
  ownNotes ??= releaseNotesOf(readNotes(), VERSION);
  const isWatched = deps.config.releaseFeedUrl !== undefined;
  const noted = isWatched ? await getServerStates(deps.database.db, [NEWEST, FAILURE]) : new Map();
  const [newest, failure] = [noted.get(NEWEST), noted.get(FAILURE)];
  const found = newest === undefined ? undefined : (JSON.parse(newest.value) as Release);
  return {
    notes: ownNotes,
    isWatched,
    newest: found === undefined || !isNewer(found.version, VERSION) ? null : found,
    checkedAt: newest?.at ?? null,
    error: failure === undefined ? null : translate(deps, FAILURES[failure.value as FeedFailure]),
  };
}

/** Asks for the newest version once a day, where a feed is set. A feed that fails is told of on the screen. */
export async function lookForRelease(deps: Deps): Promise<void> {
  const noted = await getServerStates(deps.database.db, [NEWEST, FAILURE]);
  const asked = [...noted.values()].map(({ at }) => millisecondsOf(at));
  if (Math.max(0, ...asked) + ASK_EVERY_MS <= millisecondsOf(deps.clock.now()))
    await fetchLatestRelease(deps);
}

/** The same at once. */
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

/** What a list of releases says of a version, from its heading to the next. */
export function releaseNotesOf(list: string, version: string): string | null {
  const [, notes] = list.split(/^## /m).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return heading.trim() === version ? [heading, lines.join('\n').trim()] : [];
  });
  return notes || null;
}

// Nothing stops a server that was installed without it.
function readNotes(): string {
  try {
    return readFileSync(NOTES, 'utf8');
  } catch {
    return '';
  }
}
