// npm run backup -- --to FOLDER [--recipient age1...]. Settings as for `npm start`, which may be running.
import { parseArgs } from 'node:util';
import { backUpDistrict, backupFailureReason } from '#app/server/run-backup.ts';
import {
  storeBackupFailure,
  storeBackupResult,
  storeIfDatabaseExists,
} from '#server/backup/backup-status.ts';
import { readConfig, settingsIn } from '#server/config.ts';
import { systemClock } from '#server/deps.ts';

const USAGE = 'Usage: npm run backup -- --to FOLDER [--recipient age1...] (without --to, BACKUP_TO)';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const reason = backupFailureReason(error);
  if (reason === undefined) throw error;
  console.error(`No backup was made. ${reason}`);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<number> {
  const given = readArguments(args);
  const config = given === undefined ? undefined : readConfig(process.env);
  const to = given?.to ?? config?.backup?.to;
  if (given === undefined || config === undefined || to === undefined) {
    console.error(USAGE);
    return 2;
  }
  const recipient = given.recipient ?? config.backup?.recipient;
  const now = systemClock.now();
  try {
    const settings = settingsIn(process.env);
    const onProgress = () => undefined;
    const made = await backUpDistrict({ config, settings, to, recipient, nightly: false, onProgress });
    await storeIfDatabaseExists(config, (db) => storeBackupResult(db, made, now));
    console.log(`Backed up ${made.entries} time entries and ${made.photos} photo files to ${made.folder}`);
    for (const note of made.notes) console.log(note);
    return 0;
  } catch (error) {
    const reason = backupFailureReason(error) ?? 'an internal error; see the output above';
    await storeIfDatabaseExists(config, (db) => storeBackupFailure(db, reason, systemClock.now()));
    throw error;
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { to: { type: 'string' }, recipient: { type: 'string' } } }).values;
  } catch {
    return undefined;
  }
}
