// npm run backup -- --to FOLDER [--recipient age1...]. Settings as for `npm start`, which may be running.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { photoFiles } from '#rooms/photos/server/upkeep.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { takeBackup } from '#server/backup/take-backup.ts';
import { ConfigError, readConfig, settingsIn } from '#server/config.ts';
import { DatabaseError } from '#server/db/connect.ts';
import { systemClock } from '#server/deps.ts';
import { openStore } from '#server/files/open-store.ts';

const USAGE = 'Usage: npm run backup -- --to FOLDER [--recipient age1...]';
const PACKAGE = join(import.meta.dirname, '../package.json');

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isExpected = [BackupError, ConfigError, DatabaseError].some((kind) => error instanceof kind);
  const isOfTheSystem = error instanceof Error && 'code' in error;
  if (!isExpected && !isOfTheSystem) throw error;
  console.error(`No backup was made. ${error instanceof Error ? error.message : ''}`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given?.to === undefined) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  const store = await openStore(config);
  try {
    const { folder, manifest } = await takeBackup({
      config,
      store,
      photoFiles,
      settings: settingsIn(process.env),
      to: resolve(given.to),
      recipient: given.recipient,
      program: JSON.parse(readFileSync(PACKAGE, 'utf8')).version,
      now: systemClock.now(),
    });
    const entries = manifest.database.rows['time_entries'] ?? 0;
    console.log(`Backed up ${entries} time entries and ${manifest.photos.files} photo files to ${folder}`);
    for (const name of manifest.photos.missing) console.log(`${name} is not in the photo store`);
    return 0;
  } finally {
    store.close();
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { to: { type: 'string' }, recipient: { type: 'string' } } }).values;
  } catch {
    return undefined;
  }
}
