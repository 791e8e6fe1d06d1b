import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Logger,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
} from 'kysely';
import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import { childEnvironment } from '../child-environment.ts';
import { listened } from '../listened.ts';
import { CompilerForSqlite } from './query-compilers.ts';
import type { Tables } from './tables.ts';

/** The messages to and from the process: a query, and its rows or its error. */
export type ReaderQuestion = Readonly<{ id: number; text: string; parameters: readonly unknown[] }>;
export type ReaderAnswer = Readonly<{
  id: number;
  rows?: readonly unknown[];
  message?: string;
  code?: string | undefined;
}>;

const SCRIPT = new URL('./reader-process.ts', import.meta.url);
const WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

type Waiting = Readonly<{
  resolve: (rows: readonly unknown[]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}>;

/**
 * A SQLite file for reading only, by a process with a connection of its own that is started at the first question. A
 * query that takes longer than `seconds` is ended with its process: nothing else stops SQLite, and a thread cannot be
 * ended within a call into it. Knows no transactions.
 */
export function openReader(path: string, seconds: number, more: { log?: Logger } = {}): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ReaderDialect(new Reader(path, seconds)), ...more });
}

class Reader {
  readonly #path: string;
  readonly #seconds: number;
  readonly #waiting = new Map<number, Waiting>();
  #process: ChildProcess | undefined;
  #asked = 0;

  constructor(path: string, seconds: number) {
    this.#path = path;
    this.#seconds = seconds;
  }

  async ask(text: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    if (this.#waiting.size >= WAITING) throw refuse.busy(baseMessages.busy, RETRY_AFTER_SECONDS);
    this.#process ??= this.#start();
    const process = this.#process;
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => process.kill('SIGKILL'), this.#seconds * 1_000);
      this.#waiting.set(id, { resolve, reject, timer });
      process.send({ id, text, parameters } satisfies ReaderQuestion);
    });
  }

  async close(): Promise<void> {
    const process = this.#process;
    if (process?.pid === undefined) return;
    const ended = once(process, 'close');
    process.kill('SIGKILL');
    await ended;
  }

  #start(): ChildProcess {
    // None of this process's settings, which hold secrets, and none of its flags.
    const process = listened(
      fork(SCRIPT, [this.#path], {
        env: childEnvironment(),
        execArgv: [],
        serialization: 'advanced',
        stdio: 'ignore',
      }),
    );
    process.on('message', ({ id, rows, message, code }: ReaderAnswer) => {
      const one = this.#take(id);
      if (rows !== undefined) one?.resolve(rows);
      else one?.reject(Object.assign(new Error(message), code === undefined ? {} : { code }));
    });
    let reason: Error | undefined;
    process.on('error', (error) => {
      reason = error;
    });
    process.once('close', () => {
      if (this.#process === process) this.#process = undefined;
      const ended = reason ?? refuse.unavailable(baseMessages.tooSlow, RETRY_AFTER_SECONDS);
      for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(ended);
    });
    process.unref();
    process.channel?.unref();
    return process;
  }

  #take(id: number): Waiting | undefined {
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(one?.timer);
    return one;
  }
}

class ReaderDialect extends SqliteDialect {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    super({} as SqliteDialectConfig);
    this.#reader = reader;
  }

  override createDriver(): Driver {
    return new ReaderDriver(this.#reader);
  }

  override createAdapter() {
    return new ManyReadersAdapter();
  }

  override createQueryCompiler() {
    return new CompilerForSqlite();
  }
}

// The process runs one query at a time by itself.
class ManyReadersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReaderDriver implements Driver {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
        rows: (await this.#reader.ask(sql, parameters)) as Row[],
      }),
      // biome-ignore lint/correctness/useYield: nothing is read piece by piece here
      streamQuery: async function* () {
        throw new Error('a reader streams nothing');
      },
    };
  }

  async beginTransaction(): Promise<never> {
    throw new Error('a reader has no transactions');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#reader.close();
  }
}
