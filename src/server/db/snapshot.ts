import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type pg from 'pg';
import { BUSY_TIMEOUT_MS, type Db, SQLITE_FILE } from './connect.ts';
import { keepStatements } from './kept-statements.ts';
import { poolOf } from './pool.ts';
import { hasReplayed, type LogSeen } from './standby.ts';
import type { Tables } from './tables.ts';

/** A read-only view of the database at one moment: later writes do not show. */
export type Snapshot = Readonly<{ db: Db; close: () => Promise<void> }>;

/** The settings that say where the database is. */
export type DatabasePlace = Readonly<{ databaseUrl: string | undefined; dataDir: string }>;

/** A standby that a view may be taken from, once it has replayed what the leader had confirmed. */
export type StandbyPlace = Readonly<{ url: string; confirmed: LogSeen }>;

const WAIT_MS = 2_000;
const AGAIN_MS = 50;

/**
 * Opens a connection of its own in one read transaction: at the standby, if one is given and gets there within two
 * seconds. It blocks nobody, but rows that are changed or deleted meanwhile take up space until it is closed: keep it
 * open for minutes at most.
 */
export async function openSnapshot(
  { databaseUrl, dataDir }: DatabasePlace,
  standby?: StandbyPlace,
): Promise<Snapshot> {
  const there = standby === undefined ? undefined : await atStandby(standby).catch(() => undefined);
  if (there !== undefined) return there;
  const db = databaseUrl === undefined ? ofFile(join(dataDir, SQLITE_FILE)) : ofServer(databaseUrl);
  return { db, close: () => db.destroy() };
}

// The connection that is asked is the one that reads: behind one address there may be several standbys.
async function atStandby({ url, confirmed }: StandbyPlace): Promise<Snapshot | undefined> {
  const pool = poolOf(url, 1, { idleTimeoutMillis: 0, connectionTimeoutMillis: WAIT_MS });
  const until = performance.now() + WAIT_MS;
  try {
    const client = await pool.connect();
    try {
      while (!(await hasReplayed(client, confirmed))) {
        if (performance.now() > until) throw new Error('the standby is behind');
        await setTimeout(AGAIN_MS);
      }
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = ofServer(pool);
  return { db, close: () => db.destroy() };
}

function ofFile(path: string): Db {
  const file = new BetterSqlite(path, { readonly: true, fileMustExist: true });
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  file.exec('begin');
  // The snapshot is taken at the first read.
  file.prepare('select count(*) from sqlite_schema').get();
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepStatements(file) }) });
}

function ofServer(at: string | pg.Pool): Db {
  let connections = 0;
  const dialect = new PostgresDialect({
    pool: typeof at === 'string' ? poolOf(at, 1, { idleTimeoutMillis: 0 }) : at,
    onCreateConnection: async (connection) => {
      // Another connection would see a different moment.
      if (++connections > 1) throw new Error('the connection of a snapshot was lost');
      await connection.executeQuery(
        CompiledQuery.raw('begin transaction isolation level repeatable read read only'),
      );
    },
  });
  return new Kysely<Tables>({ dialect });
}
