import { setTimeout } from 'node:timers/promises';
import type BetterSqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
} from 'kysely';
import { isBusy } from '../database-errors.ts';
import { CompilerForSqlite } from '../query-compilers.ts';
import type { SharedCommits, Turn } from './group-commit.ts';
import { keepStatements } from './statement-cache.ts';

/** The connections of a server to a SQLite file: `file` writes, `beside` reads while a transaction is open there. */
export type SqliteConnections = Readonly<{
  file: BetterSqlite.Database;
  beside: BetterSqlite.Database;
  commits: SharedCommits;
}>;

/**
 * SQLite with transactions that take the write lock at once and share commits. Reads outside of transactions wait for
 * none, and see what is committed.
 */
export class ServerSqliteDialect extends SqliteDialect {
  readonly #to: SqliteConnections;

  constructor(to: SqliteConnections) {
    super({} as SqliteDialectConfig);
    this.#to = to;
  }

  override createDriver() {
    return new ServerSqliteDriver(this.#to);
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

  // Whoever asks gets one; the driver itself lets them write one after another.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ServerSqliteDriver implements Driver {
  readonly #open: Open;
  readonly #idle: Caller[] = [];

  constructor(to: SqliteConnections) {
    this.#open = { ...to, ofFile: keepStatements(to.file), ofBeside: keepStatements(to.beside) };
  }

  async init() {}

  async acquireConnection() {
    return this.#idle.pop() ?? new Caller(this.#open);
  }

  async releaseConnection(caller: DatabaseConnection) {
    if (caller instanceof Caller) this.#idle.push(caller);
  }

  async beginTransaction(caller: DatabaseConnection) {
    if (caller instanceof Caller) await caller.begin();
  }

  async commitTransaction(caller: DatabaseConnection) {
    if (caller instanceof Caller) await caller.end('keep');
  }

  async rollbackTransaction(caller: DatabaseConnection) {
    if (caller instanceof Caller) await caller.end('undo');
  }

  async destroy() {}
}

type Statements = ReturnType<typeof keepStatements>;
type Open = SqliteConnections & Readonly<{ ofFile: Statements; ofBeside: Statements }>;

// What cannot run in a transaction.
const APART = /^\s*(?:pragma|vacuum|begin|commit|rollback)\b/i;
const AGAIN_AFTER_MS = 10;
const READ_WAIT_MS = 10_000;

/** One who uses the database: within a transaction, or between two. */
class Caller implements DatabaseConnection {
  readonly #open: Open;
  #turn: Turn | undefined;

  constructor(open: Open) {
    this.#open = open;
  }

  async begin(): Promise<void> {
    this.#turn = await this.#open.commits.begin();
  }

  // After a commit that failed there is nothing left to roll back.
  async end(how: 'keep' | 'undo'): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    await turn?.end(how);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { file, ofFile, ofBeside, commits } = this.#open;
    if (this.#turn !== undefined) return run<Row>(ofFile.prepare(query.sql), query);
    if (APART.test(query.sql)) return commits.apart(() => run<Row>(ofFile.prepare(query.sql), query));
    const statement = ofFile.prepare(query.sql);
    if (!statement.readonly) return commits.once(() => run<Row>(statement, query));
    return untilFree(() =>
      run<Row>(file.inTransaction ? ofBeside.prepare(query.sql) : ofFile.prepare(query.sql), query),
    );
  }

  // biome-ignore lint/correctness/useYield: nothing is read piece by piece here
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('nothing is read piece by piece here');
  }
}

function run<Row>(statement: BetterSqlite.Statement, { parameters }: CompiledQuery): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}

// Another process may hold the whole file, as while its log is read in after a crash.
async function untilFree<Result>(read: () => Result): Promise<Result> {
  const until = performance.now() + READ_WAIT_MS;
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    await setTimeout(AGAIN_AFTER_MS);
  }
}
