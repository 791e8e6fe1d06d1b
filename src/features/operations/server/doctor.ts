import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { photoFiles } from '#features/photos/server/storage-check.ts';
import { readRetentionPeriods, retentionCutoff } from '#features/privacy/retention/server/periods.ts';
import { openLiveSettings } from '#features/schools/district-settings/server/settings.ts';
import { countWrongRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { type Database, DatabaseError, SQLITE_FILE, withDatabase } from '#server/db/database.ts';
import { appliedMigrations, migrationNames } from '#server/db/migrate.ts';
import type { Clock, Deps } from '#server/deps.ts';
import { testEmailServer } from '#server/email/mailer.ts';
import { createLog } from '#server/log.ts';
import { readSecretKey } from '#server/secrets.ts';
import type { FileStorage } from '#server/storage/file-storage.ts';
import { openFileStorage } from '#server/storage/open-file-storage.ts';
import { instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import {
  finding,
  type HealthCheckContext,
  type HealthFinding,
  ok,
  runQuickChecks,
  totalsMismatchFinding,
} from './health-checks.ts';
import { serverMessage as say } from './server-messages.ts';
import { countAuditTriggers, countEntriesWithoutAudit, readDatabaseClock } from './store.ts';

/** The input of doctor: the settings, and facts about its process. `userId` is undefined if the system has no user ids. */
export type DoctorContext = Readonly<{
  config: Deps['config'];
  clock: Clock;
  translator: Deps['translator'];
  nodeVersion: string;
  /** The effective settings without secrets, and variables that look like a misspelled setting. */
  settings?: Readonly<{ set: readonly string[]; unknown: readonly string[] }>;
  userId: number | undefined;
}>;

const NODE = { least: [22, 18], used: 24 } as const;
const MIN_POSTGRES = 14;
const CLOCK = { warningMs: 2_000, errorMs: 60_000 } as const;
const AUDIT_TRIGGERS = 2;
const FILES_SHOWN = 3;
const MIN_FILE_AGE_MS = 3_600_000;
const OTHER_ACCOUNTS_MASK = 0o077;
const NOT_DURABLE = /fsync|synchronous_commit|safety settings/;

/** Checks everything that an operator may have to fix. Changes nothing except what starting the server would change. */
export async function runDoctor(given: DoctorContext): Promise<HealthFinding[]> {
  const folder = await checkFolder(given);
  const databaseFindings = await checkDatabase(given);
  return [
    checkNode(given),
    ...checkSettings(given),
    checkAccount(given),
    checkAddress(given),
    ...folder,
    ...(databaseFindings.some(({ name }) => name === 'mail-server') ? [] : [await checkMailServer(given)]),
    ...databaseFindings,
  ];
}

function checkNode({ nodeVersion }: DoctorContext): HealthFinding {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  const [least, leastMinor] = NODE.least;
  const message = say('nodeVersion', { version: nodeVersion });
  if (major > NODE.used || major === NODE.used) return ok('node', message);
  const isTooOld = major < least || (major === least && minor < leastMinor);
  return finding('node', isTooOld ? 'error' : 'note', message, say('nodeRemedy'));
}

function checkSettings({ settings }: DoctorContext): HealthFinding[] {
  if (settings === undefined) return [];
  const { set, unknown } = settings;
  const list = set.length === 0 ? say('settingsNone') : say('settingsSet', { settings: set.join(', ') });
  if (unknown.length === 0) return [ok('settings', list)];
  const message = say('settingsUnknown', { names: unknown.join(', ') });
  return [ok('settings', list), finding('unknown-settings', 'note', message, say('settingsUnknownRemedy'))];
}

function checkAccount({ userId }: DoctorContext): HealthFinding {
  if (userId !== 0) return ok('account', say('accountOk'));
  return finding('account', 'note', say('accountRoot'), say('accountRemedy'));
}

function checkAddress({ config }: DoctorContext): HealthFinding {
  const isHttps = config.publicUrl?.startsWith('https:') === true;
  if (!isHttps) return finding('https', 'note', say('httpOnly'), say('httpRemedy'));
  if (config.trustedProxies.length > 0) return ok('https', say('httpsOk'));
  return finding('https', 'warning', say('proxyUnset'), say('proxyUnsetRemedy'));
}

async function checkFolder({ config, userId }: DoctorContext): Promise<HealthFinding[]> {
  const found = statSync(config.dataDir, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) {
    return [finding('folder', 'error', say('folderGone'), say('folderRemedy'))];
  }
  const [open, foreign]: [string[], string[]] = [[], []];
  for await (const { path, mode, uid } of walkFolder(config.dataDir)) {
    if ((mode & OTHER_ACCOUNTS_MASK) !== 0) open.push(path);
    if (userId !== undefined && userId !== 0 && uid !== userId) foreign.push(path);
    // As root, doctor expects the owner of the folder.
    if (userId === 0 && uid !== found.uid) foreign.push(path);
  }
  return [
    permissionFinding(open, 'rightsOpen', 'rightsRemedy'),
    permissionFinding(foreign, 'rightsForeign', 'ownerRemedy'),
  ];
}

function permissionFinding(
  paths: readonly string[],
  message: 'rightsOpen' | 'rightsForeign',
  remedy: 'rightsRemedy' | 'ownerRemedy',
): HealthFinding {
  const name = message === 'rightsOpen' ? 'rights' : 'owner';
  if (paths.length === 0) return ok(name, say('rightsOk'));
  const some = paths.slice(0, FILES_SHOWN).join(', ');
  return finding(name, 'warning', say(message, { count: paths.length, paths: some }), say(remedy));
}

// Does not follow symbolic links.
async function* walkFolder(path: string): AsyncGenerator<{ path: string; mode: number; uid: number }> {
  const { mode, uid } = await lstat(path);
  yield { path, mode, uid };
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const within = join(path, entry.name);
    if (entry.isDirectory()) yield* walkFolder(within);
    else if (entry.isFile()) {
      const found = await lstat(within).catch(() => undefined);
      if (found !== undefined) yield { path: within, mode: found.mode, uid: found.uid };
    }
  }
}

async function checkMailServer({ config }: Pick<DoctorContext, 'config'>): Promise<HealthFinding> {
  if (config.smtpUrl === undefined) return ok('mail-server', say('mailOff'));
  const failure = await testEmailServer(config.smtpUrl);
  if (failure === undefined) return ok('mail-server', say('mailServerOk'));
  return finding('mail-server', 'error', say('mailServerSilent', { code: failure }), say('mailStuckRemedy'));
}

async function checkDatabase(given: DoctorContext): Promise<HealthFinding[]> {
  const { config } = given;
  const isNew =
    config.databaseUrl === undefined &&
    statSync(join(config.dataDir, SQLITE_FILE), { throwIfNoEntry: false }) === undefined;
  if (isNew) return [finding('database', 'note', say('databaseNew'), null)];
  try {
    const findings = await withDatabase(config, (database) => checkOpenDatabase(given, database));
    return [ok('durability', say('durabilityOk')), ...findings];
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const isLossy = NOT_DURABLE.test(error.message);
    const name = isLossy ? 'durability' : 'database';
    const remedy = say(isLossy ? 'durabilityRemedy' : 'databaseRemedy');
    return [finding(name, 'error', say('databaseRefused', { reason: error.message }), remedy)];
  }
}

async function checkOpenDatabase(given: DoctorContext, database: Database): Promise<HealthFinding[]> {
  const server = await checkDatabaseServer(given, database);
  const schema = await checkSchema(database);
  if (schema.level !== 'ok') return [...server, schema];
  const config = await readEffectiveConfig(given, database);
  const context: HealthCheckContext = { config, clock: given.clock, translator: given.translator, database };
  const quick = await runQuickChecks(context);
  const wrong = await countWrongRollups(database.db);
  return [
    await checkMailServer({ config }),
    ...server,
    schema,
    ...quick.filter(({ name }) => name !== 'sums'),
    wrong === 0 ? ok('sums', say('sumsOk')) : totalsMismatchFinding(wrong),
    await checkAuditLog(context),
    ...(await checkPhotos(given, database)),
  ];
}

// Includes the settings that the district changed in the app.
async function readEffectiveConfig({ config }: DoctorContext, { db }: Database): Promise<Deps['config']> {
  const opened = openLiveSettings({ config, db, secretKey: readKeyOrRandom(config), log: createLog(config) });
  await opened.settings.refresh();
  return opened.config;
}

// If there is no secret key, returns a temporary random one, so that doctor does not create `secret.key`. Encrypted
// settings are then unreadable, which doctor reports.
function readKeyOrRandom(config: Deps['config']): Buffer {
  const isThere = config.secretKey !== undefined || existsSync(join(config.dataDir, 'secret.key'));
  return isThere ? readSecretKey(config) : randomBytes(32);
}

async function checkDatabaseServer(
  { clock }: DoctorContext,
  { db, engine }: Database,
): Promise<HealthFinding[]> {
  const { now, version } = await readDatabaseClock(db, engine);
  const difference = Math.abs(now - millisecondsOf(clock.now()));
  const name = engine === 'postgres' ? 'PostgreSQL' : 'SQLite';
  const isOld = engine === 'postgres' && Number.parseInt(version, 10) < MIN_POSTGRES;
  const message = say('databaseVersion', { name, version });
  return [
    isOld
      ? finding('database', 'warning', message, say('postgresRemedy', { least: MIN_POSTGRES }))
      : ok('database', message),
    difference < CLOCK.warningMs
      ? ok('clock', say('clockOk'))
      : finding(
          'clock',
          difference < CLOCK.errorMs ? 'warning' : 'error',
          say('clockDiffers', { seconds: Math.round(difference / 1_000) }),
          say('clockRemedy'),
        ),
  ];
}

async function checkSchema(database: Database): Promise<HealthFinding> {
  const applied = await appliedMigrations(database);
  const unknown = applied.filter((step) => !migrationNames().includes(step));
  if (unknown.length > 0) {
    const message = say('schemaNewer', { steps: unknown.join(', ') });
    return finding('schema', 'error', message, say('schemaNewerRemedy'));
  }
  const missing = migrationNames().length - applied.length;
  if (missing === 0) return ok('schema', say('schemaOk'));
  const message = say('schemaOlder', { count: missing });
  return finding('schema', 'warning', message, say('schemaOlderRemedy'));
}

async function checkAuditLog({ database, config, clock }: HealthCheckContext): Promise<HealthFinding> {
  const { db, engine } = database;
  if ((await countAuditTriggers(db, engine)) < AUDIT_TRIGGERS) {
    return finding('record', 'error', say('recordOpen'), say('recordOpenRemedy'));
  }
  const { audit } = await readRetentionPeriods(db, clock.now());
  // Retention has deleted the audit events of older entries.
  const since =
    audit === null ? instantOf(0) : retentionCutoff({ config }, clock.now(), 'audit', audit).moment;
  const count = await countEntriesWithoutAudit(db, since);
  if (count === 0) return ok('record', say('recordOk'));
  return finding('record', 'warning', say('recordGaps', { count }), say('recordRemedy'));
}

async function checkPhotos({ config, clock }: DoctorContext, { db }: Database): Promise<HealthFinding[]> {
  const store = await openFileStorage(config);
  try {
    await store.check();
    return [ok('photo-store', say('storeOk')), ...(await comparePhotos(db, store, clock))];
  } catch (error) {
    const code = error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';
    const message = say('storeSilent', { code });
    return [finding('photo-store', 'error', message, say('storeRemedy'))];
  } finally {
    store.close();
  }
}

// Compares only names; `npm run photos -- scrub` reads every file.
async function comparePhotos(db: Database['db'], store: FileStorage, clock: Clock): Promise<HealthFinding[]> {
  const youngest = millisecondsOf(clock.now()) - MIN_FILE_AGE_MS;
  const [stored, old] = [new Set<string>(), new Set<string>()];
  for await (const { name, at } of store.list()) {
    stored.add(name);
    if (at < youngest) old.add(name);
  }
  let missing = 0;
  for await (const { name, isDerived } of photoFiles(db)) {
    if (!stored.has(name) && !isDerived) missing += 1;
    old.delete(name);
  }
  return [
    missing === 0
      ? ok('photos', say('photosOk'))
      : finding('photos', 'error', say('photosMissing', { count: missing }), say('photosRemedy')),
    old.size === 0
      ? ok('photo-strays', say('straysNone'))
      : finding('photo-strays', 'note', say('straysFound', { count: old.size }), say('straysRemedy')),
  ];
}
