import BetterSqlite from 'better-sqlite3';
import { vi } from 'vitest';
import type { Trx } from '#server/db/database.ts';
import type { TestApp } from './harness.ts';

/** Rows of one owner with a number each, for tests of transactions. */
export function numberedRows({ deps, clock }: Pick<TestApp, 'deps' | 'clock'>, owner: string) {
  return {
    write: (trx: Trx, number: number) =>
      trx
        .insertInto('idempotency_keys')
        .values({
          owner,
          key: String(number),
          fingerprint: '',
          reply: null,
          made_id: null,
          created_at: clock.now(),
        })
        .execute(),
    written: async (): Promise<number[]> => {
      const rows = await deps.database.db
        .selectFrom('idempotency_keys')
        .select('key')
        .where('owner', '=', owner)
        .execute();
      return rows.map((row) => Number(row.key)).sort((a, b) => a - b);
    },
  };
}

/** Counts SQLite's commits, records the last one's connection, and makes the first `failing` commits fail like a bad disk. */
export function commitsOf({ failing = 0 } = {}) {
  const exec = BetterSqlite.prototype.exec;
  const recorded = { commits: 0, connection: undefined as BetterSqlite.Database | undefined };
  let failuresLeft = failing;
  vi.spyOn(BetterSqlite.prototype, 'exec').mockImplementation(function (
    this: BetterSqlite.Database,
    text: string,
  ) {
    if (text !== 'commit') return exec.call(this, text);
    recorded.commits += 1;
    recorded.connection = this;
    failuresLeft -= 1;
    if (failuresLeft < 0) return exec.call(this, text);
    exec.call(this, 'rollback');
    throw new BetterSqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  });
  return recorded;
}
