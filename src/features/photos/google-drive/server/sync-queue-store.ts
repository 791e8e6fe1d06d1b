import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { Message } from '#shared/i18n/message.ts';
import type { DriveFolder, SyncState } from '../contract.ts';
import { VISIBLE_TO_SCHOOL } from './file-store.ts';

/** A queued activity of a sync, or one left running when the server process died. */
export type QueuedActivity = Readonly<{ syncId: number; activityId: number; name: string }>;

/** A photo to copy. */
export type PhotoToCopy = Readonly<{
  id: number;
  storageKey: string;
  sha256: string;
  originalName: string;
}>;

/** Returns the next activities to work on, oldest sync first. */
export function listQueuedActivities(db: Db, limit: number): Promise<QueuedActivity[]> {
  return (
    db
      .selectFrom('drive_sync_activities')
      .select(['sync_id as syncId', 'activity_id as activityId', 'name'])
      // Written as literals, so that both engines use the partial index.
      .where(sql<boolean>`state in ('queued', 'running')`)
      .orderBy('sync_id')
      .orderBy('position')
      .limit(limit)
      .execute()
  );
}

/** Starts or continues an activity. Returns false if it has ended or its sync was canceled. */
export function startActivity(db: Db, { syncId, activityId }: QueuedActivity): Promise<boolean> {
  return changesRows(
    db
      .updateTable('drive_sync_activities')
      .set({ state: 'running' })
      .where('sync_id', '=', syncId)
      .where('activity_id', '=', activityId)
      .where('state', 'in', ['queued', 'running']),
  );
}

/** Whether a sync was canceled; true for one that does not exist. */
export async function isCancelled(db: Db, syncId: number): Promise<boolean> {
  const row = await db
    .selectFrom('drive_syncs')
    .select('cancelled_at')
    .where('id', '=', syncId)
    .executeTakeFirst();
  return row === undefined || row.cancelled_at !== null;
}

/** Stores the destination folder of an activity's photos. */
export async function saveSyncFolder(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  folder: DriveFolder,
): Promise<void> {
  await db
    .updateTable('drive_sync_activities')
    .set({ folder_name: folder.name, folder_url: folder.url })
    .where('sync_id', '=', syncId)
    .where('activity_id', '=', activityId)
    .execute();
}

/** Stores until when a sync is waiting for Google, or null if it is not waiting. */
export async function savePauseUntil(db: Db, syncId: number, until: Instant | null): Promise<void> {
  await db
    .updateTable('drive_syncs')
    .set({ waiting_until: until })
    .where('id', '=', syncId)
    .where('finished_at', 'is', null)
    .execute();
}

/**
 * Returns the next photos of an activity to copy, after the one with the id `after`. `storageKey` is null for a photo that was
 * hidden or deleted meanwhile.
 */
export async function listPhotosToCopy(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  after: number,
  limit: number,
): Promise<(PhotoToCopy | { id: number; storageKey: null })[]> {
  const rows = await db
    .selectFrom('drive_sync_photos as copied')
    .leftJoin('photos', (join) => join.onRef('photos.id', '=', 'copied.photo_id').on(VISIBLE_TO_SCHOOL))
    .select(['copied.photo_id', 'photos.storage_key', 'photos.sha256', 'photos.original_name'])
    .where('copied.sync_id', '=', syncId)
    .where('copied.activity_id', '=', activityId)
    .where('copied.state', '=', 'waiting')
    .where('copied.photo_id', '>', after)
    .orderBy('copied.photo_id')
    .limit(limit)
    .execute();
  return rows.map((row) =>
    row.storage_key === null
      ? { id: row.photo_id, storageKey: null }
      : {
          id: row.photo_id,
          storageKey: row.storage_key,
          sha256: row.sha256 ?? '',
          originalName: row.original_name ?? '',
        },
  );
}

/** Counts the photos of an activity in a sync, or only those with the given outcome. */
export function countPhotos(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  state?: 'failed',
): Promise<number> {
  return countRows(
    db
      .selectFrom('drive_sync_photos')
      .where('sync_id', '=', syncId)
      .where('activity_id', '=', activityId)
      .$if(state !== undefined, (query) => query.where('state', '=', 'failed')),
  );
}

/** Marks a photo as stored in Drive: for this sync's counts and for all later syncs. */
export async function markPhotoStored(
  trx: Trx,
  waiting: QueuedActivity,
  photoId: number,
  how: 'stored' | 'skipped',
): Promise<void> {
  await trx
    .updateTable('drive_files')
    .set({ is_stored: 1, upload_session: null })
    .where('photo_id', '=', photoId)
    .execute();
  await savePhotoOutcome(trx, waiting, photoId, { state: how, error: null });
}

/** Stores the outcome of a photo. */
export async function savePhotoOutcome(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  photoId: number,
  ended: { state: 'stored' | 'skipped' | 'failed'; error: Message | null },
): Promise<void> {
  await db
    .updateTable('drive_sync_photos')
    .set(ended)
    .where('sync_id', '=', syncId)
    .where('activity_id', '=', activityId)
    .where('photo_id', '=', photoId)
    .where('state', '=', 'waiting')
    .execute();
}

/** Removes a hidden or deleted photo from a sync. */
export async function removePhotoFromSync(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  photoId: number,
): Promise<void> {
  await db
    .deleteFrom('drive_sync_photos')
    .where('sync_id', '=', syncId)
    .where('activity_id', '=', activityId)
    .where('photo_id', '=', photoId)
    .where('state', '=', 'waiting')
    .execute();
}

/** Marks all waiting photos of an activity as failed. */
export async function failWaitingPhotos(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  error: Message,
): Promise<void> {
  await db
    .updateTable('drive_sync_photos')
    .set({ state: 'failed', error })
    .where('sync_id', '=', syncId)
    .where('activity_id', '=', activityId)
    .where('state', '=', 'waiting')
    .execute();
}

/** Stores the outcome of an activity. */
export async function saveActivityOutcome(
  db: Db,
  { syncId, activityId }: QueuedActivity,
  ended: { state: Exclude<SyncState, 'queued' | 'running'>; error: Message | null },
): Promise<void> {
  await db
    .updateTable('drive_sync_activities')
    .set(ended)
    .where('sync_id', '=', syncId)
    .where('activity_id', '=', activityId)
    .where('state', 'in', ['queued', 'running'])
    .execute();
}

/** Returns the activities of a sync that have not begun. */
export function listUnstartedActivities(db: Db, syncId: number): Promise<QueuedActivity[]> {
  return db
    .selectFrom('drive_sync_activities')
    .select(['sync_id as syncId', 'activity_id as activityId', 'name'])
    .where('sync_id', '=', syncId)
    .where('state', '=', 'queued')
    .execute();
}
