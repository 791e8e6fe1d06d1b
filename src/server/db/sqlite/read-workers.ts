import type { ChildProcess } from 'node:child_process';
import { Kysely, type Logger } from 'kysely';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { ProcessPool } from '../../process/process-pool.ts';
import type { Tables } from '../tables.ts';
import { queriesBy, type RunQuery } from './sqlite-dialect.ts';

/** The messages to and from a read worker: a query, and its rows or its error. */
export type ReadRequest = Readonly<{ text: string; parameters: readonly unknown[] }>;
export type ReadReply = Readonly<{
  rows?: unknown[];
  message?: string;
  code?: string | undefined;
}>;

/**
 * The most processes, the time limit of a query, the queue limits, and how long an idle process stays. The
 * last one always stays.
 */
export type ReaderLimits = Readonly<{
  atOnce: number;
  seconds: number;
  waiting?: number;
  waitSeconds?: number;
  idleMs?: number;
}>;

const SCRIPT = new URL('./read-worker-process.ts', import.meta.url);
const WAITING = 100;
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
const NICENESS = 5;

/**
 * Reads a SQLite file in a few child processes, started on demand, with a connection each. A query sees
 * everything committed before it. A query that takes longer than `seconds` is killed with its process:
 * nothing else stops SQLite, and a thread cannot be stopped within a native call. If a process dies by
 * itself, another one repeats the query. Throws 503 when too many queries wait, or one waited longer than its
 * time limit. No transactions.
 */
export function openReadWorkers(
  path: string,
  limits: ReaderLimits,
  more: { log?: Logger } = {},
  script: URL = SCRIPT,
): Kysely<Tables> {
  const readers = new Readers(path, limits, script);
  const run: RunQuery = async ({ sql, parameters }) => ({
    rows: await readers.ask({ text: sql, parameters }),
  });
  return new Kysely<Tables>({ dialect: queriesBy(run, () => readers.close()), ...more });
}

type Waiting = Readonly<{ goOn: () => void; timer: NodeJS.Timeout }>;

class Readers {
  readonly #limits: Required<ReaderLimits>;
  readonly #pool: ProcessPool;
  readonly #waiting: Waiting[] = [];
  #busy = 0;
  #isClosed = false;

  constructor(path: string, limits: ReaderLimits, script: URL) {
    this.#limits = { waiting: WAITING, waitSeconds: limits.seconds, idleMs: IDLE_MS, ...limits };
    this.#pool = new ProcessPool(script, {
      args: [path],
      serialization: 'advanced',
      niceness: NICENESS,
      idleMs: this.#limits.idleMs,
      keepsOne: true,
    });
  }

  async ask(question: ReadRequest): Promise<unknown[]> {
    await this.#turn();
    try {
      // Something else may have killed it; a read can safely be repeated.
      const answer = (await this.#read(question)) ?? (await this.#read(question));
      if (answer === undefined) throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
      if (answer.rows !== undefined) return answer.rows;
      const { message, code } = answer;
      throw Object.assign(new Error(message), code === undefined ? {} : { code });
    } finally {
      this.#next();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.close();
  }

  async #turn(): Promise<void> {
    if (this.#busy < this.#limits.atOnce) {
      this.#busy += 1;
      return;
    }
    const busy = () => errors.busy(commonMessages.reportsBusy, RETRY_AFTER_SECONDS);
    if (this.#waiting.length >= this.#limits.waiting) throw busy();
    await new Promise<void>((goOn, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(one), 1);
        reject(busy());
      }, this.#limits.waitSeconds * 1_000);
      const one: Waiting = { goOn, timer };
      this.#waiting.push(one);
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#busy -= 1;
      return;
    }
    clearTimeout(next.timer);
    next.goOn();
  }

  // Returns undefined when the process died by itself. Throws 503 when it was killed for its time limit.
  async #read(question: ReadRequest): Promise<ReadReply | undefined> {
    if (this.#isClosed) throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
    const process = this.#pool.take();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill('SIGKILL');
    }, this.#limits.seconds * 1_000);
    const answer = await answerOf(process, question);
    clearTimeout(timer);
    if (answer === undefined) {
      process.kill('SIGKILL');
      if (isLate) throw errors.unavailable(commonMessages.tooSlow, RETRY_AFTER_SECONDS);
    } else this.#pool.giveBack(process);
    return answer;
  }
}

function answerOf(process: ChildProcess, question: ReadRequest): Promise<ReadReply | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: ReadReply | undefined) => {
      process.off('message', settle).off('exit', onEnd).off('error', onEnd);
      resolve(answer);
    };
    const onEnd = () => settle(undefined);
    process.once('message', settle).once('exit', onEnd).once('error', onEnd);
    // It may have exited before the listeners were added.
    process.send(question, (error) => {
      if (error !== null) onEnd();
    });
  });
}
