import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, type Logger, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Engine } from './column-types.ts';
import { isSerializationFailure } from './database-errors.ts';
import { poolOf } from './postgres/connection-pool.ts';
import {
  type AnyConnectionPoolName,
  type ConnectionPoolName,
  limitsOf,
  maxPoolConnections,
  REPORT_TIMEOUT_FACTOR,
} from './postgres/connection-pools.ts';
import { ReconnectingPostgresDialect } from './postgres/postgres-dialect.ts';
import { watchDatabaseFiles } from './sqlite/database-files.ts';
import { foreignLogError } from './sqlite/database-mark.ts';
import { GroupCommit } from './sqlite/group-commit.ts';
import { openReadWorkers } from './sqlite/read-workers.ts';
import { queriesBy, type RunQuery, resultOf, runOn, savepointsOn } from './sqlite/sqlite-dialect.ts';
import { cacheStatements } from './sqlite/statement-cache.ts';
import { registerTimeZoneFunctions } from './sqlite/time-zone-functions.ts';
import type { Tables } from './tables.ts';

/** A query outside a transaction, or inside one. The first argument of every store function. */
export type Db = Kysely<Tables>;
/** Inside a transaction: what an action's stores get, so that nothing slips outside it. */
export type Trx = Transaction<Tables>;

/** An open database of either engine. `db` is for requests. */
export type Database = Readonly<{
  engine: Engine;
  db: Db;
  /** Runs work in one transaction: see `transaction`. */
  transact: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>;
  /** The same database for another kind of work; on PostgreSQL with its own connections if there are lanes. */
  withPool: (name: ConnectionPoolName) => Database;
  /** Throws `DatabaseFilesReplaced` when the file that is open is not the one in the data folder any more. */
  requireSameFiles: () => void;
  /** Removes deleted data from SQLite's files too; false when a reader prevented it. */
  scrub: () => Promise<boolean>;
  /** The same after an erasure: whatever copies the log stands aside meanwhile. What fails is owed to `scrub`. */
  scrubErased: () => Promise<boolean>;
  /** Says how to do some work while the program that copies SQLite's log stands aside. */
  letStandAside: (whileAside: WithLogClosed) => void;
  /** The connections of a PostgreSQL pool: how many there are, idle, and how many callers wait for one. */
  connections: () => Readonly<{ total: number; idle: number; waiting: number }>;
  close: () => Promise<void>;
}>;

/** Runs work that needs SQLite's log for itself. */
export type WithLogClosed = (work: () => Promise<boolean>) => Promise<boolean>;

/** The database cannot be used as it is; the text says what to do. */
export class DatabaseError extends Error {}

/** This version cannot use the database, now or at the next try. The text says whether the database is as before. */
export class UpdateFailed extends DatabaseError {}

/** The file of the SQLite database, in the data folder. */
export const SQLITE_FILE = 'volunteer-time.db';
/** How long a statement waits for another process's lock. */
export const BUSY_TIMEOUT_MS = 10_000;
const LOG_AGAIN_AFTER_MS = 20;
const SCRUB_TIMEOUT_MS = 200;
// Only while another process reads the log in after a crash.
const READ_WAIT_MS = 1_000;

const TRANSACTION_TIMES = 3;
const NOT_IN_TRANSACTION = /^\s*(?:pragma|vacuum|begin|commit|rollback)\b/i;

/** How long requests may take, and from when on a query is told of as slow, with its text, which holds no values. */
export type Limits = Readonly<{
  requestSeconds?: number;
  slow?: Readonly<{ afterMs: number; tell: (query: string, milliseconds: number) => void }>;
}>;

/**
 * Opens PostgreSQL when there is an address, else the SQLite file in the data folder. With `requestSeconds` PostgreSQL
 * gets a lane for each kind of work, in which nothing runs or waits longer; without, as programs of the operator open
 * it, nothing is limited. Throws `DatabaseError` when the engine would answer before a write is durable.
 */
export async function openDatabase(
  where: { databaseUrl: string | undefined; dataDir: string },
  limits: Limits = {},
): Promise<Database> {
  return where.databaseUrl === undefined
    ? openSqlite(where.dataDir, limits)
    : openPostgres(where.databaseUrl, limits);
}

/**
 * Runs `work` in a transaction: all of it is durable when the promise resolves, or none of it happened. It runs again
 * when it was rolled back because of another transaction, as in a deadlock.
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
  // Both files exist from the first read on.
  file.prepare('select count(*) from sqlite_schema').get();
  const place = watchDatabaseFiles(join(dataDir, SQLITE_FILE));
  const waitMs = requestSeconds === undefined ? undefined : requestSeconds * 1_000;
  if (waitMs !== undefined) file.pragma('busy_timeout = 0');
  const commits = new GroupCommit({ file, place, waitMs });
  const beside = openBeside(dataDir);
  const reads = cacheStatements(beside);
  const writes = cacheStatements(file);
  // Reads outside of transactions wait for none, and see what is committed.
  const run: RunQuery = async (query) => {
    if (NOT_IN_TRANSACTION.test(query.sql)) return commits.apart(async () => runOn(writes, query));
    const read = reads.prepare(query.sql);
    return read.readonly ? resultOf(read, query) : commits.run(async () => runOn(writes, query));
  };
  const db = new Kysely<Tables>({ dialect: queriesBy(run), ...tellingSlow(slow) });
  const writer = new Kysely<Tables>({ dialect: savepointsOn(file, writes), ...tellingSlow(slow) });
  const reader = readersOf(dataDir, limits);
  const database: Database = {
    engine: 'sqlite',
    db,
    transact: (work) => commits.run(() => writer.transaction().execute(work)),
    // Reports are read by other processes, since a query of seconds would block the main thread.
    withPool: (name) => (name === 'reports' && reader !== undefined ? { ...database, db: reader } : database),
    requireSameFiles: place.requireInPlace,
    ...scrubbing(() => commits.apart(async () => emptyLog(file, waitMs === undefined ? BUSY_TIMEOUT_MS : 0))),
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    close: async () => {
      await reader?.destroy();
      await db.destroy();
      beside.close();
      file.close();
    },
  };
  return database;
}

function readersOf(dataDir: string, { requestSeconds, slow }: Limits): Db | undefined {
  if (requestSeconds === undefined) return undefined;
  const limits = { atOnce: maxPoolConnections('reports'), seconds: requestSeconds * REPORT_TIMEOUT_FACTOR };
  return openReadWorkers(join(dataDir, SQLITE_FILE), limits, tellingSlow(slow));
}

function openFile(dataDir: string): BetterSqlite.Database {
  const strange = foreignLogError(join(dataDir, SQLITE_FILE));
  if (strange !== undefined) throw new DatabaseError(`DATA_DIR: ${strange}`);
  try {
    const file = new BetterSqlite(join(dataDir, SQLITE_FILE));
    requireSafety(file, dataDir);
    registerTimeZoneFunctions(file);
    return file;
  } catch (error) {
    if (!(error instanceof BetterSqlite.SqliteError)) throw error;
    throw new DatabaseError(
      `DATA_DIR: ${SQLITE_FILE} cannot be opened (${error.message}). If it is damaged, put it back from a backup.`,
    );
  }
}

// For reads outside of transactions.
function openBeside(dataDir: string): BetterSqlite.Database {
  const file = new BetterSqlite(join(dataDir, SQLITE_FILE), { readonly: true });
  file.pragma(`busy_timeout = ${READ_WAIT_MS}`);
  registerTimeZoneFunctions(file);
  // From the first read on it needs no more than what is open, whatever becomes of the folder.
  file.prepare('select count(*) from sqlite_schema').get();
  return file;
}

function requireSafety(file: BetterSqlite.Database, dataDir: string): void {
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  beginLog(file);
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // Deleted data is overwritten, so that nothing about an erased person stays in freed pages.
  file.pragma('secure_delete = ON');
  const actual = {
    journal: file.pragma('journal_mode', { simple: true }),
    synchronous: file.pragma('synchronous', { simple: true }),
    foreignKeys: file.pragma('foreign_keys', { simple: true }),
  };
  // The library is built to fall back to NORMAL in WAL mode, which can lose acknowledged writes at a power cut.
  if (actual.journal !== 'wal' || actual.synchronous !== 2 || actual.foreignKeys !== 1) {
    file.close();
    throw new DatabaseError(
      `The database in ${dataDir} does not hold its safety settings (${JSON.stringify(actual)}). Is the folder on a network drive?`,
    );
  }
}

// While the log is copied, it is emptied by the program that copies it, and by us only when an erasure asks for that.
function scrubbing(empty: () => Promise<boolean>) {
  let whileAside: WithLogClosed | undefined;
  let isOwed = false;
  const scrubErased = async () => {
    isOwed = !(await (whileAside === undefined ? empty() : whileAside(empty)));
    return !isOwed;
  };
  return {
    scrubErased,
    scrub: async () => (isOwed || whileAside === undefined ? scrubErased() : true),
    letStandAside: (given: WithLogClosed) => {
      whileAside = given;
    },
  };
}

// What was changed stands in the log, as it was before too, until the log is begun anew. Another process that reads is
// not waited for: housekeeping tries again.
// `waitMs` is how long statements wait otherwise.
function emptyLog(file: BetterSqlite.Database, waitMs: number): boolean {
  file.pragma(`busy_timeout = ${SCRUB_TIMEOUT_MS}`);
  try {
    const [result] = file.pragma('wal_checkpoint(truncate)') as { busy: number }[];
    return result?.busy === 0;
  } finally {
    file.pragma(`busy_timeout = ${waitMs}`);
  }
}

// When two processes start at once on a new file, the one that switches to WAL locks the file for a moment, and the
// busy timeout does not cover that.
function beginLog(file: BetterSqlite.Database): void {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      file.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_AGAIN_AFTER_MS);
    }
  }
}

// Long because the lanes of a database refer to each other, and are closed together.
async function openPostgres(databaseUrl: string, limits: Limits): Promise<Database> {
  const { requestSeconds } = limits;
  const lanes = new Map<AnyConnectionPoolName, Database>();
  const pools: pg.Pool[] = [];
  const close = async () => {
    await Promise.all([...lanes.values()].map(({ db }) => db.destroy()));
  };
  const laneOf = (name: AnyConnectionPoolName): Database => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const settings = limitsOf(name, requestSeconds);
    const pool = poolOf(databaseUrl, maxPoolConnections(name), {
      beginning: { settings, onlyLeader: true },
    });
    pools.push(pool);
    const db = new Kysely<Tables>({
      dialect: new ReconnectingPostgresDialect({ pool }),
      ...tellingSlow(limits.slow),
    });
    const open: Database = {
      engine: 'postgres',
      db,
      transact: (work) => db.transaction().execute(work),
      withPool: (other) => (requestSeconds === undefined ? database : laneOf(other)),
      requireSameFiles: () => undefined,
      // PostgreSQL's own vacuum takes deleted rows out of its files.
      scrub: async () => true,
      scrubErased: async () => true,
      letStandAside: () => undefined,
      connections: () => connectionsIn(pools),
      close,
    };
    lanes.set(name, open);
    return open;
  };
  const database = laneOf('requests');
  try {
    await refuseLossyPostgres(database.db);
  } catch (error) {
    await close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      `DATABASE_URL: cannot use this PostgreSQL (${error instanceof Error ? error.message : String(error)})`,
    );
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

function tellingSlow(slow: Limits['slow']): { log?: Logger } {
  if (slow === undefined) return {};
  return {
    log: ({ query, queryDurationMillis }) => {
      if (queryDurationMillis >= slow.afterMs) slow.tell(query.sql, Math.round(queryDurationMillis));
    },
  };
}

async function refuseLossyPostgres(db: Db): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const shown = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db);
    if (shown.rows[0]?.value === 'off') {
      throw new DatabaseError(
        `DATABASE_URL: this PostgreSQL runs with ${setting} = off and could lose hours that were confirmed. Switch it on.`,
      );
    }
  }
}
