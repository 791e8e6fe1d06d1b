import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { ENGINE } from '../harness.ts';

/** Longer than the pause of any background worker between two looks for work. */
const QUIET_MS = 2_500;

/**
 * Waits until no process has written to the database for a while, so that the next write is the test's own: start-up
 * jobs take as long as the machine is busy. `database` is a connection that does not write meanwhile.
 */
export async function untilQuiet(database: Database): Promise<void> {
  let seen = await writesSoFar(database);
  let since = performance.now();
  while (performance.now() - since < QUIET_MS) {
    await setTimeout(100);
    const now = await writesSoFar(database);
    if (now === seen) continue;
    seen = now;
    since = performance.now();
  }
}

// Each engine's own count of committed writes by others.
async function writesSoFar({ db }: Database): Promise<string> {
  const count =
    ENGINE === 'sqlite'
      ? sql<Record<string, unknown>>`pragma data_version`
      : sql<Record<string, unknown>>`select pg_snapshot_xmax(pg_current_snapshot())::text as count`;
  const { rows } = await count.execute(db);
  return String(Object.values(rows[0] ?? {})[0]);
}
