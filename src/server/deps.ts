import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Instant } from '#shared/calendar-date.ts';
import { instantOf } from '#shared/calendar-date.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ConnectionPoolName } from './db/postgres/connection-pools.ts';
import type { Translator, TranslatorSet } from './i18n/translator.ts';
import type { ImageWorkers } from './images/image-workers.ts';
import type { ReportWorkers } from './pdf/report-workers.ts';
import type { WorkPool } from './process/worker-pool.ts';
import type { DiskReserve } from './storage/disk-reserve.ts';
import type { FileStorage } from './storage/file-storage.ts';

/**
 * The current time, and a sleep in milliseconds that a signal can end early. Tests use a fake clock whose
 * sleeps take no time.
 */
export type Clock = Readonly<{
  now: () => Instant;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}>;

/** The system clock. */
export const systemClock: Clock = {
  now: () => instantOf(Date.now()),
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(
      () => undefined,
    ),
};

/**
 * The settings that a district changes at run time; their values are those of `config`. `refresh` reloads
 * them before every request, job and email, so that a change takes effect at once on every server. It never
 * fails.
 *
 * A caller that reads the settings in its own query calls `beginRead` before it, and the returned function
 * afterwards, with the text of `district_settings.value` or null. Results of a read that began later win.
 */
export type LiveSettings = Readonly<{
  refresh: () => Promise<void>;
  beginRead: () => (kept: string | null) => void;
}>;

/** Everything that the process was started with. It is passed as an argument; nothing is global. */
export type Deps = Readonly<{
  config: Config;
  settings: LiveSettings;
  database: Database;
  clock: Clock;
  log: Logger;
  translators: TranslatorSet;
  /** Translates into the language of the current request; outside a request into the first language. */
  translator: Translator;
  /** Worker processes for images and reports. */
  pool: WorkPool;
  imageWorkers: ImageWorkers;
  reportWorkers: ReportWorkers;
  /** The photo storage. */
  files: FileStorage;
  /** Disk space reserved for deletions on a full disk. */
  diskReserve: DiskReserve;
  /** Signs links and fingerprints requests; at least 32 bytes. */
  secretKey: Buffer;
}>;

/** Returns the deps with the connection pool of another kind of work, if the database has a separate one. */
export function withConnectionPool(deps: Deps, pool: ConnectionPoolName): Deps {
  return { ...deps, database: deps.database.withPool(pool) };
}
