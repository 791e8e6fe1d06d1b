import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
} from 'kysely';
import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import { listened } from '../listened.ts';
import { CompilerForSqlite } from './query-compilers.ts';
import type { Tables } from './tables.ts';

/** The messages to and from the thread: a query, and its rows or its error. */
export type ReaderQuestion = Readonly<{ id: number; text: string; parameters: readonly unknown[] }>;
export type ReaderAnswer = Readonly<{
  id: number;
  rows?: readonly unknown[];
  message?: string;
  code?: string | undefined;
}>;

const SCRIPT = new URL('./reader-worker.ts', import.meta.url);
const WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

type Waiting = Readonly<{
  resolve: (rows: readonly unknown[]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}>;

/**
 * A SQLite file for reading only, by a thread with a connection of its own that is started at the first question. What
 * takes longer than `seconds` is ended with its thread: nothing else stops SQLite. Knows no transactions.
 */
export function openReader(path: string, seconds: number): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ReaderDialect(new ReaderThread(path, seconds)) });
}

class ReaderThread {
  readonly #path: string;
  readonly #seconds: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #asked = 0;

  constructor(path: string, seconds: number) {
    this.#path = path;
    this.#seconds = seconds;
  }

  async ask(text: string, parameters: readonly unknown[]): Promise<readonly unknown[]> {
    if (this.#waiting.size >= WAITING) throw refuse.busy(baseMessages.busy, RETRY_AFTER_SECONDS);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(worker), this.#seconds * 1_000);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, text, parameters } satisfies ReaderQuestion);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = listened(new Worker(SCRIPT, { workerData: this.#path }));
    worker.on('message', ({ id, rows, message, code }: ReaderAnswer) => {
      const one = this.#take(id);
      if (rows !== undefined) one?.resolve(rows);
      else one?.reject(Object.assign(new Error(message), code === undefined ? {} : { code }));
    });
    let reason: Error | undefined;
    worker.on('error', (error) => {
      reason = error;
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      const ended = reason ?? refuse.unavailable(baseMessages.tooSlow, RETRY_AFTER_SECONDS);
      for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(ended);
    });
    worker.unref();
    return worker;
  }

  #take(id: number): Waiting | undefined {
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(one?.timer);
    return one;
  }

  #end(worker: Worker): void {
    void worker.terminate();
  }
}

class ReaderDialect extends SqliteDialect {
  readonly #thread: ReaderThread;

  constructor(thread: ReaderThread) {
    super({} as SqliteDialectConfig);
    this.#thread = thread;
  }

  override createDriver(): Driver {
    return new ReaderDriver(this.#thread);
  }

  override createAdapter() {
    return new ManyReadersAdapter();
  }

  override createQueryCompiler() {
    return new CompilerForSqlite();
  }
}

// The thread runs one query at a time by itself.
class ManyReadersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ReaderDriver implements Driver {
  readonly #thread: ReaderThread;

  constructor(thread: ReaderThread) {
    this.#thread = thread;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
        rows: (await this.#thread.ask(sql, parameters)) as Row[],
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
    return this.#thread.close();
  }
}
