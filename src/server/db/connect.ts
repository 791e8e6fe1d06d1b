import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  sql,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import type { Engine } from './columns.ts';
import { nameStatements } from './named-statements.ts';
import { CompilerForPostgres, CompilerForSqlite } from './query-compilers.ts';
import type { Tables } from './tables.ts';

/** A query outside a transaction, or inside one. The first argument of every store function. */
export type Db = Kysely<Tables>;
/** Inside a transaction: what an action's stores get, so that nothing slips outside it. */
export type Trx = Transaction<Tables>;

/** An open database of either engine. */
export type Database = Readonly<{
  engine: Engine;
  db: Db;
  /** Copies the database beside itself and answers the copy's path; PostgreSQL is backed up by its operator. */
  copy: (to: string) => Promise<void>;
  /** Takes what was deleted out of SQLite's files as well; false when somebody was reading, and it is not done yet. */
  scrub: () => Promise<boolean>;
  close: () => Promise<void>;
}>;

/** The database cannot be used as it is; the text says what to do. */
export class DatabaseError extends Error {}

/** The file of the SQLite database, in the data folder. */
export const SQLITE_FILE = 'volunteer-time.db';
/** How long a statement waits for another process's lock. */
export const BUSY_TIMEOUT_MS = 10_000;
const LOG_AGAIN_AFTER_MS = 20;
const SCRUB_TIMEOUT_MS = 200;

const STATEMENTS_KEPT = 500;
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/**
 * Opens PostgreSQL when there is an address, else the SQLite file in the data folder. Throws `DatabaseError` when
 * the engine would answer before a write is durable.
 */
export async function openDatabase(where: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Database> {
  return where.databaseUrl === undefined ? openSqlite(where.dataDir) : openPostgres(where.databaseUrl);
}

/** Runs a piece of work in a transaction: all of it is durable when the promise resolves, or none of it happened. */
export function transaction<Result>(
  database: Database,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return database.db.transaction().execute(work);
}

/** Throws when the database does not answer. */
export async function requireAnswer(database: Database): Promise<void> {
  await sql`select 1`.execute(database.db);
}

function openSqlite(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true });
  const file = openFile(dataDir);
  const db = new Kysely<Tables>({
    dialect: new ImmediateSqliteDialect({ database: keepStatements(file) }, file),
  });
  return {
    engine: 'sqlite',
    db,
    copy: async (to) => {
      await file.backup(to);
    },
    scrub: () => emptyLog(db),
    close: () => db.destroy(),
  };
}

function openFile(dataDir: string): BetterSqlite.Database {
  try {
    const file = new BetterSqlite(join(dataDir, SQLITE_FILE));
    requireSafety(file, dataDir);
    return file;
  } catch (error) {
    if (!(error instanceof BetterSqlite.SqliteError)) throw error;
    throw new DatabaseError(
      `DATA_DIR: ${SQLITE_FILE} cannot be opened (${error.message}). If it is damaged, put it back from a backup.`,
    );
  }
}

function requireSafety(file: BetterSqlite.Database, dataDir: string): void {
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  beginLog(file);
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // What is deleted is overwritten: of an erased person nothing is left in freed pages.
  file.pragma('secure_delete = ON');
  const held = {
    journal: file.pragma('journal_mode', { simple: true }),
    synchronous: file.pragma('synchronous', { simple: true }),
    foreignKeys: file.pragma('foreign_keys', { simple: true }),
  };
  // The library is built to fall back to NORMAL in WAL mode, which can lose acknowledged writes at a power cut.
  if (held.journal !== 'wal' || held.synchronous !== 2 || held.foreignKeys !== 1) {
    file.close();
    throw new DatabaseError(
      `The database in ${dataDir} does not hold its safety settings (${JSON.stringify(held)}). Is the folder on a network drive?`,
    );
  }
}

// What was changed stands in the log, as it was before too, until the log is begun anew. Another process that reads is
// not waited for: housekeeping tries again.
async function emptyLog(db: Db): Promise<boolean> {
  return db.connection().execute(async (held) => {
    await sql`pragma busy_timeout = ${sql.lit(SCRUB_TIMEOUT_MS)}`.execute(held);
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(held);
      return rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(BUSY_TIMEOUT_MS)}`.execute(held);
    }
  });
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

/** The same database, but a statement that was prepared once is used again: preparing costs more than most reads. */
export function keepStatements(file: BetterSqlite.Database): SqliteDialectConfig['database'] & object {
  const kept = new Map<string, BetterSqlite.Statement>();
  return {
    close: () => file.close(),
    prepare: (text: string) => {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const statement = file.prepare(text);
      if (kept.size >= STATEMENTS_KEPT) kept.clear();
      kept.set(text, statement);
      return statement;
    },
  };
}

// A plain `begin` takes the write lock at the first write, and fails at once when another process holds it.
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #file: BetterSqlite.Database;

  constructor(config: SqliteDialectConfig, file: BetterSqlite.Database) {
    super(config);
    this.#config = config;
    this.#file = file;
  }

  override createDriver() {
    return new ImmediateSqliteDriver(this.#config, this.#file);
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }

  override createQueryCompiler() {
    return new CompilerForSqlite();
  }
}

// SQLite can change tables inside a transaction; the migrator asks the adapter whether it can.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #file: BetterSqlite.Database;

  constructor(config: SqliteDialectConfig, file: BetterSqlite.Database) {
    super(config);
    this.#file = file;
  }

  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // On a full or failing disk SQLite rolls back by itself. A second rollback would fail and hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }
}

async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = poolOf(databaseUrl, POOL_SIZE);
  const dialect = new PatientPostgresDialect({
    pool,
    onCreateConnection: async (connection) => {
      await connection.executeQuery(SET_UTC);
    },
  });
  const db = new Kysely<Tables>({ dialect });
  try {
    await refuseLossyPostgres(db);
  } catch (error) {
    await db.destroy();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      `DATABASE_URL: cannot use this PostgreSQL (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  return {
    engine: 'postgres',
    db,
    copy: async () => undefined,
    // PostgreSQL's own vacuum takes deleted rows out of its files.
    scrub: async () => true,
    close: () => db.destroy(),
  };
}

/** Instants are read as UTC, whatever the server's zone is: the first statement of every connection. */
export const SET_UTC = CompiledQuery.raw(`set time zone 'UTC'`);

/** Connections to PostgreSQL that read numbers, days and instants as this product does; at most `max` of them. */
export function poolOf(databaseUrl: string, max: number, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A database server that vanished silently must not hold requests forever. No limit on a query itself: a
    // migration may take minutes.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: parserOf },
    ...more,
  });
  // A connection that breaks while idle, in the pool or inside a transaction, is replaced at its next use.
  // Without these listeners the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', nameStatements());
  return pool;
}

class PatientPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new PatientPostgresDriver(this.#config);
  }

  override createQueryCompiler() {
    return new CompilerForPostgres();
  }
}

class PatientPostgresDriver extends PostgresDriver {
  // The rollback fails when the connection is lost, but the server then rolls back anyway; the first error is thrown.
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
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

// By default the driver turns numbers into strings and days into Dates shifted by a time zone. Both engines must
// return the same values.
const OID = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 } as const;

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === OID.int8 || oid === OID.numeric) return Number;
  if (oid === OID.date) return (text: string) => text;
  if (oid === OID.timestamptz) return instantFromPostgres;
  return pg.types.getTypeParser(oid, format);
}

// '2026-03-01 17:04:05.12+00' -> '2026-03-01T17:04:05.120Z'; the connection's zone is UTC.
function instantFromPostgres(text: string): string {
  const [moment = '', fraction = ''] = text.replace('+00', '').split('.');
  return `${moment.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
