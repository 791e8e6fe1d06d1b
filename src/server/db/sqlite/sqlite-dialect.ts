import type BetterSqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { CompilerForSqlite } from '../query-compilers.ts';
import type { Statements } from './statement-cache.ts';

/** Runs one query outside of a transaction. */
export type RunQuery = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Runs a query on a connection. */
export function runOn({ prepare }: Statements, query: CompiledQuery): QueryResult<unknown> {
  return resultOf(prepare(query.sql), query);
}

/** Runs a prepared query. */
export function resultOf(
  statement: BetterSqlite.Statement<unknown[]>,
  { parameters }: CompiledQuery,
): QueryResult<unknown> {
  if (statement.reader) return { rows: statement.all(parameters) };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}

/** Kysely's SQLite dialect with this project's compiler. */
class ProjectDialect extends SqliteDialect {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    super({ database: rejectOtherUse });
    this.#driver = driver;
  }

  override createDriver(): Driver {
    return this.#driver;
  }

  override createAdapter() {
    return new ProjectAdapter();
  }

  override createQueryCompiler() {
    return new CompilerForSqlite();
  }
}

class ProjectAdapter extends SqliteAdapter {
  // SQLite supports DDL in transactions; the migrator asks the adapter.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  // Otherwise Kysely runs one query at a time, and a read would wait for a commit.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** A dialect for transactions. The connection has already begun one, and each Kysely transaction is a savepoint in it. */
export function savepointsOn(file: BetterSqlite.Database, { prepare }: Statements): SqliteDialect {
  return new ProjectDialect(new Savepoints(file, { prepare, close: () => {} }));
}

/**
 * A dialect for queries outside of transactions. Kysely's own driver has one connection, which it blocks during a transaction:
 * a read would wait for the slowest write, and a write could not share commits.
 */
export function queriesBy(run: RunQuery, close: () => Promise<void> = async () => {}): SqliteDialect {
  return new ProjectDialect(new SingleQueries(run, close));
}

class Savepoints extends SqliteDriver {
  readonly #file: BetterSqlite.Database;

  constructor(file: BetterSqlite.Database, database: SqliteDatabase) {
    super({ database });
    this.#file = file;
  }

  override async beginTransaction() {
    this.#file.exec('savepoint one');
  }

  override async commitTransaction() {
    this.#file.exec('release one');
  }

  // On a full or failing disk SQLite has already rolled back by itself.
  override async rollbackTransaction() {
    if (this.#file.inTransaction) this.#file.exec('rollback to one; release one');
  }
}

class SingleQueries implements Driver {
  readonly #connection: DatabaseConnection;
  readonly destroy: () => Promise<void>;

  constructor(run: RunQuery, close: () => Promise<void>) {
    this.#connection = {
      executeQuery: async <Row>(query: CompiledQuery) => (await run(query)) as QueryResult<Row>,
      streamQuery: rejectOtherUse,
    };
    this.destroy = close;
  }

  async init() {}

  async acquireConnection() {
    return this.#connection;
  }

  async releaseConnection() {}

  async beginTransaction() {
    rejectOtherUse();
  }

  async commitTransaction() {}

  async rollbackTransaction() {}
}

function rejectOtherUse(): never {
  throw new Error('only single queries run here: use transaction()');
}
