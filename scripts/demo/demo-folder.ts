import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that the demo may not use, with the reason in a sentence. */
export class DemoFolderError extends Error {}

/** The file that marks a folder as the demo's, and says what is in it. */
const MARKER = 'made-by-the-demo.json';

/**
 * Makes a folder ready for demo data of a kind (`stamp`: its day, the generator's version). Data of that kind stays;
 * older demo data is deleted. A folder with anything that the demo did not make is refused untouched. Returns whether
 * the data must be made; call `markFilled` when it is.
 */
export function readyDemoFolder(folder: string, stamp: string): 'keep' | 'fill' {
  const isEmpty = !existsSync(folder) || readdirSync(folder).length === 0;
  if (!isEmpty) {
    if (!existsSync(join(folder, MARKER))) {
      throw new DemoFolderError(
        `${folder} was not made by the demo, so nothing in it is touched. Move it away, then start the demo again.`,
      );
    }
    if (stampOf(folder) === stamp) return 'keep';
    rmSync(folder, { recursive: true });
  }
  // Marked before it is filled, so that the folder of an interrupted start is recognized and filled again.
  mkdirSync(folder, { recursive: true });
  writeMarker(folder, null);
  return 'fill';
}

/** Marks a folder as filled with demo data of a kind. */
export function markFilled(folder: string, stamp: string): void {
  writeMarker(folder, stamp);
}

function writeMarker(folder: string, stamp: string | null): void {
  const text = JSON.stringify({ note: 'Demo data: remade when the day changes.', stamp });
  writeFileSync(join(folder, MARKER), `${text}\n`);
}

// A marker that cannot be read was being written when the machine stopped.
function stampOf(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, MARKER), 'utf8')).stamp;
  } catch {
    return null;
  }
}
