// npm run backup -- --to FOLDER [--recipient age1...]. Settings as for `npm start`, which may be running.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { photoFiles } from '#rooms/photos/server/upkeep.ts';
import {
  noteBackup,
  noteBackupFailure,
  noteWherePossible,
  withoutSecrets,
} from '#server/backup/backup-state.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { takeBackup } from '#server/backup/take-backup.ts';
import { type Config, ConfigError, readConfig, settingsIn } from '#server/config.ts';
import { DatabaseError } from '#server/db/connect.ts';
import { systemClock } from '#server/deps.ts';
import { openStore } from '#server/files/open-store.ts';
import { VERSION } from '#server/version.ts';

const USAGE = 'Usage: npm run backup -- --to FOLDER [--recipient age1...]';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const reason = reasonOf(error);
  if (reason === undefined) throw error;
  console.error(`No backup was made. ${reason}`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given?.to === undefined) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  try {
    await backUp(config, resolve(given.to), given.recipient);
    return 0;
  } catch (error) {
    const reason = reasonOf(error) ?? 'a fault in the program; its output says which';
    await noteWherePossible(config, (db) => noteBackupFailure(db, reason, systemClock.now()));
    throw error;
  }
}

async function backUp(config: Config, to: string, recipient: string | undefined): Promise<void> {
  const [began, now] = [performance.now(), systemClock.now()];
  const store = await openStore(config);
  try {
    const { folder, manifest } = await takeBackup({
      config,
      store,
      photoFiles,
      settings: settingsIn(process.env),
      to,
      recipient,
      program: VERSION,
      now,
    });
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const milliseconds = Math.round(performance.now() - began);
    await noteWherePossible(config, (db) =>
      noteBackup(db, { to: withoutSecrets(to), bytes, milliseconds }, now),
    );
    const entries = manifest.database.rows['time_entries'] ?? 0;
    console.log(`Backed up ${entries} time entries and ${manifest.photos.files} photo files to ${folder}`);
    for (const name of manifest.photos.missing) console.log(`${name} is not in the photo store`);
  } finally {
    store.close();
  }
}

// Of what an operator can mend, why; undefined for a fault in the program.
function reasonOf(error: unknown): string | undefined {
  const isExpected = [BackupError, ConfigError, DatabaseError].some((kind) => error instanceof kind);
  const isOfTheSystem = error instanceof Error && 'code' in error;
  return (isExpected || isOfTheSystem) && error instanceof Error ? error.message : undefined;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { to: { type: 'string' }, recipient: { type: 'string' } } }).values;
  } catch {
    return undefined;
  }
}
