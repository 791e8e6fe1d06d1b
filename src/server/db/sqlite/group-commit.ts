import { setImmediate, setTimeout } from 'node:timers/promises';
import type BetterSqlite from 'better-sqlite3';
import { isBusy } from '../database-errors.ts';
import type { SqliteFiles } from './database-files.ts';

/** The most transactions per commit. A commit that began too long ago accepts no more either. */
const MAX_PER_COMMIT = 100;
const MAX_COMMIT_MS = 250;
const RETRY_AFTER_MS = 10;

/**
 * The only connection that writes to a file. `waitMs` limits how long a transaction waits for another process; undefined uses
 * SQLite's timeout.
 */
export type SqliteConnectionTo = Readonly<{
  file: BetterSqlite.Database;
  place: SqliteFiles;
  waitMs: number | undefined;
}>;

type Job = Readonly<{
  since: number;
  /**
   * `shared`: in one transaction with others. `alone`: in its own transaction, after a shared one failed. `apart`: between
   * transactions.
   */
  how: 'shared' | 'alone' | 'apart';
  work: () => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}>;
type Outcome = { result: unknown } | { error: unknown };
type Done = Readonly<{ job: Job; outcome: Outcome }>;

/**
 * Runs the transactions of the writing connection one after another, in order. Those that arrive while one runs share its
 * commit, so they wait for the disk only once. A transaction resolves only after the shared commit is durable, because a later
 * transaction may have read its writes. When that commit fails, or SQLite rolls back everything as on a full disk, each
 * transaction runs again alone.
 */
export class GroupCommit {
  readonly #to: SqliteConnectionTo;
  readonly #jobs: Job[] = [];
  #isRunning = false;

  constructor(to: SqliteConnectionTo) {
    this.#to = to;
  }

  /**
   * Runs work in a transaction. Its writes are durable when the promise resolves. Work that fails after a write is rolled back
   * to a savepoint. The work may run twice.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enqueue('shared', work);
  }

  /** Runs work between transactions, for what cannot run inside one. */
  apart<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enqueue('apart', work);
  }

  #enqueue<Result>(how: Job['how'], work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const job = { since: performance.now(), how, work, resolve: resolve as Job['resolve'], reject };
      this.#jobs.push(job);
      if (!this.#isRunning) void this.#runJobs();
    });
  }

  async #runJobs(): Promise<void> {
    this.#isRunning = true;
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      if (job.how === 'apart') settle({ job, outcome: await outcomeOf(job) });
      else if (await this.#begin(job)) await this.#runShared(job);
    }
    this.#isRunning = false;
  }

  // SQLite's own busy wait would block the event loop.
  async #begin({ since, reject }: Job): Promise<boolean> {
    const { file, place, waitMs = 0 } = this.#to;
    for (;;) {
      try {
        place.recheckIfMissing();
        // A plain `begin` takes the lock only at the first write, and fails immediately when another process
        // holds it.
        file.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error) || performance.now() > since + waitMs) {
          reject(error);
          return false;
        }
      }
      await setTimeout(RETRY_AFTER_MS);
    }
  }

  async #runShared(first: Job): Promise<void> {
    const until = performance.now() + MAX_COMMIT_MS;
    const done: Done[] = [];
    for (let job: Job | undefined = first; job !== undefined; job = await this.#nextShared(done, until)) {
      done.push({ job, outcome: await outcomeOf(job) });
    }
    const failure = this.#commit(done);
    if (failure === undefined) for (const one of done) settle(one);
    else this.#handleFailure(done, failure);
  }

  // Requests sent at the same moment arrive within one turn of the event loop.
  async #nextShared(done: readonly Done[], until: number): Promise<Job | undefined> {
    const isEnd = done.length >= MAX_PER_COMMIT || performance.now() > until;
    if (isEnd || done[0]?.job.how === 'alone' || !this.#to.file.inTransaction) return undefined;
    if (this.#jobs.length === 0) await setImmediate();
    return this.#jobs[0]?.how === 'shared' ? this.#jobs.shift() : undefined;
  }

  // Returns why the commit failed.
  #commit(done: readonly Done[]): unknown {
    const { file, place } = this.#to;
    if (!file.inTransaction) return new RolledBackBySqlite();
    try {
      file.exec('commit');
      // A write counts only if the file is still in place afterwards.
      if (done.some(({ outcome }) => 'result' in outcome)) place.requireSameFiles();
      return undefined;
    } catch (error) {
      this.#rollBack();
      return error;
    }
  }

  // Fails only if SQLite has already rolled back.
  #rollBack(): void {
    try {
      if (this.#to.file.inTransaction) this.#to.file.exec('rollback');
    } catch {}
  }

  // If the failure of one transaction rolled back all others, it throws its own error.
  #handleFailure(done: readonly Done[], failure: unknown): void {
    const last = done.at(-1);
    const [failed] = failure instanceof RolledBackBySqlite || done.length === 1 ? [last] : [];
    const retried = done
      .filter((one) => one !== failed)
      .map(({ job }) => ({ ...job, how: 'alone' as const }));
    this.#jobs.unshift(...retried);
    if (failed === undefined) return;
    settle('error' in failed.outcome ? failed : { ...failed, outcome: { error: failure } });
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

class RolledBackBySqlite extends Error {
  constructor() {
    super('SQLite rolled the transaction back by itself');
  }
}
