import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#shared/errors.ts';
import { SQLITE_FILE } from '../db/database.ts';
import { LOCK_FILE } from '../db/sqlite/folder-lock.ts';
import { FIRST_LINK_FILE } from './first-admin-link-file.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const SHARED_BY_ALL = 0o1000;

// The files that this product creates in its data folder. The operator may have chosen a folder with other files, so those are
// left alone.
const FILES = [
  SQLITE_FILE,
  `${SQLITE_FILE}-wal`,
  `${SQLITE_FILE}-shm`,
  'database.mark',
  'secret.key',
  'secret.key.new',
  'reserve',
  LOCK_FILE,
  FIRST_LINK_FILE,
];
const FOLDERS = ['backups', 'outbox', 'photos', 'uploads'];

/** Makes everything that this process creates from now on unreadable for other accounts of the machine. */
export function setPrivateUmask(): void {
  process.umask(OTHERS);
}

/**
 * Makes the data folder, and the product's files in it, private: folders 0700, files 0600. Does not follow symbolic links.
 * Returns the paths that it `closed` to others, and those where that `failed`.
 */
export function restrictDataFolder(dataDir: string): {
  closed: readonly string[];
  failed: readonly string[];
} {
  const closed: string[] = [];
  const failed: string[] = [];
  const close = (path: string, mode: number): void => {
    try {
      const found = lstatSync(path);
      if (found.isSymbolicLink() || (found.mode & OTHERS) === 0) return;
      if ((found.mode & SHARED_BY_ALL) !== 0) throw new Error('a folder that all accounts share');
      chmodSync(path, mode);
      closed.push(path);
    } catch (error) {
      // A closed database has no log file.
      if (!isAbsent(error)) failed.push(path);
    }
  };
  const closeAll = (folder: string): void => {
    close(folder, FOLDER_MODE);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) closeAll(path);
      else if (entry.isFile()) close(path, FILE_MODE);
    }
  };
  close(dataDir, FOLDER_MODE);
  for (const name of FILES) close(join(dataDir, name), FILE_MODE);
  for (const name of FOLDERS) closeAll(join(dataDir, name));
  return { closed, failed };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}
