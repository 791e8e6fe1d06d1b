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
import type { FileStore } from './storage/file-storage.ts';

/**
 * The current time, and a pause of some milliseconds that a signal can end early. Tests use a clock that they
 * set, whose pauses take no time.
 */
export type Clock = Readonly<{
  now: () => Instant;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}>;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => instantOf(Date.now()),
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(
      () => undefined,
    ),
};

/**
 * The settings that a district changes while the system runs; their values are those of `config`. `refresh` looks into
 * the database: before every request, job and letter, so that a change acts at once on every server. It never fails.
 *
 * Who reads the settings in a query of their own calls `beginLook` before it, and what that returns afterwards, with the text
 * of `district_settings.value` or null. What a look that began later has seen stays.
 */
export type LiveSettings = Readonly<{
  refresh: () => Promise<void>;
  beginLook: () => (kept: string | null) => void;
}>;

/** Everything the process was started with, passed as an argument; nothing is global. */
export type Deps = Readonly<{
  config: Config;
  settings: LiveSettings;
  database: Database;
  clock: Clock;
  log: Logger;
  translators: TranslatorSet;
  /** What is said to whoever sent the request that is being answered; outside of one, in the first language. */
  translator: Translator;
  /** Processes for pictures and reports. */
  pool: WorkPool;
  imageWorkers: ImageWorkers;
  reportWorkers: ReportWorkers;
  /** Where photos are kept. */
  files: FileStore;
  /** Disk space reserved for deletions on a full disk. */
  diskReserve: DiskReserve;
  /** Signs links and fingerprints requests; 32 bytes or more. */
  secretKey: Buffer;
}>;

/** The same process for another kind of work, which has connections of its own where the database gives it some. */
export function withConnectionPool(deps: Deps, lane: ConnectionPoolName): Deps {
  return { ...deps, database: deps.database.withPool(lane) };
}
