import { accessSync, constants } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { repeatDeletionsAfterRestore } from '#features/privacy/server/reapplied-deletions.ts';
import { openLiveSettings } from '#features/schools/district-settings/server/settings.ts';
import { type Config, ConfigError } from '#server/config.ts';
import { type Database, type Limits, openDatabase } from '#server/db/database.ts';
import { setServerState } from '#server/db/server-state.ts';
import { type Clock, type Deps, systemClock } from '#server/deps.ts';
import { removeAbandonedUploads } from '#server/http/multipart.ts';
import { openReadiness } from '#server/http/readiness.ts';
import { createTranslators } from '#server/i18n/translator.ts';
import { openImageWorkers } from '#server/images/image-workers.ts';
import { createLog } from '#server/log.ts';
import { openReportWorkers } from '#server/pdf/report-workers.ts';
import { openWorkPool } from '#server/process/worker-pool.ts';
import { makeSecretKey, readSecretKey } from '#server/secrets.ts';
import { openDiskReserve } from '#server/storage/disk-reserve.ts';
import { makeFolder } from '#server/storage/durable-file.ts';
import { openFileStorage } from '#server/storage/open-file-storage.ts';
import { restrictDataFolder } from '#server/storage/private-files.ts';
import { VERSION } from '#server/version.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import { errorMessage } from '#shared/errors.ts';
import { type AppOptions, buildApp } from './app.ts';
import { beginUpdate, type Update } from './update.ts';

/** How many characters of a slow query are logged. */
const QUERY_LOGGED = 2_000;

/**
 * A server that is ready to listen. Listening completes an update in progress. If listening fails, throw what
 * `update.failed` returns.
 */
export type Prepared = Readonly<{ app: FastifyInstance; deps: Deps; update: Update }>;

/**
 * Opens the database, migrates it and builds the server. Throws `ConfigError` when the data folder and
 * `DatabaseError` when the database cannot be used. Closing the app finishes the requests in flight and
 * closes the database.
 */
export async function prepare(
  config: Config,
  { clock = systemClock, ...options }: AppOptions & { clock?: Clock | undefined } = {},
): Promise<Prepared> {
  requireFolder(config.dataDir);
  restrictFiles(config);
  const log = createLog(config);
  const database = await openDatabase(config, {
    requestSeconds: config.databaseTimeoutSeconds,
    ...slowQueries(config, log),
  });
  let update: Update | undefined;
  try {
    update = await beginUpdate(config, database.withPool('upkeep'));
    update.attempt();
    removeAbandonedUploads(config.dataDir, millisecondsOf(systemClock.now()));
    const deps = await makeDeps(config, { database, clock, log });
    return { app: await built(deps, options, update), deps, update };
  } catch (error) {
    await database.close();
    throw update === undefined ? error : await update.failed(error);
  }
}

async function built(deps: Deps, options: AppOptions, update: Update): Promise<FastifyInstance> {
  const app = await buildApp(deps, options);
  app.addHook('onReady', async () => {
    await update.settle(
      deps.database.withPool('upkeep'),
      openReadiness(deps, () => true),
    );
    await storeVersion(deps);
    await repeatDeletionsAfterRestore(deps);
  });
  app.addHook('onClose', () => {
    void deps.pool.close();
    deps.files.close();
    return deps.database.close();
  });
  return app;
}

// The next update names this version as the one to go back to. A full disk does not prevent a start.
async function storeVersion({ database, clock, log }: Deps): Promise<void> {
  await setServerState(database.db, 'version', VERSION, clock.now()).catch((error: unknown) => {
    log.warn({ err: error }, 'could not save the version');
  });
}

// The query text contains no values.
function slowQueries({ slowQueryMs }: Config, log: Logger): Pick<Limits, 'slow'> {
  if (slowQueryMs === 0) return {};
  const report = (query: string, milliseconds: number) =>
    log.warn({ milliseconds, query: query.slice(0, QUERY_LOGGED) }, 'slow query');
  return { slow: { afterMs: slowQueryMs, report } };
}

type Opened = Readonly<{ database: Database; clock: Clock; log: Logger }>;

async function makeDeps(given: Config, { database, clock, log }: Opened): Promise<Deps> {
  makeSecretKey(given);
  const secretKey = readSecretKey(given);
  const { config, settings } = openLiveSettings({
    config: given,
    db: database.withPool('sessions').db,
    secretKey,
    log,
  });
  await settings.refresh();
  const translators = createTranslators();
  const pool = openWorkPool();
  return {
    config,
    settings,
    database,
    clock,
    log,
    translators,
    translator: translators.translator,
    pool,
    imageWorkers: openImageWorkers(pool),
    reportWorkers: openReportWorkers(pool),
    files: await openFileStorage(config),
    diskReserve: openDiskReserve(config.dataDir),
    secretKey,
  };
}

// An older version, a restore or a copy may have left files that other accounts can read.
function restrictFiles(config: Config): void {
  const { closed, failed } = restrictDataFolder(config.dataDir);
  const log = createLog(config);
  if (closed.length > 0)
    log.warn(`Removed read access for other accounts from paths in DATA_DIR: ${closed.length}`);
  if (failed.length > 0) {
    log.warn(
      { paths: failed.slice(0, 10) },
      'Other accounts can read paths in DATA_DIR. Run chmod go-rwx on them',
    );
  }
}

function requireFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorMessage(error);
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be written (${reason})`);
  }
}
