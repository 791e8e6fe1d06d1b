import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'reserve';
const BYTES = 4_194_304;
/** The reserve is created only if this many times its size is free; otherwise it would fill the disk itself. */
const FREE_TIMES = 4;
const RECHECK_MS = 1_000;

/**
 * A file in the data folder that can be deleted to free space. On a full disk not even a row can be deleted, because a deletion
 * is first written to the log.
 */
export type DiskReserve = Readonly<{
  /** Whether the reserve is released and the disk has no room for it yet. Recreates it as soon as there is room. */
  isReleased: () => boolean;
  /** Frees the reserved space; false if it was already free. */
  release: () => boolean;
}>;

/** Opens the reserve of a data folder, creating it if there is room. */
export function openDiskReserve(dataDir: string): DiskReserve {
  const path = join(dataDir, FILE);
  let [isMissing, checkedAt] = [!hasReserve(path) && !createReserve(dataDir, path), performance.now()];
  return {
    isReleased: () => {
      // Another server process may have released it; a missing data folder is not a full disk.
      isMissing ||= !hasReserve(path) && existsSync(dataDir);
      if (!isMissing || performance.now() - checkedAt < RECHECK_MS) return isMissing;
      checkedAt = performance.now();
      isMissing = !createReserve(dataDir, path);
      return isMissing;
    },
    release: () => {
      if (!hasReserve(path)) return false;
      rmSync(path, { force: true });
      [isMissing, checkedAt] = [true, performance.now()];
      return true;
    },
  };
}

function hasReserve(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === BYTES;
}

// Random bytes, because a file of zeros may take no space at all.
function createReserve(dataDir: string, path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < BYTES * FREE_TIMES) return false;
    writeFileSync(path, randomBytes(BYTES), { mode: 0o600, flush: true });
    return hasReserve(path);
  } catch {
    rmSync(path, { force: true });
    return false;
  }
}
