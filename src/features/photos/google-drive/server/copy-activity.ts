import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { messages } from '../contract.ts';
import { driveErrorMessage } from './connection.ts';
import type { Drive, DriveFile } from './drive-client.ts';
import { drivePhotoName, PhotoFileMissing, uploadPhoto } from './drive-upload.ts';
import { findFile, findHiddenPhotos, type KeptFile, reserveDriveFile } from './file-store.ts';
import { districtMark, folderOf, linkOf, liveFolder } from './folders.ts';
import { DriveFailure } from './google-errors.ts';
import {
  endPhoto,
  markPhotoStored,
  type PhotoToCopy,
  photosToCopy,
  type QueuedActivity,
  removePhotoFromSync,
  saveSyncFolder,
} from './sync-queue-store.ts';
import { type ActivityToSync, activitiesToSync } from './sync-store.ts';

/** How many photos are copied to Drive at the same time. */
const AT_ONCE = 3;
const LOOKED_UP_AT_ONCE = 50;
const FOLDERS_TRIED = 3;

/** What copying one activity needs. `mayGoOn` is called before every photo. */
export type Copying = Readonly<{
  deps: Deps;
  drive: Drive;
  turn: QueuedActivity;
  mayGoOn: () => Promise<boolean>;
}>;

/**
 * Copies the remaining photos of an activity, a few at a time. Finishes running copies, then throws the first
 * `DriveFailure` that concerns more than one photo.
 */
export async function copyActivity(copying: Copying): Promise<void> {
  const { deps, turn } = copying;
  const [activity] = await activitiesToSync(deps.database.db, [turn.activityId]);
  if (activity === undefined) throw new DriveFailure('gone', 'the activity was deleted');
  const folders = createFolderSource(copying, activity);
  const ids = idsFrom(copying.drive);
  const photos = waitingPhotos(copying);
  let failure: unknown;
  const copyPhotos = async () => {
    for (;;) {
      if (failure !== undefined || !(await copying.mayGoOn())) return;
      const photo = await photos();
      if (photo === undefined) return;
      try {
        await copyPhoto({ ...copying, folders, ids }, photo);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyPhotos));
  if (failure !== undefined) throw failure;
}

// The folder of an activity, with the files already in it.
type FolderContent = Readonly<{ folder: DriveFile; byId: Set<string>; byPhoto: Map<string, DriveFile> }>;

type FolderSource = Readonly<{
  current: () => Promise<FolderContent>;
  /** Replaces a folder that somebody removed. */
  replace: (removed: FolderContent) => Promise<FolderContent>;
}>;

type Step = Copying & Readonly<{ folders: FolderSource; ids: () => Promise<string> }>;

async function copyPhoto(step: Step, photo: PhotoToCopy): Promise<void> {
  const { deps, turn } = step;
  try {
    await copyInto(step, photo);
  } catch (error) {
    if (error instanceof PhotoFileMissing) {
      deps.log.error({ photo: photo.id, failure: error.message }, 'could not copy a photo to Google Drive');
      await endPhoto(deps.database.db, turn, photo.id, { state: 'failed', error: messages.photoMissing });
      return;
    }
    if (!(error instanceof DriveFailure) || !isOfOnePhoto(error)) throw error;
    deps.log.warn({ photo: photo.id, failure: error.message }, 'Google Drive did not accept a photo');
    await endPhoto(deps.database.db, turn, photo.id, { state: 'failed', error: driveErrorMessage(error) });
  }
}

// Any other failure would hit the next photo too.
function isOfOnePhoto({ kind }: DriveFailure): boolean {
  return kind === 'strange' || kind === 'gone' || kind === 'taken';
}

// Long because every outcome of a copy depends on the same plan, which a failure replaces.
async function copyInto(step: Step, photo: PhotoToCopy): Promise<void> {
  const { deps, drive, turn, folders } = step;
  const { db } = deps.database;
  const markStored = (outcome: 'stored' | 'skipped') =>
    transaction(deps.database, (trx) => markPhotoStored(trx, turn, photo.id, outcome));
  let content = await folders.current();
  const stored = await findFile(db, photo.id);
  if (stored !== undefined && (await isInDrive(drive, content, stored))) {
    return markStored(stored.isStored ? 'skipped' : 'stored');
  }
  // This product created it, but before the database was restored or the account changed.
  const existing = content.byPhoto.get(String(photo.id));
  if (existing !== undefined && existing.appProperties['sha256'] === photo.sha256) {
    if (await reserveFile(step, photo, existing.id, true)) await markStored('skipped');
    return;
  }
  let reserved: KeptFile | undefined = stored?.isStored === true ? await reserveNewFile(step, photo) : stored;
  reserved ??= await reserveNewFile(step, photo);
  for (let tries = 0; reserved !== undefined; tries += 1) {
    try {
      await uploadPhoto(deps, drive, {
        photo,
        file: {
          id: reserved.fileId,
          name: drivePhotoName(photo.originalName),
          parent: content.folder.id,
          properties: { ...districtMark(deps), photo: String(photo.id), sha256: photo.sha256 },
        },
        session: reserved.session,
      });
      return await markStored('stored');
    } catch (error) {
      if (!(error instanceof DriveFailure) || tries >= FOLDERS_TRIED) throw error;
      if (error.kind === 'taken') {
        // Either the file was stored and only the reply was lost, or somebody removed the file and the id cannot be
        // used again.
        if ((await liveFolder(drive, reserved.fileId)) !== undefined) return await markStored('stored');
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
  { fileId, isStored }: KeptFile,
): Promise<boolean> {
  if (content.byId.has(fileId)) return true;
  // A file may have been moved, and Google's search does not find a file that was stored a moment ago.
  return isStored && (await liveFolder(drive, fileId)) !== undefined;
}

async function reserveNewFile(step: Step, photo: PhotoToCopy): Promise<KeptFile | undefined> {
  const fileId = await step.ids();
  if (!(await reserveFile(step, photo, fileId, false))) return undefined;
  return { photoId: photo.id, fileId, isStored: false, session: null };
}

async function reserveFile(
  { deps, turn }: Step,
  photo: PhotoToCopy,
  fileId: string,
  isStored: boolean,
): Promise<boolean> {
  const file = { photoId: photo.id, activityId: turn.activityId, fileId, isStored };
  const isVisible = await transaction(deps.database, (trx) => reserveDriveFile(trx, file));
  if (!isVisible) await removePhotoFromSync(deps.database.db, turn, photo.id);
  return isVisible;
}

function createFolderSource({ deps, drive, turn }: Copying, activity: ActivityToSync): FolderSource {
  let current: Promise<FolderContent> | undefined;
  const readFolder = async (): Promise<FolderContent> => {
    const folder = await folderOf(deps, drive, activity).catch((error: unknown) => {
      // The parent folder was removed just now.
      if (error instanceof DriveFailure && error.kind === 'gone') return folderOf(deps, drive, activity);
      throw error;
    });
    await saveSyncFolder(deps.database.db, turn, { name: folder.name, url: linkOf(folder) });
    const content = { folder, byId: new Set<string>(), byPhoto: new Map<string, DriveFile>() };
    for await (const file of drive.search({ parent: folder.id, driveId: folder.driveId })) {
      content.byId.add(file.id);
      const { photo, district } = file.appProperties;
      if (photo !== undefined && district === districtMark(deps).district) content.byPhoto.set(photo, file);
    }
    await removeHidden(deps, drive, content.byPhoto);
    return content;
  };
  const currentContent = () => {
    current ??= readFolder();
    return current;
  };
  return {
    current: currentContent,
    replace: async (removed) => {
      // Several photos may find out at the same time.
      if (current !== undefined && (await current) === removed) current = undefined;
      return currentContent();
    },
  };
}

// The database does not know them: it was restored, or a process ended right after storing. Files without a
// photo here stay in Drive, since they may be the only copy left.
async function removeHidden(deps: Deps, drive: Drive, byPhoto: Map<string, DriveFile>): Promise<void> {
  const hidden = await findHiddenPhotos(deps.database.db, [...byPhoto.keys()].map(Number));
  for (const [photo, file] of byPhoto) {
    if (hidden.get(Number(photo)) === file.appProperties['sha256']) await drive.remove(file.id);
  }
}

// A hundred ids cost one request, and unused ids cost nothing.
function idsFrom(drive: Drive): () => Promise<string> {
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

// Yields the photos one by one, reading a page at a time. A photo that was hidden meanwhile leaves the sync here.
function waitingPhotos({ deps, turn }: Copying): () => Promise<PhotoToCopy | undefined> {
  let page: Awaited<ReturnType<typeof photosToCopy>> = [];
  let last = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<PhotoToCopy | undefined> => {
    for (;;) {
      if (page.length === 0) page = await photosToCopy(deps.database.db, turn, last, LOOKED_UP_AT_ONCE);
      const photo = page.shift();
      if (photo === undefined) return undefined;
      last = photo.id;
      if (photo.storageKey !== null) return photo;
      await removePhotoFromSync(deps.database.db, turn, photo.id);
    }
  };
  return () => {
    const result = queue.then(next);
    queue = result.catch(() => undefined);
    return result;
  };
}
