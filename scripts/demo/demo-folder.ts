import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The error for a folder with files that the demo did not make. */
export class DemoFolderError extends Error {}

/** The file that marks a folder as the demo's and contains the stamp of its data. */
const MARKER = 'made-by-the-demo.json';

/**
 * Prepares a folder for the demo data of a stamp (its day and the generator's version). Returns 'reuse' if it has that data.
 * Otherwise deletes older demo data and returns 'fill'; call `markFilled` afterwards. Throws a `DemoFolderError` if the folder
 * has files that the demo did not make.
 */
export function prepareDemoFolder(folder: string, stamp: string): 'reuse' | 'fill' {
  const isEmpty = !existsSync(folder) || readdirSync(folder).length === 0;
  if (!isEmpty) {
    if (!existsSync(join(folder, MARKER))) {
      throw new DemoFolderError(
        `${folder} was not made by the demo, so nothing in it is touched. Move it away, then start the demo again.`,
      );
    }
    if (stampOf(folder) === stamp) return 'reuse';
    rmSync(folder, { recursive: true });
  }
  // Marked before it is filled, so that an interrupted start can fill it again.
  mkdirSync(folder, { recursive: true });
  writeMarker(folder, null);
  return 'fill';
}

/** Marks a folder as filled with the data of a stamp. */
export function markFilled(folder: string, stamp: string): void {
  writeMarker(folder, stamp);
}

function writeMarker(folder: string, stamp: string | null): void {
  const text = JSON.stringify({ note: 'Demo data: remade when the day changes.', stamp });
  writeFileSync(join(folder, MARKER), `${text}\n`);
}

// A marker is unreadable if the machine stopped while it was written.
function stampOf(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, MARKER), 'utf8')).stamp;
  } catch {
    return null;
  }
}
