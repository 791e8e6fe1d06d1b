import type { ChildProcess } from 'node:child_process';
import { Kysely, type Logger } from 'kysely';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { ProcessPool } from '../../process/process-pool.ts';
import type { Tables } from '../tables.ts';
import { queriesBy, type RunQuery } from './sqlite-dialect.ts';

/** The messages to and from a process: a query, and its rows or its error. */
export type ReadRequest = Readonly<{ text: string; parameters: readonly unknown[] }>;
export type ReadReply = Readonly<{
  rows?: unknown[];
  message?: string;
  code?: string | undefined;
}>;

/**
 * How many processes read at most, how long a query may take, how many wait for how long, and how long a process stays
 * that has nothing to do. The last one stays.
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
 * A SQLite file for reading only, by a few processes with a connection each that are started as queries come. Each
 * query sees what was committed before it. One that takes longer than `seconds` is ended with its process: nothing else
 * stops SQLite, and a thread cannot be ended within a call into it. When a process ends by itself, another one reads
 * for it. Throws 503 when too many queries wait, and when one waited longer than it may take. Knows no transactions.
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
      // It may have been killed by something else: a query changes nothing and can be asked again.
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

  // Nothing when the process ended by itself. Throws 503 when it was ended for its time.
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
    // It may have ended before anybody listened.
    process.send(question, (error) => {
      if (error !== null) onEnd();
    });
  });
}
