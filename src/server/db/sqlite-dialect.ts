import { setTimeout } from 'node:timers/promises';
import type BetterSqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { databaseFailure } from './failures.ts';
import { CompilerForSqlite } from './query-compilers.ts';
import type { SqlitePlace } from './sqlite-place.ts';

const AGAIN_AFTER_MS = 10;

/**
 * The one connection to a file: `waitMs` is how long a write waits for another process, undefined as long as SQLite
 * does.
 */
export type SqliteConnectionTo = Readonly<{
  file: BetterSqlite.Database;
  place: SqlitePlace;
  waitMs: number | undefined;
}>;

/** SQLite with transactions that take the write lock at once, of which nothing holds up the event loop by waiting. */
export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #connection: SqliteConnectionTo;

  constructor(config: SqliteDialectConfig, connection: SqliteConnectionTo) {
    super(config);
    this.#config = config;
    this.#connection = connection;
  }

  override createDriver() {
    return new ImmediateSqliteDriver(this.#config, this.#connection);
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }

  override createQueryCompiler() {
    return new CompilerForSqlite();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  // SQLite can change tables inside a transaction; the migrator asks the adapter whether it can.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  // The driver itself gives the one connection to one at a time, since it takes it back while it waits.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

const WRITES = /^\s*(?:insert|update|delete|replace|create|drop|alter|commit)\b/i;

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #to: SqliteConnectionTo;
  readonly #turns = new Turns();
  #connection: DatabaseConnection | undefined;

  constructor(config: SqliteDialectConfig, to: SqliteConnectionTo) {
    super(config);
    this.#to = to;
  }

  override async acquireConnection() {
    await this.#turns.take();
    this.#connection ??= this.#patient(await super.acquireConnection());
    return this.#connection;
  }

  override async releaseConnection() {
    this.#turns.give();
  }

  // A plain `begin` takes the write lock at the first write, and fails at once when another process holds it.
  override async beginTransaction(connection: DatabaseConnection) {
    this.#to.place.refuseWhileGone();
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // On a full or failing disk SQLite rolls back by itself. A second rollback would fail and hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#to.file.inTransaction) await super.rollbackTransaction(connection);
  }

  #patient(connection: DatabaseConnection): DatabaseConnection {
    const { file, place } = this.#to;
    const run = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery) => {
      const result = await this.#untilFree(() => run<Row>(query));
      // A write counts only if the file is still in its place afterwards.
      if (!file.inTransaction && WRITES.test(query.sql)) place.requireInPlace();
      return result;
    };
    return connection;
  }

  // SQLite's own wait for another process would block the event loop.
  async #untilFree<Result>(run: () => Promise<Result>): Promise<Result> {
    const { file, waitMs } = this.#to;
    const until = performance.now() + (waitMs ?? 0);
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (file.inTransaction || !isBusy(error) || performance.now() > until) throw error;
      }
      this.#turns.give();
      await setTimeout(AGAIN_AFTER_MS);
      await this.#turns.take();
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    databaseFailure(error) === 'unreachable' &&
    error instanceof Error &&
    'code' in error &&
    String(error.code).startsWith('SQLITE_BUSY')
  );
}

// One at a time, first come first served.
class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  async take(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((goOn) => this.#waiting.push(goOn));
    this.#isTaken = true;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
