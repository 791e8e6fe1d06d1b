import { randomUUID } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { messages } from '../contract.ts';
import { clientOf, driveAccessTokens, saidOf } from './connection.ts';
import { findConnection } from './connection-store.ts';
import { copyActivity } from './copy-activity.ts';
import { type Drive, openDrive } from './drive-client.ts';
import {
  activitiesWithUnwanted,
  deleteDriveFile,
  endLease,
  renewLease,
  takeLease,
  unwantedOf,
} from './file-store.ts';
import { DriveFailure, failureOf } from './google-errors.ts';
import {
  beginActivity,
  countPhotos,
  endActivity,
  failWaiting,
  isCancelled,
  queuedOf,
  savePauseUntil,
  type Waiting,
  waitingActivities,
} from './sync-queue-store.ts';
import { finishIfDone } from './sync-store.ts';
import { countWakeUps, rest, tellDone } from './worker-signals.ts';

const LOOK_EVERY_MS = 1_000;
const LOOKED_AT = 20;
/** How often a process renews its lease, and how long without renewal until it counts as dead. */
const SEEN_EVERY_MS = 3_000;
const GONE_AFTER_MS = 12_000;
// The delay before a failed removal is tried again.
const REMOVED_AGAIN_AFTER_MS = 60_000;

/**
 * Copies photos to Drive and, independently, so that a long sync does not delay it, removes photos that were hidden or
 * deleted. `stop` interrupts the work; the next start continues it.
 */
export function startDriveSync(deps: Deps): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const removal = { notBefore: '' };
  const working = Promise.all([
    repeat(deps, ending.signal, () => copyNext(deps, ending.signal)),
    repeat(deps, ending.signal, () => removeNext(deps, ending.signal, removal)),
  ]);
  return {
    stop: async () => {
      ending.abort();
      await working;
    },
  };
}

// Works without pause while there is work, and polls for more.
async function repeat(deps: Deps, signal: AbortSignal, turn: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const known = countWakeUps(deps);
    const isBusy = await turn().catch((error: unknown) => {
      deps.log.error({ err: error }, 'work in Google Drive failed');
      return false;
    });
    if (!isBusy) await rest(deps, { milliseconds: LOOK_EVERY_MS, known, signal });
  }
}

// Works on the next activity that no other process works on; false when there is none.
async function copyNext(deps: Deps, signal: AbortSignal): Promise<boolean> {
  for (const turn of await waitingActivities(deps.database.db, LOOKED_AT)) {
    const isDone = await holding(deps, turn.activityId, signal, (lease) => syncActivity(deps, lease, turn));
    if (isDone !== undefined) return true;
  }
  return false;
}

async function removeNext(deps: Deps, signal: AbortSignal, removal: { notBefore: string }): Promise<boolean> {
  for (const activityId of await dueRemovals(deps, removal)) {
    const isDone = await holding(deps, activityId, signal, (lease) =>
      removeUnwanted(deps, lease, activityId),
    );
    if (isDone === true) return true;
    if (isDone === false) removal.notBefore = plusMilliseconds(deps.clock.now(), REMOVED_AGAIN_AFTER_MS);
  }
  return false;
}

// The signal fires when the process ends, and when another process has taken the lease.
type Lease = Readonly<{ signal: AbortSignal }>;

// Undefined when another process holds the lease.
async function holding<Result>(
  deps: Deps,
  activityId: number,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const { db } = deps.database;
  const lease = randomUUID();
  const until = () => plusMilliseconds(deps.clock.now(), GONE_AFTER_MS);
  if (!(await takeLease(db, activityId, { lease, now: deps.clock.now(), until: until() }))) return undefined;
  const lost = new AbortController();
  const timer = setInterval(() => {
    renewLease(db, activityId, lease, until()).then(
      (isOurs) => {
        if (!isOurs) lost.abort();
      },
      (error: unknown) => deps.log.error({ err: error }, 'a lease could not be renewed'),
    );
  }, SEEN_EVERY_MS);
  try {
    return await work({ signal: AbortSignal.any([signal, lost.signal]) });
  } finally {
    clearInterval(timer);
    await endLease(db, activityId, lease);
  }
}

async function syncActivity(deps: Deps, lease: Lease, turn: Waiting): Promise<true> {
  const { db } = deps.database;
  if (!(await beginActivity(db, turn))) return true;
  const isEmpty = (await countPhotos(db, turn)) === 0;
  const failure = isEmpty ? undefined : await copied(deps, lease, turn);
  // Another process, or the next start, continues.
  if (lease.signal.aborted) return true;
  if (failure !== undefined) await failTheRest(deps, turn, failure);
  else await endWell(deps, turn, isEmpty);
  await finishIfDone(db, turn.syncId, deps.clock.now());
  tellDone(deps);
  return true;
}

async function copied(deps: Deps, { signal }: Lease, turn: Waiting): Promise<DriveFailure | undefined> {
  const { db } = deps.database;
  try {
    const drive = driveOf(deps, signal, (until) => {
      savePauseUntil(db, turn.syncId, until).catch(() => undefined);
    });
    await copyActivity({
      deps,
      drive,
      turn,
      mayGoOn: async () => {
        if (signal.aborted || (await isCancelled(db, turn.syncId))) return false;
        // An upload under way must finish before its file can be removed.
        await removeAll(deps, drive, await unwantedOf(db, turn.activityId, { isStored: true }));
        return true;
      },
    });
    await savePauseUntil(db, turn.syncId, null);
    return undefined;
  } catch (error) {
    if (!(error instanceof DriveFailure) && !signal.aborted) {
      deps.log.error({ err: error, activity: turn.activityId }, 'a sync to Google Drive failed');
      return new DriveFailure('strange', 'a bug, or the database');
    }
    const failure = failureOf(error);
    if (!signal.aborted) {
      deps.log.warn(
        { ...turn, kind: failure.kind, failure: failure.message },
        'a sync to Google Drive failed',
      );
    }
    return failure;
  }
}

// The following activities would wait as long and fail as well.
async function failTheRest(deps: Deps, turn: Waiting, failure: DriveFailure): Promise<void> {
  const { db } = deps.database;
  const error = saidOf(failure);
  const isOfThisAlone = failure.kind === 'gone' || failure.kind === 'strange' || failure.kind === 'refused';
  for (const one of isOfThisAlone ? [turn] : [turn, ...(await queuedOf(db, turn.syncId))]) {
    await failWaiting(db, one, error);
    await endActivity(db, one, { state: 'failed', error });
  }
}

async function endWell(deps: Deps, turn: Waiting, isEmpty: boolean): Promise<void> {
  const { db } = deps.database;
  if (isEmpty) return endActivity(db, turn, { state: 'done', error: messages.noPhotos(turn.name) });
  if (await isCancelled(db, turn.syncId)) return endActivity(db, turn, { state: 'cancelled', error: null });
  const failed = await countPhotos(db, turn, 'failed');
  const error = failed === 0 ? null : messages.somePhotosFailed(failed);
  await endActivity(db, turn, { state: failed === 0 ? 'done' : 'failed', error });
}

async function dueRemovals(deps: Deps, { notBefore }: { notBefore: string }): Promise<number[]> {
  const { db } = deps.database;
  if (deps.clock.now() < notBefore) return [];
  const found = await activitiesWithUnwanted(db, LOOKED_AT);
  if (found.length === 0) return [];
  const connection = await findConnection(db);
  return clientOf(deps) === undefined || connection?.refreshToken == null ? [] : found;
}

async function removeUnwanted(deps: Deps, { signal }: Lease, activityId: number): Promise<boolean> {
  const { db } = deps.database;
  try {
    await removeAll(deps, driveOf(deps, signal), await unwantedOf(db, activityId));
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    const { kind, message } = failureOf(error);
    deps.log.error(
      { activity: activityId, kind, failure: message },
      'photos could not be removed from Drive',
    );
    return false;
  }
}

async function removeAll(
  { database }: Deps,
  drive: Drive,
  files: readonly { photoId: number; fileId: string }[],
): Promise<void> {
  for (const { photoId, fileId } of files) {
    await drive.remove(fileId);
    await deleteDriveFile(database.db, photoId, fileId);
  }
}

function driveOf(deps: Deps, signal: AbortSignal, onPause?: (until: Instant) => void): Drive {
  const client = clientOf(deps);
  if (client === undefined) throw new DriveFailure('lost', 'not set up');
  return openDrive(client.google, {
    access: driveAccessTokens(deps, client),
    clock: deps.clock,
    random: Math.random,
    signal,
    ...(onPause === undefined ? {} : { onPause }),
  });
}
