import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { messages } from '../contract.ts';
import { driveErrorMessage } from './connection.ts';
import type { Drive, DriveFile } from './drive-client.ts';
import { drivePhotoName, PhotoFileMissing, uploadPhoto } from './drive-upload.ts';
import { findDriveFile, findHiddenPhotos, reserveDriveFile, type StoredDriveFile } from './file-store.ts';
import { districtProperty, findOrCreateActivityFolder, findUntrashed, folderUrl } from './folders.ts';
import { DriveFailure } from './google-errors.ts';
import {
  listPhotosToCopy,
  markPhotoStored,
  type PhotoToCopy,
  type QueuedActivity,
  removePhotoFromSync,
  savePhotoOutcome,
  saveSyncFolder,
} from './sync-queue-store.ts';
import { type ActivityToSync, findActivitiesToSync } from './sync-store.ts';

/** The number of photos that are copied to Drive at the same time. */
const PARALLEL_COPIES = 3;
const PAGE_SIZE = 50;
const MAX_RETRIES = 3;

/** The dependencies of copying one activity. `canContinue` is called before every photo. */
export type CopyContext = Readonly<{
  deps: Deps;
  drive: Drive;
  queued: QueuedActivity;
  canContinue: () => Promise<boolean>;
}>;

/**
 * Copies the remaining photos of an activity, a few at a time. Finishes running copies, then throws the first
 * `DriveFailure` that concerns more than one photo.
 */
export async function copyActivity(context: CopyContext): Promise<void> {
  const { deps, queued } = context;
  const [activity] = await findActivitiesToSync(deps.database.db, [queued.activityId]);
  if (activity === undefined) throw new DriveFailure('gone', 'the activity was deleted');
  const folders = createFolderSource(context, activity);
  const ids = createIdSource(context.drive);
  const photos = createPhotoSource(context);
  let failure: unknown;
  const copyPhotos = async () => {
    for (;;) {
      if (failure !== undefined || !(await context.canContinue())) return;
      const photo = await photos();
      if (photo === undefined) return;
      try {
        await copyPhoto({ ...context, folders, ids }, photo);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_COPIES }, copyPhotos));
  if (failure !== undefined) throw failure;
}

// The folder of an activity, with the files already in it.
type FolderContent = Readonly<{ folder: DriveFile; byId: Set<string>; byPhoto: Map<string, DriveFile> }>;

type FolderSource = Readonly<{
  current: () => Promise<FolderContent>;
  /** Replaces a folder that a user removed in Drive. */
  replace: (removed: FolderContent) => Promise<FolderContent>;
}>;

type CopyStep = CopyContext & Readonly<{ folders: FolderSource; ids: () => Promise<string> }>;

async function copyPhoto(step: CopyStep, photo: PhotoToCopy): Promise<void> {
  const { deps, queued } = step;
  try {
    await copyToFolder(step, photo);
  } catch (error) {
    if (error instanceof PhotoFileMissing) {
      deps.log.error({ photo: photo.id, failure: error.message }, 'could not copy a photo to Google Drive');
      await savePhotoOutcome(deps.database.db, queued, photo.id, {
        state: 'failed',
        error: messages.photoMissing,
      });
      return;
    }
    if (!(error instanceof DriveFailure) || !affectsOnePhoto(error)) throw error;
    deps.log.warn({ photo: photo.id, failure: error.message }, 'Google Drive did not accept a photo');
    await savePhotoOutcome(deps.database.db, queued, photo.id, {
      state: 'failed',
      error: driveErrorMessage(error),
    });
  }
}

// Any other failure would affect the next photo too.
function affectsOnePhoto({ kind }: DriveFailure): boolean {
  return kind === 'unexpected' || kind === 'gone' || kind === 'taken';
}

// Long because every outcome depends on the same folder content and reserved id, which a failure replaces.
async function copyToFolder(step: CopyStep, photo: PhotoToCopy): Promise<void> {
  const { deps, drive, queued, folders } = step;
  const { db } = deps.database;
  const markStored = (outcome: 'stored' | 'skipped') =>
    transaction(deps.database, (trx) => markPhotoStored(trx, queued, photo.id, outcome));
  let content = await folders.current();
  const stored = await findDriveFile(db, photo.id);
  if (stored !== undefined && (await isInDrive(drive, content, stored))) {
    return markStored(stored.isStored ? 'skipped' : 'stored');
  }
  // The app created this file before the database was restored or the account changed.
  const existing = content.byPhoto.get(String(photo.id));
  if (existing !== undefined && existing.appProperties['sha256'] === photo.sha256) {
    if (await reserveFile(step, photo, existing.id, true)) await markStored('skipped');
    return;
  }
  let reserved: StoredDriveFile | undefined =
    stored?.isStored === true ? await reserveNewFile(step, photo) : stored;
  reserved ??= await reserveNewFile(step, photo);
  for (let tries = 0; reserved !== undefined; tries += 1) {
    try {
      await uploadPhoto(deps, drive, {
        photo,
        file: {
          id: reserved.fileId,
          name: drivePhotoName(photo.originalName),
          parent: content.folder.id,
          properties: { ...districtProperty(deps), photo: String(photo.id), sha256: photo.sha256 },
        },
        session: reserved.session,
      });
      return await markStored('stored');
    } catch (error) {
      if (!(error instanceof DriveFailure) || tries >= MAX_RETRIES) throw error;
      if (error.kind === 'taken') {
        // Either the file was stored and only the reply was lost, or a user removed the file and its id cannot be used again.
        if ((await findUntrashed(drive, reserved.fileId)) !== undefined) return await markStored('stored');
        reserved = await reserveNewFile(step, photo);
      } else if (error.kind === 'gone') {
        content = await folders.replace(content);
        reserved = { ...reserved, session: null };
      } else throw error;
    }
  }
}

async function isInDrive(
  drive: Drive,
  content: FolderContent,
  { fileId, isStored }: StoredDriveFile,
): Promise<boolean> {
  if (content.byId.has(fileId)) return true;
  // The folder may not list the file, because a user moved it or Google's search does not find new files immediately.
  return isStored && (await findUntrashed(drive, fileId)) !== undefined;
}

async function reserveNewFile(step: CopyStep, photo: PhotoToCopy): Promise<StoredDriveFile | undefined> {
  const fileId = await step.ids();
  if (!(await reserveFile(step, photo, fileId, false))) return undefined;
  return { photoId: photo.id, fileId, isStored: false, session: null };
}

async function reserveFile(
  { deps, queued }: CopyStep,
  photo: PhotoToCopy,
  fileId: string,
  isStored: boolean,
): Promise<boolean> {
  const file = { photoId: photo.id, activityId: queued.activityId, fileId, isStored };
  const isVisible = await transaction(deps.database, (trx) => reserveDriveFile(trx, file));
  if (!isVisible) await removePhotoFromSync(deps.database.db, queued, photo.id);
  return isVisible;
}

function createFolderSource({ deps, drive, queued }: CopyContext, activity: ActivityToSync): FolderSource {
  let current: Promise<FolderContent> | undefined;
  const readFolder = async (): Promise<FolderContent> => {
    const folder = await findOrCreateActivityFolder(deps, drive, activity).catch((error: unknown) => {
      // A user may just have removed the parent folder, so this tries again with another one.
      if (error instanceof DriveFailure && error.kind === 'gone')
        return findOrCreateActivityFolder(deps, drive, activity);
      throw error;
    });
    await saveSyncFolder(deps.database.db, queued, { name: folder.name, url: folderUrl(folder) });
    const content = { folder, byId: new Set<string>(), byPhoto: new Map<string, DriveFile>() };
    for await (const file of drive.search({ parent: folder.id, driveId: folder.driveId })) {
      content.byId.add(file.id);
      const { photo, district } = file.appProperties;
      if (photo !== undefined && district === districtProperty(deps).district)
        content.byPhoto.set(photo, file);
    }
    await removeHiddenPhotos(deps, drive, content.byPhoto);
    return content;
  };
  const currentContent = () => {
    current ??= readFolder();
    return current;
  };
  return {
    current: currentContent,
    replace: async (removed) => {
      // Several photos may detect the removed folder at the same time.
      if (current !== undefined && (await current) === removed) current = undefined;
      return currentContent();
    },
  };
}

// Removes files of hidden photos that `drive_files` lacks, because the database was restored or a process ended right after
// storing them. Files without a photo in the database stay in Drive, since they may be the only copy left.
async function removeHiddenPhotos(deps: Deps, drive: Drive, byPhoto: Map<string, DriveFile>): Promise<void> {
  const hidden = await findHiddenPhotos(deps.database.db, [...byPhoto.keys()].map(Number));
  for (const [photo, file] of byPhoto) {
    if (hidden.get(Number(photo)) === file.appProperties['sha256']) await drive.remove(file.id);
  }
}

// One request returns a hundred ids, and unused ids cost nothing.
function createIdSource(drive: Drive): () => Promise<string> {
  let ids: string[] = [];
  let requesting: Promise<void> | undefined;
  const requestIds = async () => {
    ids = [...ids, ...(await drive.newIds())];
  };
  return async () => {
    while (ids.length === 0) {
      requesting ??= requestIds().finally(() => {
        requesting = undefined;
      });
      await requesting;
    }
    return ids.shift() ?? '';
  };
}

// Yields the photos one by one, reading a page at a time. Removes photos that were hidden meanwhile from the sync.
function createPhotoSource({ deps, queued }: CopyContext): () => Promise<PhotoToCopy | undefined> {
  let page: Awaited<ReturnType<typeof listPhotosToCopy>> = [];
  let last = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<PhotoToCopy | undefined> => {
    for (;;) {
      if (page.length === 0) page = await listPhotosToCopy(deps.database.db, queued, last, PAGE_SIZE);
      const photo = page.shift();
      if (photo === undefined) return undefined;
      last = photo.id;
      if (photo.storageKey !== null) return photo;
      await removePhotoFromSync(deps.database.db, queued, photo.id);
    }
  };
  return () => {
    const result = queue.then(next);
    queue = result.catch(() => undefined);
    return result;
  };
}
