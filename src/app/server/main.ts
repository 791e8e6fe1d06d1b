import { resolve } from 'node:path';
import { startDriveSync } from '#rooms/drive-sync/server/worker.ts';
import { startMailings } from '#rooms/mailings/server/posting.ts';
import { endAbandonedExports } from '#rooms/time-entries/server/exports/export.ts';
import { startHoursImports } from '#rooms/time-entry-imports/server/work.ts';
import { tellOfBackup, tellOfLogCopy } from '#rooms/users/server/backup-letters.ts';
import { isCommonPassword } from '#rooms/users/server/common-passwords.ts';
import { ensureAdministrator, type FirstAdministrator } from '#rooms/users/server/first-administrator.ts';
import { type LogCopy, startLogCopy } from '#server/backup/log-copy.ts';
import { startNightlyBackup } from '#server/backup/nightly.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { startDaily } from '#server/daily.ts';
import { DatabaseError } from '#server/db/connect.ts';
import { inLane } from '#server/deps.ts';
import { otherPhotoFolder } from '#server/files/photo-folder.ts';
import { removeFirstLink, writeFirstLink } from '#server/first-link-file.ts';
import { startMailing } from '#server/mail/worker.ts';
import { makeFilesPrivate } from '#server/private-files.ts';
import { endRefusedStart, listen, outliveFaults, stopOnSignals, tellStarter } from '#server/serve-process.ts';
import { startWarnings } from '#server/start-warnings.ts';
import { VERSION } from '#server/version.ts';
import { keepHouse } from './housekeeping.ts';
import { CHORES, DAILY, SWEEPS } from './jobs.ts';
import { prepare } from './start.ts';

const BACKUP_PROGRAM = new URL('./backup-process.ts', import.meta.url);
// What goes on with work that was begun before the last stop.
const WORKERS = [startMailing, startDriveSync, startHoursImports, startMailings];
const PAGES = resolve(import.meta.dirname, '../../../dist');

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    console.error(error.message);
    await endRefusedStart(error);
  }
  throw error;
}

async function main(): Promise<void> {
  makeFilesPrivate();
  const config = readConfig(process.env);
  requireAdminPassword(config);
  let isStarted = false;
  const { app, deps, update } = await prepare(config, { pages: PAGES, isStarted: () => isStarted });
  const jobs = inLane(deps, 'jobs');
  const running: { stop: () => unknown }[] = [];
  let logCopy: LogCopy | undefined;
  app.addHook('onClose', async () => {
    await Promise.all(running.map((one) => one.stop()));
    // Last, so that what the others wrote is copied too.
    await logCopy?.stop();
  });
  // In this order: a start whose port is taken must not replace the link that the running one printed.
  const address = await listen(app, config).catch(async (error) => {
    throw await update.failed(error);
  });
  if (update.migrated.length > 0) console.log(`Database ready (${update.migrated.join(', ')})`);
  outliveFaults(deps.log);
  await endAbandonedExports(deps);
  const photoWarning = await otherPhotoFolder(deps);
  const warnings = [photoWarning, ...startWarnings(config, process.getuid?.())];
  for (const warning of warnings) if (warning !== undefined) console.error(warning);
  running.push({ stop: keepHouse(jobs, SWEEPS, CHORES) });
  const first = await ensureAdministrator(deps);
  running.push(startDaily(jobs, DAILY), ...WORKERS.map((start) => start(jobs)));
  const [environment, tell] = [process.env, tellOfBackup];
  running.push(startNightlyBackup(jobs, { program: BACKUP_PROGRAM, environment, tell }));
  logCopy = await startLogCopy(jobs, { environment, tell: tellOfLogCopy });
  if (logCopy !== undefined) deps.database.letStandAside(logCopy.whileAside);
  isStarted = true;
  stopOnSignals(app, console.error);
  await tellStarter({ isReady: true });
  deps.log.info({ version: VERSION, engine: deps.database.engine, node: process.version }, 'started');
  console.log(`Volunteer Time Tracker ${VERSION} is ready at ${address}`);
  const publicUrl = config.publicUrl ?? `http://localhost:${new URL(address).port || '80'}`;
  for (const line of signInLines(first, publicUrl)) console.log(line);
  keepLink(config, first, publicUrl);
}

// How to sign in, once the address is known.
function signInLines(first: FirstAdministrator, url: string): string[] {
  if (first.how === 'present') return [`Sign in at ${url}`];
  if (first.how === 'created') return [`Sign in at ${url} as ${first.email} with ADMIN_PASSWORD`];
  return [
    `No administrator yet. Set the first one's password (once, within ${first.hours} h): ${linkOf(first, url)}`,
    `Then sign in as ${first.email}`,
  ];
}

function linkOf({ token }: { token: string }, url: string): string {
  return `${url}/?token=${token}`;
}

// Under a service manager nobody sees what is printed.
function keepLink({ dataDir }: Config, first: FirstAdministrator, url: string): void {
  if (first.how !== 'link') removeFirstLink(dataDir);
  else if (!process.stdout.isTTY)
    console.log(`The link is also in ${writeFirstLink(dataDir, linkOf(first, url))}`);
}

// What nobody could choose on a screen is no password for the first administrator either.
function requireAdminPassword({ firstAdmin, passwordBlocklist }: Config): void {
  if (firstAdmin !== undefined && passwordBlocklist && isCommonPassword(firstAdmin.password)) {
    throw new ConfigError('ADMIN_PASSWORD: is one of the most common passwords; choose another');
  }
}
