import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import type { Config } from '../config.ts';
import { type Trx, transaction, withDatabase } from '../db/database.ts';
import { countFacts, describeDifferences } from '../db/dump/database-facts.ts';
import { DUMP_FILES, type Dump, detachDumpLog, openDump } from '../db/dump/dump.ts';
import { hasDatabase, loadDump, removeLoadedDatabase } from '../db/dump/load-dump.ts';
import { migrate } from '../db/migrate.ts';
import { fingerprintOf, readSecretKey } from '../secrets.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import { withoutSecrets } from './backup-status.ts';
import type { BackupStorage } from './backup-storage.ts';
import { decryptFile, ENCRYPTED } from './file-encryption.ts';
import { litestreamConfiguration, litestreamEnvironment, restoreFromLog } from './litestream.ts';
import { type Backup, BackupError, verifyFiles } from './manifest.ts';

/** Disk space needed for a restore, as a multiple of the backup's size. */
const SPACE_NEEDED = 1.2;
/** Disk space needed if the backup is first downloaded from a bucket. */
const SPACE_NEEDED_FETCHED = 2.2;

/**
 * A backup and the location to restore it to. `revokeLinks` revokes what must not survive a restore: sessions and emailed
 * links.
 */
export type RestorePlan = Readonly<{
  backup: Backup;
  storage: BackupStorage;
  config: Config;
  openStore: () => Promise<FileStorage>;
  revokeLinks: (trx: Trx) => Promise<void>;
  identity: string | undefined;
  /** A replicated log to restore the database from, instead of the backup's own dump. */
  log: ReplicatedLog | undefined;
}>;

/** A replicated log, the moment to stop at, and the environment with the key of its bucket. */
export type ReplicatedLog = Readonly<{
  from: string;
  at: Instant | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}>;

/** The moment that the restored database is from, and its contents. */
export type RestoreResult = Readonly<{
  moment: Instant;
  entries: number;
  photos: number;
  /** The settings of the server that made the backup. They are not applied. */
  settings: Readonly<Record<string, string>>;
}>;

/**
 * The backups to choose from: made at `at` or before, in the district whose key fingerprint starts with `district`. Backups
 * later than `now` are ignored: they were made while the clock was wrong, and would be the newest for years.
 */
export type BackupFilter = Readonly<{ at: Instant | undefined; district: string | undefined; now: Instant }>;

const KEY_SHOWN = 8;
/** How far ahead of this machine's clock a backup's time may be, because it may come from another machine. */
const CLOCKS_DIFFER_MS = 86_400_000;

/**
 * Finds the backup to restore: the one at the address itself, else the newest complete one of the named district, or of the
 * only district. Ignores backups of empty districts, which a start on a wrong folder creates. `from` names the storage in
 * errors. Throws `BackupError`.
 */
export async function findBackup(
  storage: BackupStorage,
  from: string,
  { at, district, now }: BackupFilter,
): Promise<Backup> {
  const itself = await storage.findOwn();
  if (itself !== undefined) return itself;
  const latest = at ?? plusMilliseconds(now, CLOCKS_DIFFER_MS);
  const found = (await storage.backups()).filter(({ manifest }) => manifest.takenAt <= latest);
  if (found.length === 0) {
    throw new BackupError(
      at === undefined
        ? `${from} contains no complete backup`
        : `${from} contains no complete backup from ${at} or earlier`,
    );
  }
  const full = found.filter(({ manifest: { database } }) => !isEmptyDistrict(database.rows));
  if (full.length === 0) {
    throw new BackupError(
      `${from} contains only backups of an empty district (no schools, no hours). To restore one anyway, name it: --from ${withoutSecrets(found.at(-1)?.folder ?? from)}`,
    );
  }
  const wanted = full.filter(({ manifest }) => manifest.secretKey.fingerprint.startsWith(district ?? ''));
  const newest = newestByDistrict(wanted);
  const [only, ...others] = newest;
  if (only !== undefined && others.length === 0) return only;
  const list = newestByDistrict(full).map((backup) => `\n  --district ${describe(backup)}`);
  const problem =
    only === undefined ? `no district ${district}` : 'several districts, or of one whose key was changed';
  throw new BackupError(`${from} contains backups of ${problem}. Choose one of these:${list.join('')}`);
}

function isEmptyDistrict(rows: Backup['manifest']['database']['rows']): boolean {
  return rows['time_entries'] === 0 && rows['schools'] === 0;
}

function newestByDistrict(backups: readonly Backup[]): Backup[] {
  return [
    ...new Map(backups.map((backup) => [backup.manifest.secretKey.fingerprint, backup] as const)).values(),
  ];
}

/** A district for the operator to choose: '3f9a1c42  Maple Grove, 20003 time entries, newest backup ...'. */
function describe({ manifest }: Backup): string {
  const { secretKey, districtName = 'name unknown', database, takenAt } = manifest;
  const entries = database.rows['time_entries'] ?? 0;
  return `${secretKey.fingerprint.slice(0, KEY_SHOWN)}  ${districtName}, ${entries} time entries, newest backup ${takenAt}`;
}

/**
 * Restores a backup into the configured empty location, on either engine, verifies the result against the manifest, and revokes
 * all sessions and emailed links. With `log` the database comes from that replica instead. On failure it empties the location
 * again and throws `BackupError` or `DatabaseError`.
 */
export async function restoreBackup(given: RestorePlan): Promise<RestoreResult> {
  const { config } = given;
  await requireEmptyPlace(config);
  requireRightKey(given);
  await requireDiskSpace(given);
  const work = await mkdtemp(join(config.dataDir, 'restoring-'));
  let restored: RestoreResult;
  try {
    const backup = await given.storage.fetch(given.backup, join(work, 'fetched'));
    await verifyFiles(backup);
    const plan = { ...given, backup };
    restored = await restoreDatabase(plan, work);
    if (backup.manifest.secretKey.from === 'file' && config.secretKey === undefined) {
      await copyFile(await decryptedFile(plan, 'secret.key', work), join(config.dataDir, 'secret.key'));
      await chmod(join(config.dataDir, 'secret.key'), 0o600);
    }
    await restorePhotos(plan, work);
    restored = {
      ...restored,
      settings: JSON.parse(await readFile(await decryptedFile(plan, 'settings.json', work), 'utf8')),
    };
  } catch (error) {
    await removeLoadedDatabase(config);
    for (const name of await ownEntries(config.dataDir)) {
      await rm(join(config.dataDir, name), { recursive: true, force: true });
    }
    throw error;
  }
  await rm(work, { recursive: true, force: true });
  return restored;
}

async function requireEmptyPlace(config: Config): Promise<void> {
  const there = existsSync(config.dataDir) ? await ownEntries(config.dataDir) : [];
  if (there.length > 0) {
    throw new BackupError(
      `DATA_DIR: ${config.dataDir} is not empty. Use an empty folder; the old one is not touched`,
    );
  }
  if (config.databaseUrl !== undefined && (await hasDatabase(config))) {
    throw new BackupError(
      'DATABASE_URL: the database is not empty. Use an empty one; the old one is not touched',
    );
  }
}

// A new ext4 disk contains only this folder.
async function ownEntries(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== 'lost+found');
}

// Data signed or encrypted with another key could never be read again.
function requireRightKey({ backup, config }: RestorePlan): void {
  const { from, fingerprint } = backup.manifest.secretKey;
  if (config.secretKey === undefined) {
    if (from === 'file') return;
    throw new BackupError(
      'SECRET_KEY: set it to the key used when the backup was made (see settings.json in the backup)',
    );
  }
  if (fingerprintOf(readSecretKey(config)) !== fingerprint) {
    throw new BackupError('SECRET_KEY: is not the key the backup was made with');
  }
}

async function requireDiskSpace({ backup, config }: RestorePlan): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(config.dataDir);
  const bytes = backup.manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const needed = bytes * (backup.folder.startsWith('s3:') ? SPACE_NEEDED_FETCHED : SPACE_NEEDED);
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
  throw new BackupError(
    `DATA_DIR: the backup needs ${megabytes(needed)} MB, and only ${megabytes(bavail * bsize)} MB are free`,
  );
}

async function restoreDatabase(plan: RestorePlan, work: string): Promise<RestoreResult> {
  const { config, backup } = plan;
  const { dump, moment } = await (plan.log === undefined
    ? ownDump(plan, work)
    : dumpFromLog(plan, plan.log, work));
  await loadDump({ ...dump, migration: dump.facts.migration }, config);
  await withDatabase(config, async (database) => {
    const found = describeDifferences(dump.facts, await countFacts(database.db));
    if (found.length > 0) throw new BackupError(`The backup is damaged: ${found[0]}`);
    // The following code needs the current tables.
    await migrate(database);
    await transaction(database, plan.revokeLinks);
  });
  return {
    moment,
    entries: dump.facts.rows['time_entries'] ?? 0,
    photos: backup.manifest.photos.files,
    settings: {},
  };
}

type Source = Readonly<{ dump: Dump; moment: Instant }>;

async function ownDump(plan: RestorePlan, work: string): Promise<Source> {
  const { database, takenAt } = plan.backup.manifest;
  const file = await decryptedFile(plan, database.file.replace(ENCRYPTED, ''), work);
  return { dump: { engine: database.engine, file, facts: database }, moment: takenAt };
}

// Litestream reads its configuration from a file, and the live one may be lost with the disk.
async function dumpFromLog(
  { backup }: RestorePlan,
  { from, at, environment: settings }: ReplicatedLog,
  work: string,
): Promise<Source> {
  const [named, file] = [join(work, 'named.db'), join(work, DUMP_FILES.sqlite)];
  const configuration = join(work, 'litestream.json');
  await writeFile(configuration, litestreamConfiguration({ file: named, to: from }), { mode: 0o600 });
  const environment = litestreamEnvironment(from, settings);
  const moment = await restoreFromLog({ configuration, environment, file: named, at, into: file });
  if (moment < backup.manifest.takenAt) {
    throw new BackupError(
      `--log: the copy ends at ${moment}, before the backup of ${backup.manifest.takenAt}; restore without --log`,
    );
  }
  detachDumpLog(file);
  const db = openDump(file);
  try {
    const facts = await countFacts(db);
    if (isEmptyDistrict(facts.rows) && !isEmptyDistrict(backup.manifest.database.rows)) {
      throw new BackupError(
        `--log: at ${moment} the copy holds a district without schools and hours, not that of the backup; name an earlier moment with --at`,
      );
    }
    return { dump: { engine: 'sqlite', file, facts }, moment };
  } finally {
    await db.destroy();
  }
}

async function restorePhotos(plan: RestorePlan, work: string): Promise<void> {
  const store = await plan.openStore();
  try {
    for (const { name } of plan.backup.manifest.files) {
      if (!name.startsWith('photos/')) continue;
      const plain = name.replace(ENCRYPTED, '');
      const path = await decryptedFile(plan, plain, work);
      // `put` moves the file, and the backup must keep its own.
      const copy = join(work, basename(plain));
      if (path !== copy) await copyFile(path, copy);
      await store.put(basename(plain), copy);
      await rm(copy, { force: true });
    }
  } finally {
    store.close();
  }
}

// A file of the backup, decrypted if necessary.
async function decryptedFile({ backup, identity }: RestorePlan, name: string, work: string): Promise<string> {
  if (backup.manifest.encryptedTo === null) return join(backup.folder, name);
  if (identity === undefined) {
    throw new BackupError('The backup is encrypted. Name the file with its key: --identity FILE');
  }
  const path = join(work, basename(name));
  await decryptFile(join(backup.folder, `${name}${ENCRYPTED}`), path, identity);
  return path;
}
