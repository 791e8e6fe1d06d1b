import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fileName, fileNames, removeLeftovers, storedSizesOf } from '#features/photos/server/photo-files.ts';
import { HASH_COLUMNS, nextPhotoWithoutRenditions, toHashes } from '#features/photos/server/store.ts';
import type { Database } from '#server/db/database.ts';
import { systemClock } from '#server/deps.ts';
import { openPhotoFolder } from '#server/storage/open-file-storage.ts';
import { instantOf } from '#shared/calendar-date.ts';
import type { Place } from '../server-process.ts';

/** All rows of photos, and their storage keys. */
export async function photosIn({ db }: Database) {
  const rows = await db
    .selectFrom('photos')
    .select(['id', 'storage_key', ...HASH_COLUMNS])
    .execute();
  return { rows, keys: rows.map((row) => row.storage_key) };
}

/** The names of all stored files. */
export function filesIn(place: Place): string[] {
  const folder = join(place.dataDir, 'photos');
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      // Identifies the folder; only used with PostgreSQL.
      .filter((name) => name !== 'folder.id')
      .sort()
  );
}

/** The sorted names of the files that the photos' rows require. */
export async function namesIn(database: Database): Promise<string[]> {
  const { rows } = await photosIn(database);
  return rows
    .flatMap((row) => storedSizesOf(toHashes(row)).map((kept) => fileName(row.storage_key, kept)))
    .sort();
}

/** Waits until every photo has its renditions. */
export async function waitForRenditions({ db }: Database): Promise<void> {
  await expect.poll(() => nextPhotoWithoutRenditions(db, []), { timeout: 30_000 }).toBeUndefined();
}

/** Expects that confirmed photos exist, every row has its files, and every file belongs to a row or is queued for removal. */
export async function expectPhotos(database: Database, place: Place, confirmed: Set<number>): Promise<void> {
  const { rows, keys } = await photosIn(database);
  const ids = new Set(rows.map((row) => row.id));
  expect([...confirmed].filter((id) => !ids.has(id))).toEqual([]);
  for (const row of rows) {
    const hashes = toHashes(row);
    for (const kept of storedSizesOf(hashes)) {
      const name = fileName(row.storage_key, kept);
      const content = readFileSync(join(place.dataDir, 'photos', name.slice(0, 2), name));
      expect(createHash('sha256').update(content).digest('hex')).toBe(hashes[kept.size]);
    }
  }
  const queued = await database.db.selectFrom('orphaned_photo_files').select('storage_key').execute();
  const known = new Set([...keys, ...queued.map((row) => row.storage_key)].flatMap(fileNames));
  expect(filesIn(place).filter((name) => !known.has(name))).toEqual([]);
}

/** Runs the hourly cleanup, some hours later. */
export async function runCleanup(database: Database, place: Place): Promise<void> {
  const clock = { ...systemClock, now: () => instantOf(Date.now() + 2 * 3_600_000) };
  const files = openPhotoFolder(place);
  await removeLeftovers({ database, files, clock });
}
