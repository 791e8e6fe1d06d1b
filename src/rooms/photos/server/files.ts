import { randomBytes } from 'node:crypto';
import { type Instant, plusMilliseconds } from '#base/calendar-date.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { SIZES, type Size } from '../contract.ts';
import { dueLeftovers, forgetLeftovers, usedAmong } from './leftover-store.ts';

/** The sizes that are kept, each with its format. */
export const KEPT: readonly { size: Size; format: 'jpeg' | 'webp'; side: number; type: string }[] = [
  { size: 'full', format: 'jpeg', side: SIZES.full, type: 'image/jpeg' },
  { size: 'view', format: 'jpeg', side: SIZES.view, type: 'image/jpeg' },
  { size: 'thumbnail', format: 'webp', side: SIZES.thumbnail, type: 'image/webp' },
];

const REMOVED_AT_ONCE = 100;

/** A random name that cannot be guessed. */
export function newStorageKey(): string {
  return randomBytes(16).toString('hex');
}

/** The name of a photo's file in the store. */
export function fileName(storageKey: string, { size, format }: (typeof KEPT)[number]): string {
  return `${storageKey}-${size}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** Every file that a photo has. */
export function fileNames(storageKey: string): string[] {
  return KEPT.map((kept) => fileName(storageKey, kept));
}

/** Removes every file of these photos; missing files are fine. */
export async function removeFiles(files: FileStore, storageKeys: readonly string[]): Promise<void> {
  for (const name of storageKeys.flatMap(fileNames)) await files.remove(name);
}

/** By when a noted upload must have become photos. Longer than any request lasts. */
export function uploadDue(now: Instant): Instant {
  return plusMilliseconds(now, 3_600_000);
}

/** Removes files that no photo has: of interrupted uploads, and of photos deleted for good. */
export async function removeLeftovers(deps: Pick<Deps, 'database' | 'files' | 'clock'>): Promise<void> {
  for (;;) {
    const keys = await dueLeftovers(deps.database.db, deps.clock.now(), REMOVED_AT_ONCE);
    if (keys.length === 0) return;
    // A safeguard: noted names should have no photo, and removing a picture by mistake would be the worst failure of
    // all.
    const used = await usedAmong(deps.database.db, keys);
    await removeFiles(
      deps.files,
      keys.filter((key) => !used.has(key)),
    );
    await transaction(deps.database, (trx) => forgetLeftovers(trx, keys));
  }
}
