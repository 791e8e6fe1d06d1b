// npm run restore -- --from FOLDER [--at MOMENT] [--district KEY] [--log COPY] [--identity FILE]. The settings, as for
// `npm start`, name the target.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { storeDistrictIdentity } from '#app/server/district-identity-check.ts';
import { revokeRestoredLinks } from '#app/server/revoke-restored-links.ts';
import { type StorageFinding, scrub } from '#features/photos/server/storage-check.ts';
import { recordDeletionForRestore } from '#features/privacy/server/reapplied-deletions.ts';
import { withoutSecrets } from '#server/backup/backup-status.ts';
import { type DeletedAccountsList, readDeletedAccounts } from '#server/backup/deleted-accounts-list.ts';
import { BackupError, type Manifest } from '#server/backup/manifest.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { findBackup, type RestoreResult, restoreBackup } from '#server/backup/restore-backup.ts';
import { writeRestoreTest } from '#server/backup/restore-test-record.ts';
import { type Config, ConfigError, readConfig, settingsIn } from '#server/config.ts';
import { DatabaseError, openDatabase } from '#server/db/database.ts';
import { systemClock } from '#server/deps.ts';
import { confirmClock } from '#server/jobs/clock-guard.ts';
import { openFileStorage } from '#server/storage/open-file-storage.ts';
import { dayIn, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { errorCode, errorMessage } from '#shared/errors.ts';

const USAGE =
  'Usage: npm run restore -- --from FOLDER [--at 2026-03-04T18:00:00Z] [--district KEY] [--log COPY] [--identity FILE]';
const MAIN = join(import.meta.dirname, '../src/app/server/main.ts');
const READY_WITHIN_MS = 120_000;
const RETRY_MS = 100;
/** Settings that a restore changes on purpose. */
const TARGET_SETTINGS = ['DATA_DIR', 'DATABASE_URL'];

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isExpected = [BackupError, ConfigError, DatabaseError].some((kind) => error instanceof kind);
  const isSystemError = errorCode(error) !== undefined;
  if (!isExpected && !isSystemError) throw error;
  console.error(`Nothing was restored. ${error instanceof Error ? error.message : ''}`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given?.from === undefined) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  const restored = await restoreFrom(given.from, config, given);
  const { entries, photos, moment } = restored;
  console.log(`Restored ${entries} time entries and ${photos} photo files as of ${moment}`);
  console.log(`This machine's clock says ${systemClock.now()}. If that is wrong, set it before you start.`);
  const different = findDifferentSettings(restored.settings);
  if (different.length > 0) {
    console.log(
      `Settings are not restored. These were different when the backup was made (see settings.json in the backup): ${different.join(', ')}`,
    );
  }
  const lost = await checkPhotos(config);
  await tryStart();
  console.log(
    'The restored district works. Everyone has to sign in again, and emailed links and invitations no longer work.',
  );
  for (const line of deletionLines(restored)) console.log(line);
  if (lost > 0) return 1;
  await recordRestoreTest(given.from, config, restored.manifest);
  return 0;
}

function deletionLines({ erasures, erasedAgain }: Awaited<ReturnType<typeof restoreFrom>>): string[] {
  if (erasures === undefined) {
    return [
      'There is no list of deleted people next to the backup. Anyone deleted after that time is back: delete them in Users before you reopen the site.',
    ];
  }
  return [
    `People who were deleted after that time and have been deleted again: ${erasedAgain}`,
    ...(erasures.unreadable === 0
      ? []
      : [
          `The list of deleted people is damaged (${erasures.unreadable} lines), so some deleted people may be back.`,
        ]),
  ];
}

function findDifferentSettings(settings: RestoreResult['settings']): string[] {
  const here = settingsIn(process.env);
  const names = new Set([...Object.keys(settings), ...Object.keys(here)]);
  return [...names]
    .filter((name) => !TARGET_SETTINGS.includes(name) && settings[name] !== here[name])
    .toSorted();
}

// The server that makes the backups reads there when one was last restored.
async function recordRestoreTest(from: string, config: Config, manifest: Manifest): Promise<void> {
  const storage = await openBackupStorage(from, config.dataDir);
  try {
    await writeRestoreTest(storage, manifest, systemClock.now());
  } catch (error) {
    const reason = errorMessage(error);
    console.log(`Could not record the restore next to the backup (${reason})`);
  } finally {
    storage.close();
  }
}

async function restoreFrom(
  from: string,
  config: Config,
  given: Partial<Record<'at' | 'district' | 'identity' | 'log', string | undefined>>,
): Promise<
  RestoreResult & { manifest: Manifest; erasures: DeletedAccountsList | undefined; erasedAgain: number }
> {
  const at = given.at === undefined ? undefined : parseMoment(given.at);
  const identity = given.identity === undefined ? undefined : readKey(given.identity);
  const storage = await openBackupStorage(from, config.dataDir);
  try {
    const backup = await findBackup(storage, withoutSecrets(from), {
      at,
      district: given.district,
      now: systemClock.now(),
    });
    const erasures = await readDeletedAccounts(storage);
    let erasedAgain = 0;
    const restored = await restoreBackup({
      backup,
      storage,
      config,
      openStore: () => openFileStorage(config),
      revokeLinks: async (trx) => {
        const now = systemClock.now();
        await revokeRestoredLinks(trx, dayIn(config.timeZone, now));
        // The first start deletes them, which is the trial start below.
        erasedAgain = await recordDeletionForRestore(trx, erasures?.accounts ?? [], now);
        // Otherwise an old backup would look like a clock that jumped. The person who restores reads the date on screen.
        await confirmClock(trx, now);
      },
      identity,
      log: given.log === undefined ? undefined : { from: given.log, at, environment: process.env },
    });
    // A person who restores confirms that this folder belongs to this district.
    storeDistrictIdentity(config, backup.manifest.secretKey.fingerprint);
    return { ...restored, manifest: backup.manifest, erasures, erasedAgain };
  } finally {
    storage.close();
  }
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { from: text, at: text, district: text, identity: text, log: text } })
      .values;
  } catch {
    return undefined;
  }
}

function parseMoment(text: string) {
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new BackupError(`--at: '${text}' is not a valid time. Use a form such as 2026-03-04T18:00:00Z`);
  return instantOf(at);
}

// Reads a file of age-keygen, which has comments and one key.
function readKey(path: string): string {
  const key = readFileSync(path, 'utf8').match(/^AGE-SECRET-KEY-1[A-Z0-9]+$/m)?.[0];
  if (key === undefined)
    throw new BackupError(`--identity: ${path} contains no age key (AGE-SECRET-KEY-1...)`);
  return key;
}

/** Compares every photo with its SHA-256; returns how many files are missing or damaged. */
async function checkPhotos(config: Config): Promise<number> {
  const [database, store] = [await openDatabase(config), await openFileStorage(config)];
  const lost: StorageFinding[] = [];
  try {
    for await (const finding of scrub(database.db, store, millisecondsOf(systemClock.now()))) {
      console.log(`${finding.name} is ${finding.kind}`);
      if (finding.kind !== 'stray') lost.push(finding);
    }
  } finally {
    store.close();
    await database.close();
  }
  return lost.length;
}

// Starts the restored district on a port that no user knows, without mail or Drive, and stops it again.
async function tryStart(): Promise<void> {
  const quiet = {
    HOST: '127.0.0.1',
    PORT: '0',
    SMTP_URL: '',
    GOOGLE_CLIENT_ID: '',
    GOOGLE_CLIENT_SECRET: '',
    // A trial start must not add to the backups.
    BACKUP_TO: '',
    BACKUP_LOG_TO: '',
  };
  const server = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...quiet },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(server, 'exit');
  try {
    await waitUntilReady(server);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  for (let waited = 0; waited < READY_WITHIN_MS; waited += RETRY_MS) {
    const address = / is ready at (http:\S+)\n/.exec(output)?.[1];
    if (address !== undefined && (await isReady(address))) return;
    if (server.exitCode !== null) break;
    await setTimeout(RETRY_MS);
  }
  throw new BackupError(
    `The files are in place, but the restored district does not start:\n${output.trim()}`,
  );
}

function isReady(address: string): Promise<boolean> {
  return fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
