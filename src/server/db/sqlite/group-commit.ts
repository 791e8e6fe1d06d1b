import { setImmediate, setTimeout } from 'node:timers/promises';
import type BetterSqlite from 'better-sqlite3';
import { isBusy, LostTogether } from '../database-errors.ts';
import type { SqlitePlace } from './database-files.ts';

/** So many transactions share a commit at most, and none joins one that began so long ago. */
const MOST_TOGETHER = 100;
const LONGEST_MS = 250;
const AGAIN_AFTER_MS = 10;
const TIMES = 3;

/**
 * The one connection that writes to a file: `waitMs` is how long a transaction waits for another process, undefined as
 * long as SQLite does.
 */
export type SqliteConnectionTo = Readonly<{
  file: BetterSqlite.Database;
  place: SqlitePlace;
  waitMs: number | undefined;
}>;

/** A transaction that has begun. */
export type Turn = Readonly<{
  /** Ends it. Resolves when what it wrote is durable; throws when nothing of it was kept, though it should be. */
  end: (how: Ending) => Promise<void>;
}>;
type Ending = 'keep' | 'undo';

type Entrant = Readonly<{
  since: number;
  isApart: boolean;
  begin: () => void;
  refuse: (reason: unknown) => void;
  ending: Promise<Ending>;
  settle: (failure: unknown) => void;
}>;
type Ended = Readonly<{ entrant: Entrant; how: Ending }>;

/**
 * Transactions on the connection that writes to a SQLite file, one after another in the order in which they came. Those
 * that come while one runs share its commit, and so one wait for the disk. Each stands in a savepoint: one that fails
 * leaves the others. Nobody is told how a transaction ended before the shared commit is durable, for one may have seen
 * what another wrote. When that commit fails, or SQLite undoes all at once as on a full disk, `LostTogether` asks each to
 * run again, which it then does by itself.
 */
export class SharedCommits {
  readonly #to: SqliteConnectionTo;
  readonly #waiting: Entrant[] = [];
  #isGoing = false;
  /** After a shared commit failed, so many transactions have one of their own. */
  #toRunApart = 0;

  constructor(to: SqliteConnectionTo) {
    this.#to = to;
  }

  /** Begins a transaction when those that came before have ended. */
  begin(): Promise<Turn> {
    return this.#enter(false);
  }

  /** Runs a write in a transaction of its own. */
  async once<Result>(write: () => Result): Promise<Result> {
    for (let times = 1; ; times += 1) {
      const turn = await this.begin();
      const made = await resultOf(turn, write);
      try {
        await turn.end('keep');
        return made;
      } catch (error) {
        if (times === TIMES || !(error instanceof LostTogether)) throw error;
      }
    }
  }

  /** Runs work between transactions, for what cannot run inside of one. */
  async apart<Result>(work: () => Result): Promise<Result> {
    const turn = await this.#enter(true);
    const made = await resultOf(turn, work);
    await turn.end('keep');
    return made;
  }

  #enter(isApart: boolean): Promise<Turn> {
    const begun = Promise.withResolvers<Turn>();
    const ending = Promise.withResolvers<Ending>();
    const settled = Promise.withResolvers<void>();
    const end = (how: Ending) => {
      ending.resolve(how);
      return settled.promise;
    };
    this.#waiting.push({
      since: performance.now(),
      isApart,
      begin: () => begun.resolve({ end }),
      refuse: begun.reject,
      ending: ending.promise,
      settle: (failure) => (failure === undefined ? settled.resolve() : settled.reject(failure)),
    });
    if (!this.#isGoing) void this.#go();
    return begun.promise;
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift()) {
      await (first.isApart ? this.#between(first) : this.#together(first));
    }
    this.#isGoing = false;
  }

  async #between({ begin, ending, settle }: Entrant): Promise<void> {
    begin();
    await ending;
    settle(undefined);
  }

  async #together(first: Entrant): Promise<void> {
    if (!(await this.#hasLock(first))) return;
    const began = performance.now();
    const ended: Ended[] = [];
    let broken: unknown;
    for (let next: Entrant | undefined = first; next !== undefined; next = await this.#next(ended, began)) {
      broken = await this.#run(next, ended);
      if (broken !== undefined || !this.#to.file.inTransaction) break;
    }
    this.#finish(ended, broken);
  }

  // SQLite's own wait for another process would block the event loop.
  async #hasLock({ since, refuse }: Entrant): Promise<boolean> {
    const { file, place, waitMs = 0 } = this.#to;
    for (;;) {
      try {
        place.refuseWhileGone();
        // A plain `begin` takes the lock at the first write, and fails at once when another process holds it.
        file.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error) || performance.now() > since + waitMs) {
          refuse(error);
          return false;
        }
      }
      await setTimeout(AGAIN_AFTER_MS);
    }
  }

  // Runs one of them to its end. Returns what broke the transaction that they share, if anything did.
  async #run(entrant: Entrant, ended: Ended[]): Promise<unknown> {
    const { file } = this.#to;
    const isShared = ended.length > 0;
    try {
      if (isShared) file.exec('savepoint shared');
    } catch (error) {
      entrant.refuse(new LostTogether(error));
      return error;
    }
    entrant.begin();
    const how = await entrant.ending;
    ended.push({ entrant, how });
    // On a full or failing disk SQLite rolls back by itself, and all of it.
    if (!file.inTransaction) return isShared || how === 'keep' ? new UndoneBySqlite() : undefined;
    try {
      if (how === 'undo') file.exec(isShared ? 'rollback to shared; release shared' : 'rollback');
      else if (isShared) file.exec('release shared');
      return undefined;
    } catch (error) {
      return error;
    }
  }

  // Whoever sent a request at the same moment is heard in one turn of the event loop.
  async #next({ length }: readonly Ended[], began: number): Promise<Entrant | undefined> {
    if (this.#toRunApart > 0) {
      this.#toRunApart -= 1;
      return undefined;
    }
    if (length >= MOST_TOGETHER || performance.now() > began + LONGEST_MS) return undefined;
    if (this.#waiting.length === 0) await setImmediate();
    return this.#waiting[0]?.isApart === true ? undefined : this.#waiting.shift();
  }

  #finish(ended: readonly Ended[], broken: unknown): void {
    const failure = broken ?? this.#commitFailure(ended);
    if (failure !== undefined) this.#rollBack();
    const isShared = ended.length > 1 || broken !== undefined;
    if (failure !== undefined && isShared) this.#toRunApart = ended.length + this.#waiting.length;
    // What failed in a way that undid all the others too has its own error to tell.
    const culprit = failure instanceof UndoneBySqlite ? ended.at(-1) : undefined;
    for (const one of ended) {
      const isTold = failure === undefined || (one.how === 'undo' && (!isShared || one === culprit));
      one.entrant.settle(isTold ? undefined : isShared ? new LostTogether(failure) : failure);
    }
  }

  #commitFailure(ended: readonly Ended[]): unknown {
    const { file, place } = this.#to;
    try {
      if (file.inTransaction) file.exec('commit');
      // A write counts only if the file is still in its place afterwards.
      if (ended.some(({ how }) => how === 'keep')) place.requireInPlace();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  // Fails only when SQLite has rolled back already.
  #rollBack(): void {
    try {
      if (this.#to.file.inTransaction) this.#to.file.exec('rollback');
    } catch {}
  }
}

async function resultOf<Result>(turn: Turn, work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    await turn.end('undo');
    throw error;
  }
}

class UndoneBySqlite extends Error {
  constructor() {
    super('SQLite rolled the transaction back by itself');
  }
}
