import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, type Logger, PostgresAdapter, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import { errorMessage } from '#shared/errors.ts';
import type { Engine } from './column-types.ts';
import { isBusy, isSerializationFailure } from './database-errors.ts';
import { createPool, ReconnectingPostgresDialect } from './postgres/connection-pool.ts';
import {
  type AnyConnectionPoolName,
  type ConnectionPoolName,
  connectionLimits,
  maxPoolConnections,
  REPORT_TIMEOUT_FACTOR,
} from './postgres/connection-pools.ts';
import { watchDatabaseFiles } from './sqlite/database-files.ts';
import { foreignLogError } from './sqlite/database-mark.ts';
import { GroupCommit } from './sqlite/group-commit.ts';
import { openReadWorkers } from './sqlite/read-workers.ts';
import { queriesBy, type RunQuery, resultOf, runOn, savepointsOn } from './sqlite/sqlite-dialect.ts';
import { cacheStatements } from './sqlite/statement-cache.ts';
import { registerTimeZoneFunctions } from './sqlite/time-zone-functions.ts';
import type { Tables } from './tables.ts';

/** A connection, or a transaction: the first argument of every store function. */
export type Db = Kysely<Tables>;
/** A transaction. Actions pass it to stores, so that no query runs outside of it. */
export type Trx = Transaction<Tables>;

/** An open database of either engine. `db` is for requests. */
export type Database = Readonly<{
  engine: Engine;
  db: Db;
  /** Runs work in one transaction: see `transaction`. */
  transact: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>;
  /** Returns the same database with the connection pool of another kind of work. On SQLite only reports have their own. */
  withPool: (name: ConnectionPoolName) => Database;
  /** Throws `DatabaseFilesReplaced` when the open file is no longer the one in the data folder. */
  requireSameFiles: () => void;
  /**
   * Empties SQLite's log, which may contain deleted data; false if a reader prevented it. While log replication runs, it only
   * repeats a failed `scrubAfterDeletion`.
   */
  scrub: () => Promise<boolean>;
  /** Empties the log after an account deletion, with log replication paused. If it fails, the next `scrub` retries. */
  scrubAfterDeletion: () => Promise<boolean>;
  /** Sets how to run work while log replication is paused. */
  setLogPause: (pauseLog: WithLogClosed) => void;
  /**
   * The connections of all PostgreSQL pools: total, idle, and callers waiting for one. SQLite always reports one idle
   * connection.
   */
  connections: () => Readonly<{ total: number; idle: number; waiting: number }>;
  close: () => Promise<void>;
}>;

/** Runs work that needs exclusive access to SQLite's log. */
export type WithLogClosed = (work: () => Promise<boolean>) => Promise<boolean>;

/** Whether a database or transaction is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The error for an unusable database. The message explains what to do. */
export class DatabaseError extends Error {}

/**
 * The error when this version cannot use the database, now or on a retry. The message explains whether the database was
 * changed.
 */
export class UpdateFailed extends DatabaseError {}

/** The file of the SQLite database, in the data folder. */
export const SQLITE_FILE = 'volunteer-time.db';
/** How long a statement waits for another process's lock. */
export const BUSY_TIMEOUT_MS = 10_000;
const LOG_AGAIN_AFTER_MS = 20;
const SCRUB_TIMEOUT_MS = 200;
// Only needed while another process recovers the log after a crash.
const READ_WAIT_MS = 1_000;

const TRANSACTION_TIMES = 3;
const NOT_IN_TRANSACTION = /^\s*(?:pragma|vacuum|begin|commit|rollback)\b/i;

/** The time limit of a request, and the threshold for reporting a slow query with its text, which contains no values. */
export type Limits = Readonly<{
  requestSeconds?: number;
  slow?: Readonly<{ afterMs: number; report: (query: string, milliseconds: number) => void }>;
}>;

/**
 * Opens PostgreSQL if a URL is configured, else the SQLite file in the data folder. With `requestSeconds` PostgreSQL gets a
 * connection pool per kind of work, with time limits; the operator's commands have no limits. Throws `DatabaseError` when the
 * engine would acknowledge writes before they are durable.
 */
export async function openDatabase(
  where: { databaseUrl: string | undefined; dataDir: string },
  limits: Limits = {},
): Promise<Database> {
  return where.databaseUrl === undefined
    ? openSqlite(where.dataDir, limits)
    : openPostgres(where.databaseUrl, limits);
}

/** Opens a database as `openDatabase` does, and closes it after `work`. */
export async function withDatabase<Result>(
  where: { databaseUrl: string | undefined; dataDir: string },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(where);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Runs `work` in a transaction. When the promise resolves, all of it is durable; otherwise nothing was changed. After a
 * rollback caused by another transaction, such as a deadlock, it runs again, at most three times in all.
 */
export async function transaction<Result>(
  database: Database,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  for (let times = 1; ; times += 1) {
    try {
      return await database.transact(work);
    } catch (error) {
      if (times === TRANSACTION_TIMES || !isSerializationFailure(error)) throw error;
    }
  }
}

function openSqlite(dataDir: string, limits: Limits): Database {
  const { requestSeconds, slow } = limits;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = openFile(dataDir);
  // After the first read the database file and its log both exist.
  file.prepare('select count(*) from sqlite_schema').get();
  const files = watchDatabaseFiles(join(dataDir, SQLITE_FILE));
  const waitMs = requestSeconds === undefined ? undefined : requestSeconds * 1_000;
  if (waitMs !== undefined) file.pragma('busy_timeout = 0');
  const commits = new GroupCommit({ file, place: files, waitMs });
  const readConnection = openReadConnection(dataDir);
  const reads = cacheStatements(readConnection);
  const writes = cacheStatements(file);
  // Reads outside of transactions wait for nothing and see committed data.
  const run: RunQuery = async (query) => {
    if (NOT_IN_TRANSACTION.test(query.sql)) return commits.apart(async () => runOn(writes, query));
    const read = reads.prepare(query.sql);
    return read.readonly ? resultOf(read, query) : commits.run(async () => runOn(writes, query));
  };
  const db = new Kysely<Tables>({ dialect: queriesBy(run), ...slowQueryLog(slow) });
  const writer = new Kysely<Tables>({ dialect: savepointsOn(file, writes), ...slowQueryLog(slow) });
  const reader = openReaders(dataDir, limits);
  const database: Database = {
    engine: 'sqlite',
    db,
    transact: (work) => commits.run(() => writer.transaction().execute(work)),
    // Reports use other processes, because a query that takes seconds would block the main thread.
    withPool: (name) => (name === 'reports' && reader !== undefined ? { ...database, db: reader } : database),
    requireSameFiles: files.requireSameFiles,
    ...scrubbing(() => commits.apart(async () => emptyLog(file, waitMs === undefined ? BUSY_TIMEOUT_MS : 0))),
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    close: async () => {
      await reader?.destroy();
      await db.destroy();
      readConnection.close();
      file.close();
    },
  };
  return database;
}

function openReaders(dataDir: string, { requestSeconds, slow }: Limits): Db | undefined {
  if (requestSeconds === undefined) return undefined;
  const limits = { atOnce: maxPoolConnections('reports'), seconds: requestSeconds * REPORT_TIMEOUT_FACTOR };
  return openReadWorkers(join(dataDir, SQLITE_FILE), limits, slowQueryLog(slow));
}

function openFile(dataDir: string): BetterSqlite.Database {
  const problem = foreignLogError(join(dataDir, SQLITE_FILE));
  if (problem !== undefined) throw new DatabaseError(`DATA_DIR: ${problem}`);
  try {
    const file = new BetterSqlite(join(dataDir, SQLITE_FILE));
    applySafetySettings(file, dataDir);
    registerTimeZoneFunctions(file);
    return file;
  } catch (error) {
    if (!(error instanceof BetterSqlite.SqliteError)) throw error;
    throw new DatabaseError(
      `DATA_DIR: ${SQLITE_FILE} cannot be opened (${error.message}). If it is damaged, restore it from a backup.`,
    );
  }
}

// The connection for reads outside of transactions.
function openReadConnection(dataDir: string): BetterSqlite.Database {
  const file = new BetterSqlite(join(dataDir, SQLITE_FILE), { readonly: true });
  file.pragma(`busy_timeout = ${READ_WAIT_MS}`);
  registerTimeZoneFunctions(file);
  // After the first read the connection uses only the open files, whatever happens to the folder.
  file.prepare('select count(*) from sqlite_schema').get();
  return file;
}

function applySafetySettings(file: BetterSqlite.Database, dataDir: string): void {
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  beginLog(file);
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // Overwrites deleted data, so that nothing about a deleted user stays in freed pages.
  file.pragma('secure_delete = ON');
  const actual = {
    journal: file.pragma('journal_mode', { simple: true }),
    synchronous: file.pragma('synchronous', { simple: true }),
    foreignKeys: file.pragma('foreign_keys', { simple: true }),
  };
  // The library falls back to NORMAL in WAL mode, which can lose acknowledged writes in a power failure.
  if (actual.journal !== 'wal' || actual.synchronous !== 2 || actual.foreignKeys !== 1) {
    file.close();
    throw new DatabaseError(
      `The database in ${dataDir} does not keep its safety settings (${JSON.stringify(actual)}). Is the folder on a network drive?`,
    );
  }
}

// While replication runs, Litestream checkpoints the log; this process does so only after an account
// deletion.
function scrubbing(empty: () => Promise<boolean>) {
  let pauseLog: WithLogClosed | undefined;
  let isOwed = false;
  const scrubAfterDeletion = async () => {
    isOwed = !(await (pauseLog === undefined ? empty() : pauseLog(empty)));
    return !isOwed;
  };
  return {
    scrubAfterDeletion,
    scrub: async () => (isOwed || pauseLog === undefined ? scrubAfterDeletion() : true),
    setLogPause: (given: WithLogClosed) => {
      pauseLog = given;
    },
  };
}

// Empties the log, which contains old and new content of changed pages until it restarts. Does not wait for a
// reader in another process; the cleanup job retries. `waitMs` is the busy timeout to restore afterwards.
function emptyLog(file: BetterSqlite.Database, waitMs: number): boolean {
  file.pragma(`busy_timeout = ${SCRUB_TIMEOUT_MS}`);
  try {
    const [result] = file.pragma('wal_checkpoint(truncate)') as { busy: number }[];
    return result?.busy === 0;
  } finally {
    file.pragma(`busy_timeout = ${waitMs}`);
  }
}

// When two processes open a new file at the same time, the one that switches to WAL locks it briefly, which
// the busy timeout does not cover.
function beginLog(file: BetterSqlite.Database): void {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      file.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_AGAIN_AFTER_MS);
    }
  }
}

// Long because the pools of a database refer to each other and close together.
async function openPostgres(databaseUrl: string, limits: Limits): Promise<Database> {
  const { requestSeconds } = limits;
  const databases = new Map<AnyConnectionPoolName, Database>();
  const pools: pg.Pool[] = [];
  const close = async () => {
    await Promise.all([...databases.values()].map(({ db }) => db.destroy()));
  };
  const openPool = (name: AnyConnectionPoolName): Database => {
    const known = databases.get(name);
    if (known !== undefined) return known;
    const settings = connectionLimits(name, requestSeconds);
    const pool = createPool(databaseUrl, maxPoolConnections(name), {
      beginning: { settings, onlyLeader: true },
    });
    pools.push(pool);
    const db = new Kysely<Tables>({
      dialect: new ReconnectingPostgresDialect({ pool }),
      ...slowQueryLog(limits.slow),
    });
    const open: Database = {
      engine: 'postgres',
      db,
      transact: (work) => db.transaction().execute(work),
      withPool: (other) => (requestSeconds === undefined ? database : openPool(other)),
      requireSameFiles: () => undefined,
      // PostgreSQL's vacuum removes deleted rows from its files.
      scrub: async () => true,
      scrubAfterDeletion: async () => true,
      setLogPause: () => undefined,
      connections: () => connectionsIn(pools),
      close,
    };
    databases.set(name, open);
    return open;
  };
  const database = openPool('requests');
  try {
    await requireDurablePostgres(database.db);
  } catch (error) {
    await close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`DATABASE_URL: cannot use this PostgreSQL (${errorMessage(error)})`);
  }
  return database;
}

function connectionsIn(pools: readonly pg.Pool[]): ReturnType<Database['connections']> {
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((sofar, pool) => sofar + count(pool), 0);
  return {
    total: sum(({ totalCount }) => totalCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  };
}

function slowQueryLog(slow: Limits['slow']): { log?: Logger } {
  if (slow === undefined) return {};
  return {
    log: ({ query, queryDurationMillis }) => {
      if (queryDurationMillis >= slow.afterMs) slow.report(query.sql, Math.round(queryDurationMillis));
    },
  };
}

async function requireDurablePostgres(db: Db): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const shown = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db);
    if (shown.rows[0]?.value === 'off') {
      throw new DatabaseError(
        `DATABASE_URL: this PostgreSQL runs with ${setting} = off and could lose confirmed hours. Turn it on.`,
      );
    }
  }
}
