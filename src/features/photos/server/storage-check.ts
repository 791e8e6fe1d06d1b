import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '#server/db/database.ts';
import type { FileStorage } from '#server/storage/file-storage.ts';
import { clearRenditions, type ExpectedFiles, findKnownKeys, iteratePhotos } from './orphaned-files-store.ts';
import { fileName, parseStorageKey, storedSizesOf } from './photo-files.ts';

/** A problem with a file: it is missing, damaged, or belongs to no photo. */
export type StorageFinding = Readonly<{
  kind: 'missing' | 'damaged' | 'stray';
  name: string;
  photoId: number | null;
}>;

/**
 * The result of a move. `copied` counts files that were missing or damaged at the destination, `present` those that were intact
 * there.
 */
export type MoveResult = Readonly<{ copied: number; present: number; findings: readonly StorageFinding[] }>;

const NAMES_AT_ONCE = 300;

/**
 * Reads every file of every photo and compares its SHA-256, then looks for files without a photo. Skips files written after
 * `strayBefore` (milliseconds since 1970), which may belong to a running upload. Does not report a missing rendition, because
 * the server creates it again.
 */
export async function* scrub(
  db: Db,
  store: FileStorage,
  strayBefore: number,
): AsyncGenerator<StorageFinding> {
  for await (const photo of iteratePhotos(db)) {
    for (const { name, sha256, isDerived } of filesOf(photo)) {
      const kind = await checkFile(store, name, sha256);
      if (kind === 'missing' && isDerived) await clearRenditions(db, photo.id);
      else if (kind !== 'whole') yield { kind, name, photoId: photo.id };
    }
  }
  yield* findStrays(db, store, strayBefore);
}

/**
 * Copies every file of every photo from one storage to another, reads each back and compares. Skips intact files at the
 * destination, so the move can be repeated at any time. With `remove`, deletes the files from the first storage once all of
 * them are in the second.
 */
export async function movePhotos(
  db: Db,
  from: FileStorage,
  to: FileStorage,
  { workFolder, remove }: { workFolder: string; remove: boolean },
): Promise<MoveResult> {
  const folder = await mkdtemp(join(workFolder, 'move-'));
  const findings: StorageFinding[] = [];
  let [copied, present] = [0, 0];
  try {
    for await (const photo of iteratePhotos(db)) {
      for (const file of filesOf(photo)) {
        if ((await checkFile(to, file.name, file.sha256)) === 'whole') {
          present++;
          continue;
        }
        const kind = await copyFile(from, to, file, join(folder, 'file'));
        if (kind === 'whole') copied++;
        else if (kind === 'missing' && file.isDerived) await clearRenditions(db, photo.id);
        else findings.push({ kind, name: file.name, photoId: photo.id });
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (remove && findings.length === 0) await removeAllPhotoFiles(db, from);
  return { copied, present, findings };
}

/** Yields every file of every photo, deleted or not. A derived file can be created again from the others. */
export async function* photoFiles(db: Db): AsyncGenerator<{ name: string; isDerived: boolean }> {
  for await (const photo of iteratePhotos(db)) {
    for (const { name, isDerived } of filesOf(photo)) yield { name, isDerived };
  }
}

type CheckedFile = Readonly<{ name: string; sha256: string | null; isDerived: boolean }>;

function filesOf(photo: ExpectedFiles): CheckedFile[] {
  return storedSizesOf(photo.sha256).map((stored) => ({
    name: fileName(photo.storageKey, stored),
    sha256: photo.sha256[stored.size],
    isDerived: stored.isDeferred === true,
  }));
}

async function checkFile(store: FileStorage, name: string, sha256: string | null) {
  const file = await store.read(name);
  if (file === undefined) return 'missing';
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of file.content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  const isWhole = bytes > 0 && (sha256 === null || hash.digest('hex') === sha256);
  return isWhole ? 'whole' : 'damaged';
}

async function copyFile(from: FileStorage, to: FileStorage, { name, sha256 }: CheckedFile, path: string) {
  const source = await from.read(name);
  if (source === undefined) return 'missing';
  const hash = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(source.content, measure, createWriteStream(path, { mode: 0o600 }));
  const actual = hash.digest('hex');
  if (sha256 !== null && actual !== sha256) return 'damaged';
  await to.put(name, path);
  return checkFile(to, name, actual);
}

async function removeAllPhotoFiles(db: Db, store: FileStorage): Promise<void> {
  for await (const { name } of photoFiles(db)) await store.remove(name);
}

async function* findStrays(db: Db, store: FileStorage, strayBefore: number): AsyncGenerator<StorageFinding> {
  let names: string[] = [];
  const unknown = async (): Promise<StorageFinding[]> => {
    const keyOf = (name: string) => parseStorageKey(name) ?? '';
    const known = await findKnownKeys(db, [...new Set(names.map(keyOf))]);
    return names
      .filter((name) => !known.has(keyOf(name)))
      .map((name) => ({ kind: 'stray' as const, name, photoId: null }));
  };
  for await (const { name, at } of store.list()) {
    if (parseStorageKey(name) === undefined || at > strayBefore) continue;
    names.push(name);
    if (names.length < NAMES_AT_ONCE) continue;
    yield* await unknown();
    names = [];
  }
  if (names.length > 0) yield* await unknown();
}
