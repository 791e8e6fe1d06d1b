import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { messages } from '../contract.ts';
import { saidOf } from './connection.ts';
import type { Drive, DriveFile } from './drive-client.ts';
import { drivePhotoName, PhotoFileMissing, uploadPhoto } from './drive-upload.ts';
import { findFile, findHiddenPhotos, type KeptFile, reserveDriveFile } from './file-store.ts';
import { districtMark, folderOf, linkOf, liveFolder } from './folders.ts';
import { DriveFailure } from './google-errors.ts';
import {
  endPhoto,
  markPhotoStored,
  noteFolder,
  type PhotoToCopy,
  photosToCopy,
  removePhotoFromSync,
  type Waiting,
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
  turn: Waiting;
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
  const place = placeIn(copying, activity);
  const ids = idsFrom(copying.drive);
  const photos = waitingPhotos(copying);
  let failure: unknown;
  const lane = async () => {
    for (;;) {
      if (failure !== undefined || !(await copying.mayGoOn())) return;
      const photo = await photos();
      if (photo === undefined) return;
      try {
        await copyPhoto({ ...copying, place, ids }, photo);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (failure !== undefined) throw failure;
}

// The folder of an activity, with the files already in it.
type Filled = Readonly<{ folder: DriveFile; byId: Set<string>; byPhoto: Map<string, DriveFile> }>;

type Place = Readonly<{
  now: () => Promise<Filled>;
  /** Replaces a folder that somebody removed. */
  insteadOf: (gone: Filled) => Promise<Filled>;
}>;

type Step = Copying & Readonly<{ place: Place; ids: () => Promise<string> }>;

async function copyPhoto(step: Step, photo: PhotoToCopy): Promise<void> {
  const { deps, turn } = step;
  try {
    await copyInto(step, photo);
  } catch (error) {
    if (error instanceof PhotoFileMissing) {
      deps.log.error({ photo: photo.id, failure: error.message }, 'a photo cannot be copied to Drive');
      await endPhoto(deps.database.db, turn, photo.id, { state: 'failed', error: messages.photoMissing });
      return;
    }
    if (!(error instanceof DriveFailure) || !isOfOnePhoto(error)) throw error;
    deps.log.warn({ photo: photo.id, failure: error.message }, 'a photo was not taken by Drive');
    await endPhoto(deps.database.db, turn, photo.id, { state: 'failed', error: saidOf(error) });
  }
}

// Any other failure would hit the next photo too.
function isOfOnePhoto({ kind }: DriveFailure): boolean {
  return kind === 'strange' || kind === 'gone' || kind === 'taken';
}

// Long because every outcome of a copy depends on the same plan, which a failure replaces.
async function copyInto(step: Step, photo: PhotoToCopy): Promise<void> {
  const { deps, drive, turn, place } = step;
  const { db } = deps.database;
  const note = (how: 'stored' | 'skipped') =>
    transaction(deps.database, (trx) => markPhotoStored(trx, turn, photo.id, how));
  let filled = await place.now();
  const kept = await findFile(db, photo.id);
  if (kept !== undefined && (await isThere(drive, filled, kept))) {
    return note(kept.isStored ? 'skipped' : 'stored');
  }
  // This product created it, but before the database was restored or the account changed.
  const twin = filled.byPhoto.get(String(photo.id));
  if (twin !== undefined && twin.appProperties['sha256'] === photo.sha256) {
    if (await plan(step, photo, twin.id, true)) await note('skipped');
    return;
  }
  let planned: KeptFile | undefined = kept?.isStored === true ? await anew(step, photo) : kept;
  planned ??= await anew(step, photo);
  for (let tries = 0; planned !== undefined; tries += 1) {
    try {
      await uploadPhoto(deps, drive, {
        photo,
        file: {
          id: planned.fileId,
          name: drivePhotoName(photo.originalName),
          parent: filled.folder.id,
          properties: { ...districtMark(deps), photo: String(photo.id), sha256: photo.sha256 },
        },
        session: planned.session,
      });
      return await note('stored');
    } catch (error) {
      if (!(error instanceof DriveFailure) || tries >= FOLDERS_TRIED) throw error;
      if (error.kind === 'taken') {
        // Either the file was stored and only the reply was lost, or somebody removed the file and the id cannot be
        // used again.
        if ((await liveFolder(drive, planned.fileId)) !== undefined) return await note('stored');
        planned = await anew(step, photo);
      } else if (error.kind === 'gone') {
        filled = await place.insteadOf(filled);
        planned = { ...planned, session: null };
      } else throw error;
    }
  }
}

async function isThere(drive: Drive, filled: Filled, { fileId, isStored }: KeptFile): Promise<boolean> {
  if (filled.byId.has(fileId)) return true;
  // A file may have been moved, and Google's search does not find a file that was stored a moment ago.
  return isStored && (await liveFolder(drive, fileId)) !== undefined;
}

async function anew(step: Step, photo: PhotoToCopy): Promise<KeptFile | undefined> {
  const fileId = await step.ids();
  if (!(await plan(step, photo, fileId, false))) return undefined;
  return { photoId: photo.id, fileId, isStored: false, session: null };
}

async function plan(
  { deps, turn }: Step,
  photo: PhotoToCopy,
  fileId: string,
  isStored: boolean,
): Promise<boolean> {
  const file = { photoId: photo.id, activityId: turn.activityId, fileId, isStored };
  const isWanted = await transaction(deps.database, (trx) => reserveDriveFile(trx, file));
  if (!isWanted) await removePhotoFromSync(deps.database.db, turn, photo.id);
  return isWanted;
}

function placeIn({ deps, drive, turn }: Copying, activity: ActivityToSync): Place {
  let current: Promise<Filled> | undefined;
  const fill = async (): Promise<Filled> => {
    const folder = await folderOf(deps, drive, activity).catch((error: unknown) => {
      // The parent folder was removed just now.
      if (error instanceof DriveFailure && error.kind === 'gone') return folderOf(deps, drive, activity);
      throw error;
    });
    await noteFolder(deps.database.db, turn, { name: folder.name, url: linkOf(folder) });
    const filled = { folder, byId: new Set<string>(), byPhoto: new Map<string, DriveFile>() };
    for await (const file of drive.search({ parent: folder.id, driveId: folder.driveId })) {
      filled.byId.add(file.id);
      const { photo, district } = file.appProperties;
      if (photo !== undefined && district === districtMark(deps).district) filled.byPhoto.set(photo, file);
    }
    await removeHidden(deps, drive, filled.byPhoto);
    return filled;
  };
  const now = () => {
    current ??= fill();
    return current;
  };
  return {
    now,
    insteadOf: async (gone) => {
      // Several photos may find out at the same time.
      if (current !== undefined && (await current) === gone) current = undefined;
      return now();
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
  let asking: Promise<void> | undefined;
  const ask = async () => {
    ids = [...ids, ...(await drive.newIds())];
  };
  return async () => {
    while (ids.length === 0) {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    }
    return ids.shift() ?? '';
  };
}

// Yields the photos one by one, reading a page at a time. A photo that was hidden meanwhile leaves the sync here.
function waitingPhotos({ deps, turn }: Copying): () => Promise<PhotoToCopy | undefined> {
  let page: Awaited<ReturnType<typeof photosToCopy>> = [];
  let last = 0;
  let turnstile: Promise<unknown> = Promise.resolve();
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
    const own = turnstile.then(next);
    turnstile = own.catch(() => undefined);
    return own;
  };
}
