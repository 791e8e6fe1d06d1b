import { createWriteStream, statSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Instant } from '#shared/calendar-date.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { DUMP_FILES, dumpDatabase } from '../db/dump/dump.ts';
import { storedKeyFingerprint } from '../secret-key-check.ts';
import { fingerprintOf, readSecretKey } from '../secrets.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import type { BackupFile, BackupStorage, BackupUpload } from './backup-storage.ts';
import { addDeletedAccounts, type DeletedAccount } from './deleted-accounts-list.ts';
import { ENCRYPTED, encryptFile } from './file-encryption.ts';
import { type Backup, BackupError, type Manifest, sha256Of } from './manifest.ts';

const LOOK_AT_GROWTH_MS = 5_000;

/** A photo file. If it is derived from another one, the storage may lack it. */
export type PhotoFile = Readonly<{ name: string; isDerived: boolean }>;

/** The plan of a backup: source, destination, and encryption recipient. `photoFiles` lists the photo files of a database. */
export type BackupPlan = Readonly<{
  config: Config;
  store: FileStorage;
  photoFiles: (db: Db) => AsyncIterable<PhotoFile>;
  districtName: (db: Db) => Promise<string>;
  /** Lists the deleted accounts of the database. */
  erasedAccounts: (db: Db) => Promise<readonly DeletedAccount[]>;
  /** The settings of this installation, by their environment names. */
  settings: Readonly<Record<string, string>>;
  storage: BackupStorage;
  recipient: string | undefined;
  program: string;
  /** Whether it is a nightly backup, which the server removes when it is old. */
  nightly: boolean;
  now: Instant;
  /** Called on progress with the number of stored photo files; null before the first. */
  onProgress: (photos: Readonly<{ done: number; total: number }> | null) => void;
}>;

/**
 * Backs up a running district: the database as of one moment, then the photos that it refers to, then the key and the settings.
 * Photos in the newest backup with the same key and recipient are not copied again. The backup counts only once everything is
 * stored; on failure all of it is removed.
 */
export async function createBackup(plan: BackupPlan): Promise<Backup> {
  const upload = await plan.storage.begin(plan.now);
  const timer = watchGrowth(upload.work, plan.onProgress);
  try {
    return await upload.finish(await fill(upload, plan));
  } catch (error) {
    await upload.discard();
    throw fullDisk(error) ?? error;
  } finally {
    clearInterval(timer);
  }
}

// The growing dump file is the only sign of progress while the database is copied.
function watchGrowth(work: string, onProgress: BackupPlan['onProgress']): NodeJS.Timeout {
  const paths = Object.values(DUMP_FILES).map((name) => join(work, name));
  let before = 0;
  return setInterval(() => {
    const sizes = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes !== before) onProgress(null);
    before = bytes;
  }, LOOK_AT_GROWTH_MS).unref();
}

const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'];

function fullDisk(error: unknown): BackupError | undefined {
  if (!(error instanceof Error)) return undefined;
  const isFull = ('code' in error && FULL.includes(error.code)) || /No space left/.test(error.message);
  return isFull ? new BackupError('The disk is full. The incomplete backup was removed') : undefined;
}

// Long because it lists every part of a backup in storage order.
async function fill(upload: BackupUpload, plan: BackupPlan): Promise<Manifest> {
  const { config, recipient } = plan;
  const { work } = upload;
  const files: BackupFile[] = [];
  const add = async (name: string) => {
    const path = join(work, name);
    await chmod(path, 0o600);
    const file = { name, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
    await upload.store(file);
    files.push(file);
  };
  const { dump, result } = await dumpDatabase(config, work, async (db) => ({
    photos: await collectAll(plan.photoFiles(db)),
    districtName: await plan.districtName(db),
    key: await storedKeyFingerprint(db),
    erased: await plan.erasedAccounts(db),
  }));
  const secretKey = readSecretKey(config);
  // Data encrypted with another key could never be decrypted.
  if (result.key !== undefined && result.key !== fingerprintOf(secretKey))
    throw new BackupError('SECRET_KEY: is not the key of this district. Use the same key as the server');
  const database = await encryptIfNeeded(work, DUMP_FILES[dump.engine], recipient);
  await add(database);
  plan.onProgress(null);
  const photos = await addPhotos(upload, result.photos, plan, { files, add });
  await writeFile(join(work, 'settings.json'), JSON.stringify(plan.settings, null, 1), { mode: 0o600 });
  await add(await encryptIfNeeded(work, 'settings.json', recipient));
  if (config.secretKey === undefined) {
    await writeFile(join(work, 'secret.key'), secretKey, { mode: 0o600 });
    await add(await encryptIfNeeded(work, 'secret.key', recipient));
  }
  await addDeletedAccounts(plan.storage, result.erased);
  return {
    format: 2,
    takenAt: upload.moment,
    program: plan.program,
    ...(plan.nightly ? { nightly: true } : {}),
    node: process.version,
    encryptedTo: recipient ?? null,
    districtName: result.districtName,
    secretKey: {
      from: config.secretKey === undefined ? 'file' : 'environment',
      fingerprint: fingerprintOf(secretKey),
    },
    database: { engine: dump.engine, file: database, ...dump.facts },
    photos,
    files,
  };
}

type Files = Readonly<{ files: BackupFile[]; add: (name: string) => Promise<void> }>;

async function addPhotos(
  upload: BackupUpload,
  photos: readonly PhotoFile[],
  plan: BackupPlan,
  { files, add }: Files,
) {
  const key = fingerprintOf(readSecretKey(plan.config));
  const before = (await plan.storage.backups()).findLast(
    ({ manifest: { encryptedTo, secretKey } }) =>
      encryptedTo === (plan.recipient ?? null) && secretKey.fingerprint === key,
  );
  const known = new Map(before?.manifest.files.map((file) => [file.name, file]));
  const missing: string[] = [];
  let [stored, bytes] = [0, 0];
  for (const [done, { name: photo, isDerived }] of photos.entries()) {
    plan.onProgress({ done, total: photos.length });
    const plain = `photos/${photo.slice(0, 2)}/${photo}`;
    const there = known.get(plan.recipient === undefined ? plain : `${plain}${ENCRYPTED}`);
    if (there !== undefined && before !== undefined && (await upload.reuse(there, before))) {
      files.push(there);
    } else if (await fetchPhoto(plan.store, photo, join(upload.work, plain))) {
      await add(await encryptIfNeeded(upload.work, plain, plan.recipient));
    } else {
      if (!isDerived) missing.push(photo);
      continue;
    }
    stored += 1;
    bytes += files.at(-1)?.bytes ?? 0;
  }
  return { files: stored, bytes, missing };
}

async function fetchPhoto(store: FileStorage, name: string, to: string): Promise<boolean> {
  const file = await store.read(name);
  if (file === undefined) return false;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await pipeline(file.content, createWriteStream(to, { mode: 0o600 }));
  return true;
}

// Encrypts a file in place if there is a recipient; returns its resulting name.
async function encryptIfNeeded(work: string, name: string, recipient: string | undefined): Promise<string> {
  if (recipient === undefined) return name;
  await encryptFile(join(work, name), join(work, `${name}${ENCRYPTED}`), recipient);
  await rm(join(work, name));
  return `${name}${ENCRYPTED}`;
}

async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
