import { saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import {
  type DriveSettingsChange,
  LIMITS,
  messages,
  type Sync,
  type SyncResult,
  type SyncState,
} from '../contract.ts';
import {
  DRIVE_SETTINGS_KEY,
  driveAccessTokens,
  driveErrorMessage,
  findGoogleClient,
  readDriveSettings,
  requireGoogleClient,
} from './connection.ts';
import { findConnection } from './connection-store.ts';
import { DRIVE_ID, type DriveFile, FOLDER_TYPE, openDrive } from './drive-client.ts';
import { deleteRootFolder, findRootFolder, saveRootFolder } from './file-store.ts';
import { findUntrashed, folderUrl } from './folders.ts';
import { toDriveFailure } from './google-errors.ts';
import {
  cancelSync,
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

const RETRY_AFTER_SECONDS = 5;

/** Queues a sync. Throws 404 if one of the activities does not exist, 409 if Drive is not configured or not connected. */
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

/**
 * Waits for a sync to end and returns its results. Throws 409 if the connection is lost meanwhile, 503 if the server shuts
 * down.
 */
export async function waitForResults(
  deps: Deps,
  syncId: number,
): Promise<{ success: boolean; results: SyncResult[] }> {
  wakeWorker(deps);
  while (!(await isSyncFinished(deps.database.db, syncId))) {
    // The server is shutting down. The sync is stored and continues after the restart.
    if (await waitForWork(deps)) throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
  }
  const activities = await listSyncActivities(deps.database.db, syncId);
  if (activities.some(({ error }) => error === messages.notConnected)) {
    throw errors.conflict(messages.notConnected);
  }
  const results = activities.map((activity) => toSyncResult(deps, activity));
  return { success: results.every(({ success }) => success), results };
}

/** Returns the running sync, else the latest one. */
export async function loadCurrentSync(deps: Deps): Promise<{ sync: Sync | null }> {
  const found = await findCurrentSync(deps.database.db);
  return { sync: found === undefined ? null : await toSync(deps, found) };
}

/** Returns a sync. Throws 404 if it does not exist. */
export async function loadSync(deps: Deps, id: number): Promise<{ sync: Sync }> {
  const found = await findSync(deps.database.db, id);
  if (found === undefined) throw errors.notFound(messages.syncNotFound);
  return { sync: await toSync(deps, found) };
}

/** Stops a sync; uploads in progress are finished. */
export async function stopSync(deps: Deps, { viewer, request }: Acting, id: number) {
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
    startedBy: toPersonRef(sync.userId, sync.firstName, sync.lastName),
    startedAt: sync.startedAt,
    finishedAt: sync.finishedAt,
    waitingUntil: sync.waitingUntil,
    photos: {
      total: sum('total'),
      successful: sum('successful'),
      skipped: sum('skipped'),
      failed: sum('failed'),
    },
    activities: activities.map((activity) => ({ ...activity, error: toErrorText(deps, activity) })),
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
  const { activityId, state, successful, skipped, failed, folder } = activity;
  const error = toErrorText(deps, activity);
  return { activityId, success: state === 'done', error, successful, skipped, failed, folder };
}

function toErrorText(deps: Deps, { state, error }: StoredActivitySync): string | null {
  if (state === 'cancelled') return translate(deps, messages.cancelled);
  return error === null ? null : translate(deps, error);
}

const FOLDER_TRIES = 2;

/**
 * Changes the settings; omitted ones stay. Throws 400 for a folder that the app cannot see or write to. Existing activity
 * folders are not moved.
 */
export async function changeDriveSettings(
  deps: Deps,
  { viewer, request }: Acting,
  change: DriveSettingsChange,
): Promise<string> {
  // The request to Google is made before the transaction.
  const folder =
    typeof change.folder === 'string' ? await findChosenFolder(deps, change.folder) : change.folder;
  return transaction(deps.database, async (trx) => {
    const before = await readDriveSettings(trx);
    const settings = { nightly: change.nightly ?? before.nightly };
    const isSame = folder === undefined || (await isChosenAlready(trx, folder));
    if (isSame && isUnchanged(before, settings)) return translate(deps, messages.settingsSaved);
    await saveSetting(trx, DRIVE_SETTINGS_KEY, settings);
    const names = folder === undefined ? {} : await changeRootFolder(trx, folder);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'drive.settings',
      subject: 'drive',
      subjectId: null,
      before: { ...before, ...names.before },
      after: { ...settings, ...names.after },
    });
    return translate(deps, messages.settingsSaved);
  });
}

async function isChosenAlready(trx: Trx, folder: DriveFile | null): Promise<boolean> {
  const root = await findRootFolder(trx);
  const chosen = root?.isChosen === true ? root.id : null;
  return chosen === (folder?.id ?? null);
}

type FolderName = { folder: string | null };

async function changeRootFolder(
  trx: Trx,
  folder: DriveFile | null,
): Promise<{ before?: FolderName; after?: FolderName }> {
  const before = { folder: (await findRootFolder(trx))?.name ?? null };
  await deleteRootFolder(trx);
  if (folder === null) return { before, after: { folder: null } };
  const { id, name } = folder;
  await saveRootFolder(trx, { id, name, url: folderUrl(folder), isReady: true, isChosen: true }, undefined);
  return { before, after: { folder: name } };
}

async function findChosenFolder(deps: Deps, link: string): Promise<DriveFile> {
  const id = parseFolderId(link);
  if (id === undefined) throw errors.invalid(messages.folderLink, { folder: messages.folderLink });
  const client = requireGoogleClient(deps);
  const drive = openDrive(client.google, {
    access: driveAccessTokens(deps, client),
    clock: deps.clock,
    random: Math.random,
    tries: FOLDER_TRIES,
  });
  const found = await findUntrashed(drive, id).catch((error: unknown) => {
    throw errors.conflict(driveErrorMessage(toDriveFailure(error)));
  });
  if (found?.mimeType !== FOLDER_TYPE || found.capabilities.canAddChildren === false) {
    throw errors.invalid(messages.folderNotSeen, { folder: messages.folderNotSeen });
  }
  return found;
}

// 'https://drive.google.com/drive/u/0/folders/1AbC...?usp=sharing', '...?id=1AbC...', or the id alone.
function parseFolderId(link: string): string | undefined {
  const given = link.trim();
  const [, id = given] = /(?:\/folders\/|[?&]id=)([^/?#&]+)/.exec(given) ?? [];
  return DRIVE_ID.test(id) ? id : undefined;
}
