import { resolve } from 'node:path';
import { ensureAdministrator, type FirstAdministrator } from '#features/auth/server/first-administrator.ts';
import { emailBackupStatus, emailClockWarning } from '#features/operations/server/emails.ts';
import { readStoredDistrict } from '#features/schools/district-settings/server/settings.ts';
import { endAbandonedExports } from '#features/time-entries/export/server/actions.ts';
import { startNightlyBackup } from '#server/backup/nightly-backup.ts';
import { type Config, ConfigError } from '#server/config.ts';
import { withConnectionPool } from '#server/deps.ts';
import { canRunJobs } from '#server/jobs/clock-guard.ts';
import { isCommonPassword } from '#server/passwords.ts';
import { listen, logUnhandledErrors, notifyStarter, stopOnSignals } from '#server/process/server-process.ts';
import { storeKeyFingerprint } from '#server/secret-key-check.ts';
import { fingerprintOf } from '#server/secrets.ts';
import { removeFirstLink, writeFirstLink } from '#server/storage/first-admin-link-file.ts';
import { photoFolderProblem } from '#server/storage/photo-folder-check.ts';
import { VERSION } from '#server/version.ts';
import { storeDistrictIdentity } from './district-identity-check.ts';
import { type Prepared, prepare } from './start.ts';
import { createJobs } from './start-jobs.ts';
import { startWarnings, timeZoneWarning } from './start-warnings.ts';

const BACKUP_PROGRAM = new URL('./backup-process.ts', import.meta.url);
const PAGES = resolve(import.meta.dirname, '../../../dist');

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a server in this process. Throws `ConfigError` and `DatabaseError` for problems that a person must fix. */
export async function runServer(config: Config, environment: Environment): Promise<void> {
  requireAdminPassword(config);
  let isStarted = false;
  const prepared = await prepare(config, { pages: PAGES, isStarted: () => isStarted });
  const { app, deps, update } = prepared;
  const jobs = createJobs(deps, environment);
  app.addHook('onClose', () => jobs.stop());
  // Listen first: a start whose port is taken must not replace the link that the running server printed.
  const address = await listen(app, config).catch(async (error) => {
    throw await update.failed(error);
  });
  logUnhandledErrors(deps.log);
  await endAbandonedExports(deps);
  const printReady = await startUp(prepared, config, address);
  await jobs.start();
  const jobDeps = withConnectionPool(deps, 'jobs');
  const mayRun = () => canRunJobs(jobDeps, emailClockWarning);
  const how = { program: BACKUP_PROGRAM, environment, sendFailureEmail: emailBackupStatus, mayRun };
  const backups = startNightlyBackup(jobDeps, how);
  jobs.alsoStop(backups.stop);
  isStarted = true;
  stopOnSignals(app, console.error);
  await notifyStarter({ isReady: true });
  deps.log.info({ version: VERSION, engine: deps.database.engine, node: process.version }, 'started');
  printReady();
}

// Prints the startup findings and creates the first administrator. Returns the function that prints that the
// server is ready.
async function startUp({ deps, update }: Prepared, config: Config, address: string): Promise<() => void> {
  if (update.migrated.length > 0)
    console.log(`Database ready (${update.migrated.length} steps, now at ${update.migrated.at(-1)})`);
  const photoWarning = await photoFolderProblem(deps);
  const isZoneChosen =
    config.setByServer.includes('timeZone') ||
    (await readStoredDistrict(deps.database.db)).timeZone !== undefined;
  const zone = isZoneChosen ? undefined : timeZoneWarning(deps.config.timeZone, deps.clock.now());
  const warnings = [photoWarning, zone, ...startWarnings(config, process.getuid?.())];
  for (const warning of warnings) if (warning !== undefined) console.error(warning);
  const first = await ensureAdministrator(deps);
  const fingerprint = fingerprintOf(deps.secretKey);
  await storeKeyFingerprint(deps.database.db, fingerprint, deps.clock.now());
  storeDistrictIdentity(config, fingerprint);
  return () => {
    console.log(`Volunteer Time Tracker ${VERSION} is ready at ${address}`);
    const publicUrl = config.publicUrl ?? `http://localhost:${new URL(address).port || '80'}`;
    for (const line of signInLines(first, publicUrl)) console.log(line);
    storeLink(config, first, publicUrl);
  };
}

// Returns the lines that explain how to sign in, printed once the address is known.
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

// Under a service manager nobody sees the printed link, so it is also stored in a file.
function storeLink({ dataDir }: Config, first: FirstAdministrator, url: string): void {
  if (first.how !== 'link') removeFirstLink(dataDir);
  else if (!process.stdout.isTTY)
    console.log(`The link is also in ${writeFirstLink(dataDir, linkOf(first, url))}`);
}

// The first administrator's password must not be one that the app itself would reject as too common.
function requireAdminPassword({ firstAdmin, passwordBlocklist }: Config): void {
  if (firstAdmin !== undefined && passwordBlocklist && isCommonPassword(firstAdmin.password)) {
    throw new ConfigError('ADMIN_PASSWORD: is one of the most common passwords. Choose another one');
  }
}
