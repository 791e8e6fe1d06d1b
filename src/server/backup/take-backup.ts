import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Instant, millisecondsOf } from '#base/calendar-date.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/connect.ts';
import { DUMP_FILES, dumpDatabase } from '../db/dump/dump.ts';
import type { FileStore } from '../files/file-store.ts';
import { readSecretKey } from '../secret.ts';
import { ENCRYPTED, encryptFile } from './encryption.ts';
import { type Backup, backupsIn, MANIFEST_FILE, type Manifest, sha256Of, UNFINISHED } from './manifest.ts';

const UNFINISHED_KEPT_MS = 86_400_000;

/** What to back up, where to, and to whom it is encrypted. `photoFiles` names the files of the photos in a database. */
export type BackupPlan = Readonly<{
  config: Config;
  store: FileStore;
  photoFiles: (db: Db) => AsyncIterable<string>;
  /** The settings of this installation, as the environment names them. */
  settings: Readonly<Record<string, string>>;
  to: string;
  recipient: string | undefined;
  program: string;
  now: Instant;
}>;

/**
 * Backs up a district, which may be running, into `<to>/<moment>/`: the database as it is at one moment, then the
 * photos that it refers to, then the key and the settings. Photos that the previous backup has already are linked,
 * not copied. The folder gets its final name when everything in it is on the disk.
 */
export async function takeBackup(plan: BackupPlan): Promise<Backup> {
  await mkdir(plan.to, { recursive: true, mode: 0o700 });
  await removeUnfinished(plan);
  const folder = join(plan.to, plan.now.replaceAll(/[:.]/g, '-'));
  const work = `${folder}${UNFINISHED}`;
  await mkdir(work, { mode: 0o700 });
  try {
    const manifest = await fill(work, plan);
    await writeFile(join(work, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
    await syncFolder(work);
    await rename(work, folder);
    await sync(plan.to);
    return { folder, manifest };
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

// Left by a killed process. A younger one may still be in use.
async function removeUnfinished({ to, now }: BackupPlan): Promise<void> {
  for (const name of await readdir(to)) {
    if (!name.endsWith(UNFINISHED)) continue;
    const { mtimeMs } = await stat(join(to, name));
    if (mtimeMs < millisecondsOf(now) - UNFINISHED_KEPT_MS) await rm(join(to, name), { recursive: true });
  }
}

async function fill(work: string, plan: BackupPlan): Promise<Manifest> {
  const { config, recipient } = plan;
  const files: Manifest['files'] = [];
  const add = async (name: string) => {
    const path = join(work, name);
    await chmod(path, 0o600);
    files.push({ name, bytes: (await stat(path)).size, sha256: await sha256Of(path) });
  };
  const { dump, result: names } = await dumpDatabase(config, work, (db) => all(plan.photoFiles(db)));
  const database = await sealed(work, DUMP_FILES[dump.engine], recipient);
  await add(database);
  const photos = await addPhotos(work, names, plan, { files, add });
  await writeFile(join(work, 'settings.json'), JSON.stringify(plan.settings, null, 1), { mode: 0o600 });
  await add(await sealed(work, 'settings.json', recipient));
  const secretKey = readSecretKey(config);
  if (config.secretKey === undefined) {
    await writeFile(join(work, 'secret.key'), secretKey, { mode: 0o600 });
    await add(await sealed(work, 'secret.key', recipient));
  }
  return {
    format: 1,
    takenAt: plan.now,
    program: plan.program,
    node: process.version,
    encryptedTo: recipient ?? null,
    secretKey: {
      from: config.secretKey === undefined ? 'file' : 'environment',
      fingerprint: fingerprintOf(secretKey),
    },
    database: { engine: dump.engine, file: database, ...dump.facts },
    photos,
    files,
  };
}

/** Tells two keys apart without revealing either. */
export function fingerprintOf(secretKey: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('backup:'), secretKey]), 'hex');
}

type Filling = Readonly<{ files: Manifest['files']; add: (name: string) => Promise<void> }>;

async function addPhotos(work: string, names: readonly string[], plan: BackupPlan, { files, add }: Filling) {
  const before = backupsIn(plan.to).findLast(
    ({ manifest }) => manifest.encryptedTo === (plan.recipient ?? null),
  );
  const known = new Map(before?.manifest.files.map((file) => [file.name, file]));
  const missing: string[] = [];
  let bytes = 0;
  for (const photo of names) {
    const name = `photos/${photo.slice(0, 2)}/${photo}${plan.recipient === undefined ? '' : ENCRYPTED}`;
    await mkdir(dirname(join(work, name)), { recursive: true, mode: 0o700 });
    const there = known.get(name);
    if (
      there !== undefined &&
      before !== undefined &&
      (await linked(join(before.folder, name), join(work, name)))
    ) {
      files.push(there);
    } else if (await fetched(plan.store, photo, join(work, `photos/${photo.slice(0, 2)}/${photo}`))) {
      await sealed(work, `photos/${photo.slice(0, 2)}/${photo}`, plan.recipient);
      await add(name);
    } else {
      missing.push(photo);
      continue;
    }
    bytes += files.at(-1)?.bytes ?? 0;
  }
  return { files: names.length - missing.length, bytes, missing };
}

// A file in the store never changes under its name, so the previous backup's copy is the same.
async function linked(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    () =>
      copyFile(from, to).then(
        () => true,
        () => false,
      ),
  );
}

async function fetched(store: FileStore, name: string, to: string): Promise<boolean> {
  const file = await store.read(name);
  if (file === undefined) return false;
  await pipeline(file.content, createWriteStream(to, { mode: 0o600 }));
  return true;
}

// Encrypts a file in place when there is a recipient; returns its name afterwards.
async function sealed(work: string, name: string, recipient: string | undefined): Promise<string> {
  if (recipient === undefined) return name;
  await encryptFile(join(work, name), join(work, `${name}${ENCRYPTED}`), recipient);
  await rm(join(work, name));
  return `${name}${ENCRYPTED}`;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else await sync(path);
  }
  await sync(folder);
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
