import { sql } from 'kysely';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Instant } from '#shared/calendar-date.ts';

// A literal instead of a parameter, so that both engines use the partial index.
const IS_UNWANTED = sql<boolean>`is_unwanted = 1`;

/** The condition for a photo that every member of the school sees. Only such photos may be in Drive. */
export const VISIBLE_TO_SCHOOL = sql<boolean>`(photos.deleted_at is null and photos.review = 'visible')`;

/**
 * The parent folder of the activities' folders, which an administrator chose (`isChosen`) or the app creates. Until `isReady`,
 * its id is reserved but the folder may not exist yet.
 */
export type StoredRootFolder = Readonly<{
  id: string;
  name: string;
  url: string;
  isReady: boolean;
  isChosen: boolean;
}>;

/** The stored state of a photo's file in Drive. `session` is the encrypted address of an upload in chunks. */
export type StoredDriveFile = Readonly<{
  photoId: number;
  fileId: string;
  isStored: boolean;
  session: string | null;
}>;

/** Returns the parent of the activities' folders, or undefined if no id is stored. */
export async function findRootFolder(db: Db): Promise<StoredRootFolder | undefined> {
  const row = await db.selectFrom('drive_root').selectAll().where('id', '=', 1).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.folder_id,
    name: row.name,
    url: row.url ?? '',
    isReady: row.is_ready === 1,
    isChosen: row.is_chosen === 1,
  };
}

/** Stores the parent folder. Replaces only the one with the id `insteadOf`; undefined means that none is stored yet. */
export async function saveRootFolder(
  db: Db,
  root: StoredRootFolder,
  insteadOf: string | undefined,
): Promise<void> {
  const values = {
    folder_id: root.id,
    name: root.name,
    url: root.url,
    is_ready: root.isReady ? (1 as const) : (0 as const),
    is_chosen: root.isChosen ? (1 as const) : (0 as const),
  };
  if (insteadOf === undefined) {
    await db
      .insertInto('drive_root')
      .values({ id: 1, ...values })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    return;
  }
  await db.updateTable('drive_root').set(values).where('folder_id', '=', insteadOf).execute();
}

/** Deletes the stored parent folder. The next sync creates one, or finds the one it created. */
export async function deleteRootFolder(trx: Trx): Promise<void> {
  await trx.deleteFrom('drive_root').execute();
}

/** Returns the folder of an activity, or undefined if no id is stored. */
export async function findActivityFolder(
  db: Db,
  activityId: number,
): Promise<{ id: string; isReady: boolean } | undefined> {
  const row = await db
    .selectFrom('drive_folders')
    .select(['folder_id', 'is_ready'])
    .where('activity_id', '=', activityId)
    .executeTakeFirst();
  return row?.folder_id == null ? undefined : { id: row.folder_id, isReady: row.is_ready === 1 };
}

/** Stores the folder of an activity. The caller must have the activity's lease. */
export async function saveActivityFolder(
  db: Db,
  activityId: number,
  folder: { id: string; isReady: boolean },
): Promise<void> {
  await db
    .updateTable('drive_folders')
    .set({ folder_id: folder.id, is_ready: folder.isReady ? 1 : 0 })
    .where('activity_id', '=', activityId)
    .execute();
}

/**
 * Acquires the lease of an activity, so that no other process works on it. Returns false if another process has it and renewed
 * it recently.
 */
export async function takeLease(
  db: Db,
  activityId: number,
  { lease, now, until }: { lease: string; now: Instant; until: Instant },
): Promise<boolean> {
  await db
    .insertInto('drive_folders')
    .values({ activity_id: activityId })
    .onConflict((conflict) => conflict.column('activity_id').doNothing())
    .execute();
  return changesRows(
    db
      .updateTable('drive_folders')
      .set({ lease, leased_until: until })
      .where('activity_id', '=', activityId)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)])),
  );
}

/** Renews the lease of an activity. Returns false if another process has it now. */
export function renewLease(db: Db, activityId: number, lease: string, until: Instant): Promise<boolean> {
  return changesRows(
    db
      .updateTable('drive_folders')
      .set({ leased_until: until })
      .where('activity_id', '=', activityId)
      .where('lease', '=', lease),
  );
}

/** Releases the lease of an activity. */
export async function releaseLease(db: Db, activityId: number, lease: string): Promise<void> {
  await db
    .updateTable('drive_folders')
    .set({ lease: null, leased_until: null })
    .where('activity_id', '=', activityId)
    .where('lease', '=', lease)
    .execute();
}

/** The stored state of a photo's file in Drive. */
export async function findDriveFile(db: Db, photoId: number): Promise<StoredDriveFile | undefined> {
  const row = await db
    .selectFrom('drive_files')
    .select(['photo_id', 'file_id', 'is_stored', 'upload_session'])
    .where('photo_id', '=', photoId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    photoId: row.photo_id,
    fileId: row.file_id,
    isStored: row.is_stored === 1,
    session: row.upload_session,
  };
}

/**
 * Stores the Drive id of a photo, before and after uploading. Returns false if the photo is no longer visible to the school.
 * Locks the photo's row, so that a concurrent request to hide it finds the stored id.
 */
export async function reserveDriveFile(
  trx: Trx,
  file: { photoId: number; activityId: number; fileId: string; isStored: boolean },
): Promise<boolean> {
  const photo = await forUpdate(
    trx,
    trx.selectFrom('photos').select('id').where('id', '=', file.photoId).where(VISIBLE_TO_SCHOOL),
  ).executeTakeFirst();
  if (photo === undefined) return false;
  const values = {
    file_id: file.fileId,
    is_stored: file.isStored ? (1 as const) : (0 as const),
    is_unwanted: 0 as const,
    upload_session: null,
  };
  await trx
    .insertInto('drive_files')
    .values({ photo_id: file.photoId, activity_id: file.activityId, ...values })
    .onConflict((conflict) => conflict.column('photo_id').doUpdateSet(values))
    .execute();
  return true;
}

/** Stores the upload session of a photo that is sent in chunks. */
export async function saveUploadSession(db: Db, photoId: number, session: string | null): Promise<void> {
  await db
    .updateTable('drive_files')
    .set({ upload_session: session })
    .where('photo_id', '=', photoId)
    .execute();
}

/** Returns the ids of activities with files in Drive whose photos are hidden or deleted. Reads at most `limit` files. */
export async function listActivitiesWithUnwantedFiles(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('drive_files')
    .select('activity_id')
    .where(IS_UNWANTED)
    .orderBy('activity_id')
    .orderBy('photo_id')
    .limit(limit)
    .execute();
  return [...new Set(rows.map((row) => row.activity_id))];
}

/** Returns an activity's files in Drive whose photos are hidden or deleted; with `isStored`, only those known to be stored. */
export function listUnwantedFiles(
  db: Db,
  activityId: number,
  { isStored }: { isStored?: true } = {},
): Promise<{ photoId: number; fileId: string }[]> {
  return db
    .selectFrom('drive_files')
    .select(['photo_id as photoId', 'file_id as fileId'])
    .where('activity_id', '=', activityId)
    .where(IS_UNWANTED)
    .$if(isStored === true, (query) => query.where('is_stored', '=', 1))
    .execute();
}

/** Returns the photos among these that exist but are hidden or deleted, with their SHA-256. */
export async function findHiddenPhotos(db: Db, photoIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await collect(photoIds, (some) =>
    db
      .selectFrom('photos')
      .select(['id', 'sha256'])
      .where('id', 'in', some)
      .where((eb) => eb.not(VISIBLE_TO_SCHOOL))
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, row.sha256]));
}

/**
 * Deletes the state of a file that was removed from Drive. If the photo is visible again, the next sync copies it as a new
 * file.
 */
export async function deleteDriveFile(db: Db, photoId: number, fileId: string): Promise<void> {
  await db.deleteFrom('drive_files').where('photo_id', '=', photoId).where('file_id', '=', fileId).execute();
}

/** Returns the activities with a visible photo that is not in Drive yet. */
export async function listActivitiesToCopy(db: Db): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('activities')
    .select(['activities.id', 'activities.name'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('photos')
          .leftJoin('drive_files', 'drive_files.photo_id', 'photos.id')
          .select('photos.id')
          .whereRef('photos.activity_id', '=', 'activities.id')
          .where(VISIBLE_TO_SCHOOL)
          .where((inner) =>
            inner.or([inner('drive_files.photo_id', 'is', null), inner('drive_files.is_stored', '=', 0)]),
          ),
      ),
    )
    .orderBy('activities.id')
    .execute();
}
