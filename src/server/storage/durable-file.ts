import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a text file for this account alone, in place of what is there: after a crash it is the old one or the new one,
 * and after the return the new one. Makes its folder when there is none.
 */
export function writeDurably(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  // What an earlier start left half way would keep its mode.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes what was added to a folder, or removed from it, survive a crash. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Makes a folder for this account alone, with those above it. Node's own way hangs where nothing can be made (/proc). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}
