import { setImmediate, setTimeout } from 'node:timers/promises';
import type BetterSqlite from 'better-sqlite3';
import { isBusy } from '../database-errors.ts';
import type { SqliteFiles } from './database-files.ts';

/** So many transactions share a commit at most, and none joins one that began so long ago. */
const MOST_TOGETHER = 100;
const LONGEST_MS = 250;
const AGAIN_AFTER_MS = 10;

/**
 * The one connection that writes to a file: `waitMs` is how long a transaction waits for another process, undefined as
 * long as SQLite does.
 */
export type SqliteConnectionTo = Readonly<{
  file: BetterSqlite.Database;
  place: SqliteFiles;
  waitMs: number | undefined;
}>;

type Job = Readonly<{
  since: number;
  /** `apart`: between transactions. `alone`: in one of its own, since one that it shared was lost. */
  how: 'shared' | 'alone' | 'apart';
  work: () => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}>;
type Outcome = { result: unknown } | { error: unknown };
type Done = Readonly<{ job: Job; outcome: Outcome }>;

/**
 * Transactions on the connection that writes to a SQLite file, one after another in the order in which they came. Those
 * that come while one runs share its commit, and so one wait for the disk. Nobody is told how a transaction ended before
 * the shared commit is durable, for one may have seen what another wrote. When that commit fails, or SQLite undoes all
 * at once as on a full disk, each runs again by itself.
 */
export class GroupCommit {
  readonly #to: SqliteConnectionTo;
  readonly #jobs: Job[] = [];
  #isGoing = false;

  constructor(to: SqliteConnectionTo) {
    this.#to = to;
  }

  /**
   * Runs work in a transaction. What it wrote is durable when the promise resolves. Work that fails after it wrote
   * undoes that itself, to a savepoint; it may run twice.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enter('shared', work);
  }

  /** Runs work between transactions, for what cannot run inside of one. */
  apart<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enter('apart', work);
  }

  #enter<Result>(how: Job['how'], work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const job = { since: performance.now(), how, work, resolve: resolve as Job['resolve'], reject };
      this.#jobs.push(job);
      if (!this.#isGoing) void this.#go();
    });
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      if (job.how === 'apart') settle({ job, outcome: await outcomeOf(job) });
      else if (await this.#begins(job)) await this.#together(job);
    }
    this.#isGoing = false;
  }

  // SQLite's own wait for another process would block the event loop.
  async #begins({ since, reject }: Job): Promise<boolean> {
    const { file, place, waitMs = 0 } = this.#to;
    for (;;) {
      try {
        place.refuseWhileGone();
        // A plain `begin` takes the lock at the first write, and fails at once when another process holds it.
        file.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error) || performance.now() > since + waitMs) {
          reject(error);
          return false;
        }
      }
      await setTimeout(AGAIN_AFTER_MS);
    }
  }

  async #together(first: Job): Promise<void> {
    const until = performance.now() + LONGEST_MS;
    const done: Done[] = [];
    for (let job: Job | undefined = first; job !== undefined; job = await this.#next(done, until)) {
      done.push({ job, outcome: await outcomeOf(job) });
    }
    const failure = this.#commit(done);
    if (failure === undefined) for (const one of done) settle(one);
    else this.#lose(done, failure);
  }

  // Whoever sent a request at the same moment is heard in one turn of the event loop.
  async #next(done: readonly Done[], until: number): Promise<Job | undefined> {
    const isEnd = done.length >= MOST_TOGETHER || performance.now() > until;
    if (isEnd || done[0]?.job.how === 'alone' || !this.#to.file.inTransaction) return undefined;
    if (this.#jobs.length === 0) await setImmediate();
    return this.#jobs[0]?.how === 'shared' ? this.#jobs.shift() : undefined;
  }

  // Returns why nothing of it was kept.
  #commit(done: readonly Done[]): unknown {
    const { file, place } = this.#to;
    if (!file.inTransaction) return new UndoneBySqlite();
    try {
      file.exec('commit');
      // A write counts only if the file is still in its place afterwards.
      if (done.some(({ outcome }) => 'result' in outcome)) place.requireInPlace();
      return undefined;
    } catch (error) {
      this.#rollBack();
      return error;
    }
  }

  // Fails only when SQLite has rolled back already.
  #rollBack(): void {
    try {
      if (this.#to.file.inTransaction) this.#to.file.exec('rollback');
    } catch {}
  }

  // What failed in a way that undid all the others too has its own error to tell.
  #lose(done: readonly Done[], failure: unknown): void {
    const last = done.at(-1);
    const [culprit] = failure instanceof UndoneBySqlite || done.length === 1 ? [last] : [];
    const again = done.filter((one) => one !== culprit).map(({ job }) => ({ ...job, how: 'alone' as const }));
    this.#jobs.unshift(...again);
    if (culprit === undefined) return;
    settle('error' in culprit.outcome ? culprit : { ...culprit, outcome: { error: failure } });
  }
}

async function outcomeOf({ work }: Job): Promise<Outcome> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
}

function settle({ job, outcome }: Done): void {
  if ('error' in outcome) job.reject(outcome.error);
  else job.resolve(outcome.result);
}

class UndoneBySqlite extends Error {
  constructor() {
    super('SQLite rolled the transaction back by itself');
  }
}
