import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { type Bucket, openBucket } from '../storage/s3-bucket.ts';
import {
  type BackupFile,
  type BackupStorage,
  type BackupUpload,
  NOTE_BYTES,
  noteTooLargeError,
} from './backup-storage.ts';
import {
  type Backup,
  BackupError,
  folderName,
  MANIFEST_FILE,
  manifestText,
  parseManifest,
} from './manifest.ts';

const WORK = 'backing-up-';
/** Marks a backup in progress. While the mark exists no photo is removed, because that backup may reuse any of them. */
const BEGUN = 'begun';
const BEGUN_FOR_MS = 86_400_000;

type BucketPlace = Readonly<{ bucket: Bucket; name: string; root: string; dataDir: string }>;

/**
 * Backups under a prefix of a bucket: `s3://[key:secret@]bucket/prefix?endpoint=https://host&region=name`. Each stores its
 * manifest, database, settings and key in `<prefix>/<moment>/`. All share the photos in `<prefix>/photos/`, named by their
 * SHA-256, because a bucket has no links. Files are created in a folder of `dataDir` before the upload.
 */
export function openS3BackupStorage(address: string, dataDir: string): BackupStorage {
  const { host, pathname } = new URL(address);
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const bucket = openBucket(address);
  const place = { bucket, name: `s3://${host}/`, root: prefix === '' ? '' : `${prefix}/`, dataDir };
  return {
    backups: () => backupsOf(place),
    findOwn: () => readManifest(place, `${place.root}${MANIFEST_FILE}`),
    begin: (at) => begin(place, at),
    remove: (backups) => remove(place, backups),
    fetch: (backup, into) => fetchInto(place, backup, into),
    writeNote: async (name, text) => bucket.put(await keyOfNote(place, name), Buffer.from(text)),
    readNote: async (name) => {
      const key = await keyOfNote(place, name);
      const note = await bucket.read(key);
      return note === undefined ? undefined : readWholeNote(note.content, `${place.name}${key}`);
    },
    close: () => bucket.close(),
  };
}

// The address may name a single backup, below the storage's prefix.
async function keyOfNote(place: BucketPlace, name: string): Promise<string> {
  const isOne = (await readManifest(place, `${place.root}${MANIFEST_FILE}`)) !== undefined;
  const above = isOne ? dirname(place.root) : place.root;
  return above === '.' ? name : `${above.replace(/\/*$/, above === '' ? '' : '/')}${name}`;
}

async function readWholeNote(content: Readable, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    // Leaving the loop aborts the download.
    if (length > NOTE_BYTES) throw noteTooLargeError(path);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function backupsOf(place: BucketPlace): Promise<Backup[]> {
  const found: Backup[] = [];
  for await (const { key } of place.bucket.list(place.root)) {
    if (!/^[^/]+\/manifest\.json$/.test(key.slice(place.root.length))) continue;
    // Skip damaged backups.
    const backup = await readManifest(place, key).catch((error: unknown) => {
      if (error instanceof BackupError) return undefined;
      throw error;
    });
    if (backup !== undefined) found.push(backup);
  }
  return found.toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

async function readManifest({ bucket, name }: BucketPlace, key: string): Promise<Backup | undefined> {
  const file = await bucket.read(key);
  if (file === undefined) return undefined;
  const text = (await buffer(file.content)).toString();
  try {
    return { folder: `${name}${dirname(key)}`, manifest: parseManifest(text) };
  } catch {
    throw new BackupError(`${name}${key} is damaged or was not written by this program`);
  }
}

async function begin(place: BucketPlace, at: Instant): Promise<BackupUpload> {
  const { bucket, root, name } = place;
  const there = new Set<string>();
  for await (const { key } of bucket.list(root)) there.add(key);
  const folders = new Set([...there].map(dirname));
  let moment = at;
  while (folders.has(`${root}${folderName(moment)}`)) moment = plusMilliseconds(moment, 1);
  const folder = `${root}${folderName(moment)}`;
  const work = await workFolder(place, at);
  await bucket.put(`${folder}/${BEGUN}`, Buffer.from(moment));
  const made = [`${folder}/${BEGUN}`];
  return {
    moment,
    work,
    reuse: async (file) => there.has(photoKey(root, file)),
    store: async (file) => {
      const key = isPhoto(file) ? photoKey(root, file) : `${folder}/${file.name}`;
      if (!isPhoto(file)) made.push(key);
      if (!there.has(key)) await bucket.putFile(key, join(work, file.name));
      await rm(join(work, file.name));
    },
    finish: async (manifest) => {
      await bucket.put(`${folder}/${MANIFEST_FILE}`, Buffer.from(manifestText(manifest)));
      await bucket.remove(`${folder}/${BEGUN}`);
      await rm(work, { recursive: true, force: true });
      return { folder: `${name}${folder}`, manifest };
    },
    discard: async () => {
      await rm(work, { recursive: true, force: true });
      for (const key of made.toReversed()) await bucket.remove(key).catch(() => undefined);
    },
  };
}

// A folder older than a day was left by a killed process.
async function workFolder({ dataDir }: BucketPlace, now: Instant): Promise<string> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(WORK)) continue;
    const { mtimeMs } = await stat(join(dataDir, name));
    if (mtimeMs > millisecondsOf(now) - BEGUN_FOR_MS) continue;
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
  return mkdtemp(join(dataDir, WORK));
}

const isPhoto = ({ name }: BackupFile) => name.startsWith('photos/');

function photoKey(root: string, { sha256 }: BackupFile): string {
  return `${root}photos/${sha256.slice(0, 2)}/${sha256}`;
}

// Removes manifests first, because a backup without one does not count, and then everything that no backup refers to.
async function remove(place: BucketPlace, backups: readonly Backup[]): Promise<void> {
  const { bucket, root, name } = place;
  const removed = backups.map(({ folder }) => folder.slice(name.length));
  for (const folder of removed) await bucket.remove(`${folder}/${MANIFEST_FILE}`);
  const whole = await backupsOf(place);
  const photos = new Set(whole.flatMap(({ manifest }) => manifest.files.map((file) => photoKey(root, file))));
  const found = new Map<string, number>();
  for await (const { key, at } of bucket.list(root)) found.set(key, at);
  // Ages are relative to the storage's own clock.
  const newest = Math.max(...found.values());
  const isYoung = (key: string) => (found.get(key) ?? 0) > newest - BEGUN_FOR_MS;
  const begun = [...found.keys()].filter((key) => basename(key) === BEGUN);
  const abandoned = begun.filter((key) => !isYoung(key)).map(dirname);
  const isBusy = begun.some((key) => isYoung(key) && !found.has(`${dirname(key)}/${MANIFEST_FILE}`));
  const gone = new Set([...removed, ...abandoned]);
  for (const key of found.keys()) {
    if (found.has(`${dirname(key)}/${MANIFEST_FILE}`)) continue;
    const isLostPhoto = key.startsWith(`${root}photos/`) && !photos.has(key) && !isBusy;
    if (isLostPhoto || gone.has(dirname(key))) await bucket.remove(key);
  }
}

async function fetchInto({ bucket, name: at }: BucketPlace, backup: Backup, into: string): Promise<Backup> {
  const folder = backup.folder.slice(at.length);
  const root = dirname(folder) === '.' ? '' : `${dirname(folder)}/`;
  for (const file of backup.manifest.files) {
    const found = await bucket.read(isPhoto(file) ? photoKey(root, file) : `${folder}/${file.name}`);
    if (found === undefined) throw new BackupError(`The backup is damaged: ${file.name} is missing`);
    const path = join(into, file.name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(found.content, createWriteStream(path, { mode: 0o600 }));
  }
  return { folder: into, manifest: backup.manifest };
}
