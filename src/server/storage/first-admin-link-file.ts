import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LINK_MS = 24 * 3_600_000;

/** The file in the data folder that holds the first administrator's link while it is valid. */
export const FIRST_LINK_FILE = 'first-administrator.txt';

/**
 * Writes the link to a file that only the server's operating system account can read, because logs are archived and read by
 * more people. Returns the path.
 */
export function writeFirstLink(dataDir: string, link: string): string {
  const path = join(dataDir, FIRST_LINK_FILE);
  // An existing file would retain its mode.
  rmSync(path, { force: true });
  writeFileSync(path, `${link}\n`, { mode: 0o600 });
  return path;
}

/** Removes the file. With a token, only if the file contains that token. */
export function removeFirstLink(dataDir: string, token = ''): void {
  const path = join(dataDir, FIRST_LINK_FILE);
  if (!existsSync(path) || !readFileSync(path, 'utf8').includes(token)) return;
  rmSync(path, { force: true });
}

/** Removes the file when its link has expired. */
export function removeExpiredFirstLink(dataDir: string, nowMs: number): void {
  const found = statSync(join(dataDir, FIRST_LINK_FILE), { throwIfNoEntry: false });
  if (found !== undefined && found.mtimeMs < nowMs - LINK_MS) removeFirstLink(dataDir);
}
