import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { ENGINE } from '../harness.ts';

/** Longer than the polling interval of any background worker. */
const QUIET_MS = 2_500;

/**
 * Waits until no process has written to the database for a while, so that the next write is the test's. Start-up jobs take
 * longer on a busy machine. `database` is a connection that does not write meanwhile.
 */
export async function waitUntilIdle(database: Database): Promise<void> {
  let last = await writesSoFar(database);
  let since = performance.now();
  while (performance.now() - since < QUIET_MS) {
    await setTimeout(100);
    const now = await writesSoFar(database);
    if (now === last) continue;
    last = now;
    since = performance.now();
  }
}

// SQLite counts commits by other connections. PostgreSQL counts them for all its databases, where other tests write, so
// there it is the last write of each connection to this database.
async function writesSoFar({ db }: Database): Promise<string> {
  const count =
    ENGINE === 'sqlite'
      ? sql<Record<string, unknown>>`pragma data_version`
      : sql<Record<string, unknown>>`select string_agg(pid || ' ' || query_start, ',' order by pid) as count
          from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and query ~* '^(commit|insert|update|delete)'`;
  const { rows } = await count.execute(db);
  return String(Object.values(rows[0] ?? {})[0]);
}
