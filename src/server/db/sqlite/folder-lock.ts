import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { type Config, ConfigError } from '../../config.ts';
import { makeFolder } from '../../storage/durable-file.ts';
import { isBusy } from '../database-errors.ts';

export const LOCK_FILE = 'server.lock';
/** A stopping server may take ten seconds. */
const WAIT_MS = 12_000;
const LOOK_EVERY_MS = 100;

// Referenced here, because garbage collection would close a connection and release its lock.
const openLocks = new Set<BetterSqlite.Database>();

/**
 * Locks a SQLite data folder for this server until its process exits, however it exits: the system holds the lock, on a
 * separate file, so that the operator's commands can still use the database. Throws `ConfigError` if another server has the
 * lock. Several servers may share PostgreSQL.
 */
export async function lockFolder(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  waitMs = WAIT_MS,
): Promise<void> {
  if (databaseUrl !== undefined) return;
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      openLocks.add(lock(dataDir));
      return;
    } catch (error) {
      // A folder that cannot be written is reported when the database is opened.
      if (!isBusy(error)) return;
      if (performance.now() > until) {
        throw new ConfigError(
          `DATA_DIR: another server is using ${dataDir}. Stop it first, or give this one its own folder. Several servers can share one PostgreSQL database (DATABASE_URL)`,
        );
      }
    }
    await setTimeout(LOOK_EVERY_MS);
  }
}

function lock(dataDir: string): BetterSqlite.Database {
  makeFolder(dataDir);
  const file = new BetterSqlite(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    // Nothing is ever written, so no journal file is needed.
    file.pragma('journal_mode = MEMORY');
    file.exec('begin exclusive');
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}
