import { randomUUID } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { messages } from '../contract.ts';
import { driveAccessTokens, driveErrorMessage, findGoogleClient } from './connection.ts';
import { findConnection } from './connection-store.ts';
import { copyActivity } from './copy-activity.ts';
import { type Drive, openDrive } from './drive-client.ts';
import {
  deleteDriveFile,
  listActivitiesWithUnwantedFiles,
  listUnwantedFiles,
  releaseLease,
  renewLease,
  takeLease,
} from './file-store.ts';
import { DriveFailure, toDriveFailure } from './google-errors.ts';
import {
  countPhotos,
  failWaitingPhotos,
  isCancelled,
  listQueuedActivities,
  listUnstartedActivities,
  type QueuedActivity,
  saveActivityOutcome,
  savePauseUntil,
  startActivity,
} from './sync-queue-store.ts';
import { finishSyncIfDone } from './sync-store.ts';
import { notifyDone, waitForWakeUp, wakeWorker } from './worker-signals.ts';

const POLL_MS = 1_000;
const BATCH_SIZE = 20;
/** The interval at which a process renews its lease, and the time without renewal after which it counts as dead. */
const RENEW_LEASE_MS = 3_000;
const LEASE_MS = 12_000;
// The delay before a failed removal is tried again.
const RETRY_REMOVAL_MS = 60_000;

/**
 * Copies photos to Drive, and removes photos that were hidden or deleted. Removal is independent, so that a long sync does not
 * delay it. `stop` interrupts the work; the next start continues it.
 */
export function startDriveSync(deps: Deps): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const removal = { notBefore: '' };
  const done = Promise.all([
    repeat(deps, stopping.signal, () => copyNextActivity(deps, stopping.signal)),
    repeat(deps, stopping.signal, () => removeNextFiles(deps, stopping.signal, removal)),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      wakeWorker(deps);
      await done;
    },
  };
}

// Works without a pause while there is work, and polls for more.
async function repeat(deps: Deps, signal: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const isBusy = await work().catch((error: unknown) => {
      deps.log.error({ err: error }, 'Google Drive sync work failed');
      return false;
    });
    if (!isBusy && !signal.aborted) await waitForWakeUp(deps, POLL_MS);
  }
}

// Copies the next activity that no other process is copying. Returns false if there is none.
async function copyNextActivity(deps: Deps, signal: AbortSignal): Promise<boolean> {
  for (const queued of await listQueuedActivities(deps.database.db, BATCH_SIZE)) {
    const isDone = await withLease(deps, queued.activityId, signal, (lease) =>
      syncActivity(deps, lease, queued),
    );
    if (isDone !== undefined) return true;
  }
  return false;
}

async function removeNextFiles(
  deps: Deps,
  signal: AbortSignal,
  removal: { notBefore: string },
): Promise<boolean> {
  for (const activityId of await findDueRemovals(deps, removal)) {
    const isDone = await withLease(deps, activityId, signal, (lease) =>
      removeUnwantedFiles(deps, lease, activityId),
    );
    if (isDone === true) return true;
    if (isDone === false) removal.notBefore = plusMilliseconds(deps.clock.now(), RETRY_REMOVAL_MS);
  }
  return false;
}

// The signal fires when the process ends, and when another process has taken the lease.
type Lease = Readonly<{ signal: AbortSignal }>;

// Returns undefined if another process has the lease.
async function withLease<Result>(
  deps: Deps,
  activityId: number,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const { db } = deps.database;
  const lease = randomUUID();
  const until = () => plusMilliseconds(deps.clock.now(), LEASE_MS);
  if (!(await takeLease(db, activityId, { lease, now: deps.clock.now(), until: until() }))) return undefined;
  const lost = new AbortController();
  const timer = setInterval(() => {
    renewLease(db, activityId, lease, until()).then(
      (isOurs) => {
        if (!isOurs) lost.abort();
      },
      (error: unknown) => deps.log.error({ err: error }, 'could not renew a lease'),
    );
  }, RENEW_LEASE_MS);
  try {
    return await work({ signal: AbortSignal.any([signal, lost.signal]) });
  } finally {
    clearInterval(timer);
    await releaseLease(db, activityId, lease);
  }
}

async function syncActivity(deps: Deps, lease: Lease, queued: QueuedActivity): Promise<true> {
  const { db } = deps.database;
  if (!(await startActivity(db, queued))) return true;
  const isEmpty = (await countPhotos(db, queued)) === 0;
  const failure = isEmpty ? undefined : await copyPhotosOf(deps, lease, queued);
  // Another process, or the next start, continues.
  if (lease.signal.aborted) return true;
  if (failure !== undefined) await failActivities(deps, queued, failure);
  else await finishActivity(deps, queued, isEmpty);
  await finishSyncIfDone(db, queued.syncId, deps.clock.now());
  notifyDone(deps);
  return true;
}

async function copyPhotosOf(
  deps: Deps,
  { signal }: Lease,
  queued: QueuedActivity,
): Promise<DriveFailure | undefined> {
  const { db } = deps.database;
  try {
    const drive = openConnectedDrive(deps, signal, (until) => {
      savePauseUntil(db, queued.syncId, until).catch(() => undefined);
    });
    await copyActivity({
      deps,
      drive,
      queued,
      canContinue: async () => {
        if (signal.aborted || (await isCancelled(db, queued.syncId))) return false;
        // An upload under way must finish before its file can be removed.
        await removeFiles(deps, drive, await listUnwantedFiles(db, queued.activityId, { isStored: true }));
        return true;
      },
    });
    await savePauseUntil(db, queued.syncId, null);
    return undefined;
  } catch (error) {
    if (!(error instanceof DriveFailure) && !signal.aborted) {
      deps.log.error({ err: error, activity: queued.activityId }, 'sync to Google Drive failed');
      return new DriveFailure('unexpected', 'not a failure at Google');
    }
    const failure = toDriveFailure(error);
    if (!signal.aborted) {
      deps.log.warn(
        { ...queued, kind: failure.kind, failure: failure.message },
        'sync to Google Drive failed',
      );
    }
    return failure;
  }
}

// Unless the failure concerns only this activity, fails the unstarted ones too: they would wait just as long and then fail as
// well.
async function failActivities(deps: Deps, queued: QueuedActivity, failure: DriveFailure): Promise<void> {
  const { db } = deps.database;
  const error = driveErrorMessage(failure);
  const concernsOneActivity =
    failure.kind === 'gone' || failure.kind === 'unexpected' || failure.kind === 'refused';
  for (const one of concernsOneActivity
    ? [queued]
    : [queued, ...(await listUnstartedActivities(db, queued.syncId))]) {
    await failWaitingPhotos(db, one, error);
    await saveActivityOutcome(db, one, { state: 'failed', error });
  }
}

async function finishActivity(deps: Deps, queued: QueuedActivity, isEmpty: boolean): Promise<void> {
  const { db } = deps.database;
  if (isEmpty)
    return saveActivityOutcome(db, queued, { state: 'done', error: messages.noPhotos(queued.name) });
  if (await isCancelled(db, queued.syncId))
    return saveActivityOutcome(db, queued, { state: 'cancelled', error: null });
  const failed = await countPhotos(db, queued, 'failed');
  const error = failed === 0 ? null : messages.somePhotosFailed(failed);
  await saveActivityOutcome(db, queued, { state: failed === 0 ? 'done' : 'failed', error });
}

async function findDueRemovals(deps: Deps, { notBefore }: { notBefore: string }): Promise<number[]> {
  const { db } = deps.database;
  if (deps.clock.now() < notBefore) return [];
  const found = await listActivitiesWithUnwantedFiles(db, BATCH_SIZE);
  if (found.length === 0) return [];
  const connection = await findConnection(db);
  return findGoogleClient(deps) === undefined || connection?.refreshToken == null ? [] : found;
}

async function removeUnwantedFiles(deps: Deps, { signal }: Lease, activityId: number): Promise<boolean> {
  const { db } = deps.database;
  try {
    await removeFiles(deps, openConnectedDrive(deps, signal), await listUnwantedFiles(db, activityId));
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    const { kind, message } = toDriveFailure(error);
    deps.log.error(
      { activity: activityId, kind, failure: message },
      'photos could not be removed from Drive',
    );
    return false;
  }
}

async function removeFiles(
  { database }: Deps,
  drive: Drive,
  files: readonly { photoId: number; fileId: string }[],
): Promise<void> {
  for (const { photoId, fileId } of files) {
    await drive.remove(fileId);
    await deleteDriveFile(database.db, photoId, fileId);
  }
}

function openConnectedDrive(deps: Deps, signal: AbortSignal, onPause?: (until: Instant) => void): Drive {
  const client = findGoogleClient(deps);
  if (client === undefined) throw new DriveFailure('lost', 'not set up');
  return openDrive(client.google, {
    access: driveAccessTokens(deps, client),
    clock: deps.clock,
    random: Math.random,
    signal,
    ...(onPause === undefined ? {} : { onPause }),
  });
}
