import { randomBytes } from 'node:crypto';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { FileStorage } from '#server/storage/file-storage.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { SIZES, type Size } from '../contract.ts';
import { deleteOrphanedFileRows, findDueOrphanedFiles, findUsedKeys } from './orphaned-files-store.ts';
import type { Hashes } from './store.ts';

/**
 * A stored size with its format. Sizes with `isDeferred` are created after the upload (`renditions.ts`), so a photo may lack
 * them.
 */
export type StoredSize = Readonly<{
  size: Size;
  format: 'jpeg' | 'webp' | 'avif';
  side: number;
  type: string;
  ending: string;
  isDeferred?: true;
}>;

const JPEG = { format: 'jpeg', type: 'image/jpeg', ending: 'jpg' } as const;
const WEBP = { format: 'webp', type: 'image/webp', ending: 'webp' } as const;
const AVIF = { format: 'avif', type: 'image/avif', ending: 'avif' } as const;

/** All stored sizes with their formats, largest first. */
export const STORED_SIZES: readonly StoredSize[] = [
  { size: 'full', side: SIZES.full, ...JPEG },
  { size: 'view', side: SIZES.view, ...JPEG },
  { size: 'large', side: SIZES.large, ...AVIF, isDeferred: true },
  { size: 'screen', side: SIZES.screen, ...AVIF, isDeferred: true },
  { size: 'thumbnail', side: SIZES.thumbnail, ...WEBP },
];

/** The sizes created during the upload, and the sizes created later. */
export const UPLOAD_SIZES = STORED_SIZES.filter(({ isDeferred }) => isDeferred !== true);
export const DEFERRED_SIZES = STORED_SIZES.filter(({ isDeferred }) => isDeferred === true);

/** Returns the sizes that a photo has. */
export function storedSizesOf(sha256: Hashes): readonly StoredSize[] {
  return STORED_SIZES.filter(({ size, isDeferred }) => isDeferred !== true || sha256[size] !== null);
}

/** The preferences of a request: the minimum longest side in pixels, and its Accept header. */
export type ImagePreferences = Readonly<{ side: number; accept: string }>;

/**
 * Returns the file to send for a size, or undefined for an unknown size. For `view`, if the request accepts AVIF, it is the
 * smallest AVIF file that is large enough.
 */
export function chooseRendition(
  size: string,
  sha256: Hashes,
  preferences: ImagePreferences,
): StoredSize | undefined {
  const exact = STORED_SIZES.find((stored) => stored.size === size);
  if (exact?.size !== 'view' || !ACCEPTS_AVIF.test(preferences.accept)) return exact;
  const smaller = storedSizesOf(sha256)
    .filter(({ type }) => type === AVIF.type)
    .sort((a, b) => a.side - b.side);
  return smaller.find(({ side }) => side >= Math.min(preferences.side, exact.side)) ?? exact;
}

// Matches an Accept header that accepts AVIF, as Edge sends from version 121 on. A quality of 0 means not accepted.
const ACCEPTS_AVIF = /image\/avif(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))/;

const BATCH_SIZE = 100;
const KEY_BYTES = 16;
const KEY_LENGTH = 2 * KEY_BYTES;
const KEY = /^[0-9a-f]+$/;

/** Returns a random storage key that cannot be guessed. */
export function newStorageKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}

/** The name of a photo's stored file. */
export function fileName(storageKey: string, { size, ending }: StoredSize): string {
  return `${storageKey}-${size}.${ending}`;
}

/** The name of a photo's stored file of a size. */
export function fileOfSize(storageKey: string, size: Size): string {
  const stored = STORED_SIZES.find((one) => one.size === size);
  if (stored === undefined) throw new Error(`no photo is stored as ${size}`);
  return fileName(storageKey, stored);
}

/** Returns the storage key in a file name, or undefined for any other name. */
export function parseStorageKey(name: string): string | undefined {
  const key = name.slice(0, KEY_LENGTH);
  return KEY.test(key) && fileNames(key).includes(name) ? key : undefined;
}

/** The names of all files that a photo may have. */
export function fileNames(storageKey: string): string[] {
  return STORED_SIZES.map((stored) => fileName(storageKey, stored));
}

/** Removes all files of these photos. Ignores missing files. */
export async function removeFiles(files: FileStorage, storageKeys: readonly string[]): Promise<void> {
  for (const name of storageKeys.flatMap(fileNames)) await files.remove(name);
}

/** Returns when files that did not become photos may be removed, which is longer than any request lasts. */
export function orphanDueAt(now: Instant): Instant {
  return plusMilliseconds(now, 3_600_000);
}

/**
 * Removes files that belong to no photo: those of interrupted uploads, and of permanently deleted photos. A photo whose
 * renditions were interrupted keeps all its files.
 */
export async function removeLeftovers(
  deps: Pick<Deps, 'database' | 'files' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true) {
    const keys = await findDueOrphanedFiles(deps.database.db, deps.clock.now(), BATCH_SIZE);
    if (keys.length === 0) return;
    // A safeguard: recorded keys should have no photo, but deleting a photo's files by mistake would be the worst failure.
    const used = await findUsedKeys(deps.database.db, keys);
    await removeFiles(
      deps.files,
      keys.filter((key) => !used.has(key)),
    );
    await transaction(deps.database, (trx) => deleteOrphanedFileRows(trx, keys));
  }
}
