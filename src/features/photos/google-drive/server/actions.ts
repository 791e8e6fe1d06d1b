import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { LIMITS, messages, type Sync, type SyncResult, type SyncState } from '../contract.ts';
import { findGoogleClient } from './connection.ts';
import { findConnection } from './connection-store.ts';
import {
  cancelSync,
  deleteSyncsBefore,
  findActivitiesToSync,
  findCurrentSync,
  findSync,
  insertSync,
  isSyncFinished,
  listSyncActivities,
  listSyncFailures,
  type StoredActivitySync,
} from './sync-store.ts';
import { waitForWork, wakeWorker } from './worker-signals.ts';

const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
const RETRY_AFTER_SECONDS = 5;

/** Queues a sync. 404 when one of the activities does not exist, 409 when Drive is not connected. */
export async function startSync(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  activityIds: readonly number[],
): Promise<{ syncId: number }> {
  if (findGoogleClient(deps) === undefined) throw errors.conflict(messages.notConfigured);
  const connection = await findConnection(trx);
  if (connection?.refreshToken == null) throw errors.conflict(messages.notConnected);
  const wanted = [...new Set(activityIds)];
  const found = new Map((await findActivitiesToSync(trx, wanted)).map((activity) => [activity.id, activity]));
  const activities = wanted.flatMap((id) => found.get(id) ?? []);
  if (activities.length < wanted.length) throw errors.notFound(messages.activityNotFound);
  const syncId = await insertSync(trx, { kind: 'manual', userId: viewer.userId, at: request.at, activities });
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'drive.sync',
    subject: 'drive',
    subjectId: syncId,
    after: { activityIds: wanted },
  });
  return { syncId };
}

/** Waits for a sync to end and returns its results. 409 when the connection was lost meanwhile. */
export async function waitForResults(
  deps: Deps,
  syncId: number,
): Promise<{ success: boolean; results: SyncResult[] }> {
  wakeWorker(deps);
  while (!(await isSyncFinished(deps.database.db, syncId))) {
    // The work is stored and continues after the restart.
    if (await waitForWork(deps)) throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
  }
  const activities = await listSyncActivities(deps.database.db, syncId);
  if (activities.some(({ error }) => error === messages.notConnected)) {
    throw errors.conflict(messages.notConnected);
  }
  const results = activities.map((activity) => toSyncResult(deps, activity));
  return { success: results.every(({ success }) => success), results };
}

/** The running sync, else the latest one. */
export async function loadCurrentSync(deps: Deps): Promise<{ sync: Sync | null }> {
  const found = await findCurrentSync(deps.database.db);
  return { sync: found === undefined ? null : await toSync(deps, found) };
}

/** One sync. */
export async function loadSync(deps: Deps, id: number): Promise<{ sync: Sync }> {
  const found = await findSync(deps.database.db, id);
  if (found === undefined) throw errors.notFound(messages.syncNotFound);
  return { sync: await toSync(deps, found) };
}

/** Stops a sync; uploads in progress are finished. */
export async function stopSync(deps: Deps, viewer: Viewer, request: Request, id: number) {
  await loadSync(deps, id);
  await transaction(deps.database, async (trx) => {
    if (!(await cancelSync(trx, id, request.at))) return;
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'drive.sync-cancel',
      subject: 'drive',
      subjectId: id,
    });
  });
  return { ...(await loadSync(deps, id)), message: translate(deps, messages.syncCancelled) };
}

/** Deletes syncs that ended over a month ago. */
export function deleteOldSyncs(trx: Trx, now: Instant): Promise<void> {
  return deleteSyncsBefore(trx, plusMilliseconds(now, -RETENTION_DAYS * DAY_MS));
}

type FoundSync = NonNullable<Awaited<ReturnType<typeof findSync>>>;

async function toSync(deps: Deps, sync: FoundSync): Promise<Sync> {
  const { db } = deps.database;
  const activities = await listSyncActivities(db, sync.id);
  const failures = await listSyncFailures(db, sync.id, LIMITS.failures);
  const sum = (count: 'total' | 'successful' | 'skipped' | 'failed') =>
    activities.reduce((all, activity) => all + activity[count], 0);
  return {
    id: sync.id,
    kind: sync.kind,
    state: toSyncState(sync, activities),
    startedBy:
      sync.userId === null
        ? null
        : { id: sync.userId, firstName: sync.firstName ?? '', lastName: sync.lastName ?? '' },
    startedAt: sync.startedAt,
    finishedAt: sync.finishedAt,
    waitingUntil: sync.waitingUntil,
    photos: {
      total: sum('total'),
      successful: sum('successful'),
      skipped: sum('skipped'),
      failed: sum('failed'),
    },
    activities: activities.map(({ state, name, total, ...activity }) => {
      const { success: _, ...result } = toSyncResult(deps, { state, name, total, ...activity });
      return { ...result, state, name, total };
    }),
    failures: failures.map((failure) => ({
      ...failure,
      error: translate(deps, (failure.error as Message | null) ?? messages.syncFailed),
    })),
  };
}

function toSyncState(sync: FoundSync, activities: readonly StoredActivitySync[]): SyncState {
  if (sync.finishedAt === null)
    return activities.every(({ state }) => state === 'queued') ? 'queued' : 'running';
  if (sync.cancelledAt !== null && activities.some(({ state }) => state === 'cancelled')) return 'cancelled';
  return activities.some(({ state }) => state === 'failed') ? 'failed' : 'done';
}

function toSyncResult(deps: Deps, activity: StoredActivitySync): SyncResult {
  const { activityId, successful, skipped, failed, folder } = activity;
  const error = activity.state === 'cancelled' ? messages.cancelled : activity.error;
  return {
    activityId,
    success: activity.state === 'done',
    error: error === null ? null : translate(deps, error),
    successful,
    skipped,
    failed,
    folder,
  };
}
