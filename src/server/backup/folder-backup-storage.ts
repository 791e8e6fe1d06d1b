import { existsSync, statSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { errorCode, errorMessage } from '#shared/errors.ts';
import { syncPath, writeDurably } from '../storage/durable-file.ts';
import { type BackupStorage, type BackupUpload, NOTE_BYTES, noteTooLargeError } from './backup-storage.ts';
import {
  type Backup,
  BackupError,
  backupsIn,
  folderName,
  MANIFEST_FILE,
  manifestText,
  readBackup,
  UNFINISHED,
} from './manifest.ts';

const UNFINISHED_KEPT_MS = 86_400_000;
const MOMENTS_TRIED = 1_000;

/** Backups in a local folder, each a subfolder. Photos are hard-linked between them. */
export function openFolderBackupStorage(folder: string): BackupStorage {
  return {
    backups: async () => backupsIn(folder),
    findOwn: async () => (existsSync(join(folder, MANIFEST_FILE)) ? readBackup(folder) : undefined),
    begin: async (at) => {
      await makeFolder(folder);
      await removeUnfinished(folder, at);
      return begin(folder, at);
    },
    remove: async (backups) => {
      for (const backup of backups) await remove(backup);
    },
    fetch: async (backup) => backup,
    writeNote: async (name, text) => {
      const place = rootOf(folder);
      // Creating the folder here would hide that the backup disk is not mounted.
      if (!existsSync(place)) throw new BackupError(`${place} does not exist`);
      writeDurably(join(place, name), text);
    },
    readNote: async (name) => {
      const path = join(rootOf(folder), name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      if (!found.isFile() || found.size > NOTE_BYTES) throw noteTooLargeError(path);
      return readFile(path, 'utf8');
    },
    close: () => undefined,
  };
}

// The address may name a single backup.
function rootOf(folder: string): string {
  return existsSync(join(folder, MANIFEST_FILE)) ? dirname(folder) : folder;
}

async function makeFolder(folder: string): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new BackupError(`${folder} is a file, not a folder`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BackupError(`${folder} cannot be created (${errorMessage(error)})`);
  }
}

// A killed process leaves these folders. A recent one may still be in use.
async function removeUnfinished(folder: string, now: Instant): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found === undefined || found.mtimeMs > millisecondsOf(now) - UNFINISHED_KEPT_MS) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function begin(folder: string, at: Instant): Promise<BackupUpload> {
  const moment = await claimMoment(folder, at);
  const final = join(folder, folderName(moment));
  const work = `${final}${UNFINISHED}`;
  return {
    moment,
    work,
    reuse: ({ name }, earlier) => linkOrCopy(join(earlier.folder, name), join(work, name)),
    store: async () => undefined,
    finish: async (manifest) => {
      await writeFile(join(work, MANIFEST_FILE), manifestText(manifest), { mode: 0o600 });
      await syncFolder(work);
      await rename(work, final);
      await syncPath(folder);
      return { folder: final, manifest };
    },
    discard: () => rm(work, { recursive: true, force: true }),
  };
}

// Backups that begin in the same millisecond get distinct timestamps.
async function claimMoment(folder: string, at: Instant): Promise<Instant> {
  for (let later = 0; later < MOMENTS_TRIED; later += 1) {
    const moment = plusMilliseconds(at, later);
    const final = join(folder, folderName(moment));
    if (existsSync(final)) continue;
    try {
      await mkdir(`${final}${UNFINISHED}`, { mode: 0o700 });
      return moment;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') continue;
      throw new BackupError(`${folder} cannot be written (${errorMessage(error)})`);
    }
  }
  throw new BackupError(`${folder} contains too many backups from ${at}`);
}

// Remove the manifest first, because a folder without one is not a backup. The next backup cleans up the rest, under its new
// name.
async function remove({ folder }: Backup): Promise<void> {
  await rename(join(folder, MANIFEST_FILE), join(folder, `${MANIFEST_FILE}.removed`));
  await rename(folder, `${folder}${UNFINISHED}`);
  await rm(`${folder}${UNFINISHED}`, { recursive: true });
}

// A stored file never changes under its name, so the previous backup's copy is identical.
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return link(from, to).then(
    () => true,
    () =>
      copyFile(from, to).then(
        () => true,
        () => false,
      ),
  );
}

async function syncFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) await syncPath(join(folder, name));
  await syncPath(folder);
}
