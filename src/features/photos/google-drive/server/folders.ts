import type { Deps } from '#server/deps.ts';
import { inDistrictLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { sign } from '#server/secrets.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { folderName, messages } from '../contract.ts';
import type { Drive, DriveFile, NewFile } from './drive-client.ts';
import { findActivityFolder, findRootFolder, saveActivityFolder, saveRootFolder } from './file-store.ts';
import { DriveFailure } from './google-errors.ts';
import type { ActivityToSync } from './sync-store.ts';

/** A private property of every file and folder that the app creates in Drive. It identifies the installation. */
export function districtProperty(deps: Deps): { district: string } {
  return { district: sign(deps.secretKey, 'drive-district', '').slice(0, 20) };
}

/**
 * Returns the folder of an activity: the stored one, even if it was renamed or moved, else one of ours that a search finds,
 * else a new one. The caller must have the activity's lease.
 */
export async function findOrCreateActivityFolder(
  deps: Deps,
  drive: Drive,
  activity: ActivityToSync,
): Promise<DriveFile> {
  const { db } = deps.database;
  const day = activity.activeFrom ?? dayIn(deps.config.timeZone, activity.createdAt);
  const properties = { ...districtProperty(deps), activity: String(activity.id) };
  const save = (id: string, isReady: boolean) => saveActivityFolder(db, activity.id, { id, isReady });
  const create = async (id: string) => {
    const parent = await findOrCreateRootFolder(deps, drive);
    return createOnce(drive, { id, name: folderName(activity.name, day), parent: parent.id, properties });
  };
  return findOrCreateFolder(drive, {
    known: await findActivityFolder(db, activity.id),
    properties,
    save,
    create,
  });
}

/** Returns the name for a new parent folder, which does not depend on the user who starts the sync. */
export function newFolderName(deps: Deps): string {
  return translate(inDistrictLanguage(deps), messages.rootFolder(deps.config.districtName));
}

/** Returns the parent folder of the activities' folders: the chosen one, else the one that the app created, else a new one. */
export async function findOrCreateRootFolder(deps: Deps, drive: Drive): Promise<DriveFile> {
  const { db } = deps.database;
  const known = await findRootFolder(db);
  if (known?.isChosen === true) {
    const chosen = await findUntrashed(drive, known.id);
    if (chosen !== undefined) return chosen;
  }
  let last = known?.id;
  const name = newFolderName(deps);
  const properties = { ...districtProperty(deps), role: 'root' };
  const save = async (id: string, isReady: boolean, folder?: DriveFile) => {
    await saveRootFolder(
      db,
      {
        id,
        name: folder?.name ?? name,
        url: folder === undefined ? '' : folderUrl(folder),
        isReady,
        isChosen: false,
      },
      last,
    );
    // Another process reserved an id first; both use that one.
    last = (await findRootFolder(db))?.id ?? id;
    return last;
  };
  return findOrCreateFolder(drive, {
    known: known === undefined || known.isChosen ? undefined : known,
    properties,
    save,
    create: () => createOnce(drive, { id: last ?? '', name, parent: undefined, properties }),
  });
}

/** Returns a folder by its id, unless it is missing or in the trash. */
export async function findUntrashed(drive: Drive, id: string): Promise<DriveFile | undefined> {
  const found = await drive.find(id);
  return found === undefined || found.trashed ? undefined : found;
}

/** Returns the address of a folder's page. */
export function folderUrl({ id, webViewLink }: DriveFile): string {
  return webViewLink !== undefined && /^https?:\/\//.test(webViewLink)
    ? webViewLink
    : `https://drive.google.com/drive/folders/${id}`;
}

type FolderRequest = Readonly<{
  known: { id: string; isReady: boolean } | undefined;
  properties: Readonly<Record<string, string>>;
  /** Stores an id before a folder is created with it, and again once the folder exists. */
  save: (id: string, isReady: boolean, folder?: DriveFile) => Promise<unknown>;
  create: (id: string) => Promise<DriveFile>;
}>;

async function findOrCreateFolder(
  drive: Drive,
  { known, properties, save, create }: FolderRequest,
): Promise<DriveFile> {
  const existing = known === undefined ? undefined : await findUntrashed(drive, known.id);
  const found = existing ?? (await searchFolder(drive, properties));
  if (found !== undefined) {
    await save(found.id, true, found);
    return found;
  }
  // A reserved id can still be used. The id of a folder that was removed cannot.
  const isUnused = known !== undefined && !known.isReady && (await drive.find(known.id)) === undefined;
  const id = isUnused ? known.id : await requestNewId(drive);
  await save(id, false);
  const created = await create(id);
  await save(created.id, true, created);
  return created;
}

// Finds a folder created before the database was restored from a backup, or before Drive was reconnected.
async function searchFolder(
  drive: Drive,
  properties: Readonly<Record<string, string>>,
): Promise<DriveFile | undefined> {
  for await (const folder of drive.search({ isFolder: true, properties })) return folder;
  return undefined;
}

// On a second attempt after a lost reply, the folder exists already.
async function createOnce(drive: Drive, folder: NewFile): Promise<DriveFile> {
  try {
    return await drive.makeFolder(folder);
  } catch (error) {
    if (!(error instanceof DriveFailure) || error.kind !== 'taken') throw error;
    const created = await findUntrashed(drive, folder.id);
    if (created === undefined) throw error;
    return created;
  }
}

async function requestNewId(drive: Drive): Promise<string> {
  const [id] = await drive.newIds();
  if (id === undefined) throw new DriveFailure('unexpected', 'no new ids');
  return id;
}
