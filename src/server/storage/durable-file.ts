import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Atomically replaces a text file, mode 0600. After a crash the file has the old or the new content; after the return it has
 * the new content. Creates its folder if needed.
 */
export function writeDurably(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  // A file from an interrupted start would retain its mode.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes additions to and removals from a folder survive a crash. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Makes the content of a file, or the entries of a folder, survive a crash, without blocking other work. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a folder and its parents, mode 0700. Node's recursive mkdir hangs where nothing can be created (/proc). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if (!existsSync(path)) throw error;
  }
}
