import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '#shared/errors.ts';
import { withErrorListener } from '../process/error-listener.ts';
import { syncPath } from './durable-file.ts';
import { type FileEntry, type FileStorage, requireFileName } from './file-storage.ts';

/**
 * A file store in a folder, with subfolders named by the first two characters of a file. Files appear atomically: new content
 * is synced and renamed into place, then the folder is synced. `put` moves its source, which must be on the same disk.
 */
export function openDiskStorage(folder: string): FileStorage {
  const pathOf = (name: string) => join(folder, requireFileName(name).slice(0, 2), name);
  const synced = new Set<string>();
  // A folder is an entry in its parent folder, which must be durable too. An existing folder proves nothing,
  // because an earlier start may have created it and crashed before the entry was synced. So each start syncs
  // it once.
  const makeFolder = async (path: string): Promise<void> => {
    const made = await mkdir(path, { recursive: true, mode: 0o700 });
    if (made === undefined && synced.has(path)) return;
    if (path !== folder) await makeFolder(folder);
    await syncPath(dirname(path));
    synced.add(path);
  };
  return {
    put: async (name, source) => {
      const path = pathOf(name);
      await syncPath(source);
      await makeFolder(dirname(path));
      await rename(source, path);
      await syncPath(dirname(path));
    },
    read: async (name) => {
      const file = await open(pathOf(name), 'r').catch(undefinedIfMissing);
      if (file === undefined) return undefined;
      try {
        const { size } = await file.stat();
        return { content: withErrorListener(file.createReadStream()), bytes: size };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: () => listFiles(folder),
    check: async () => {
      await makeFolder(folder);
    },
    close: () => {},
  };
}

async function* listFiles(folder: string): AsyncGenerator<FileEntry> {
  for (const part of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
    // Only subfolders named by the first two characters of their files.
    if (part.length !== 2) continue;
    for (const name of await readdir(join(folder, part))) {
      const found = await stat(join(folder, part, name)).catch(undefinedIfMissing);
      if (found !== undefined) yield { name, at: found.mtimeMs };
    }
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
