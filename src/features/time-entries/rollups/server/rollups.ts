import { type Database, transaction } from '#server/db/database.ts';
import { getServerStates, setServerState } from '#server/db/server-state.ts';
import { type DatabaseLocation, openSnapshot } from '#server/db/snapshot.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { hourIn, millisecondsOf } from '#shared/calendar-date.ts';
import { countWrongRollups, type Drift, findDrift, lockEntries, rebuildRollups } from './rollups-store.ts';

export { countWrongRollups } from './rollups-store.ts';

/** Compares the rollups with the entries, which are locked meanwhile. Returns every row that differs. */
export function verifyRollups(database: Database): Promise<Drift[]> {
  return transaction(database, async (trx) => {
    await lockEntries(trx);
    return findDrift(trx);
  });
}

/** Compares the rollups with the entries without locks, on a snapshot of a running server's database. */
export async function verifyRunning(location: DatabaseLocation): Promise<Drift[]> {
  const db = openSnapshot(location);
  try {
    return await findDrift(db);
  } finally {
    await db.destroy();
  }
}

/** Rebuilds the rollups and compares again; returns what differed before. */
export function repairRollups(database: Database): Promise<Drift[]> {
  return transaction(database, async (trx) => {
    await lockEntries(trx);
    const drift = await findDrift(trx);
    await rebuildRollups(trx);
    const left = await findDrift(trx);
    if (left.length > 0) throw new Error(`${left.length} totals still do not match their entries`);
    return drift;
  });
}

/** The name under which the number of schools with wrong sums is stored. */
export const ROLLUP_CHECK_NAME = 'sums:differing';

const HOUR_MS = 3_600_000;
const NIGHT_ENDS_AT = 5;
const MAX_AGE_HOURS = { atNight: 20, atMost: 47 } as const;

/**
 * Compares the sums of each school with its entries once a night, or by day when a night was missed. It reads every
 * entry, so on SQLite it runs in the reports process.
 */
export async function checkSumsNightly(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const lastCheck = (await getServerStates(deps.database.db, [ROLLUP_CHECK_NAME])).get(ROLLUP_CHECK_NAME);
  const isNight = hourIn(deps.config.timeZone, now) < NIGHT_ENDS_AT;
  const age =
    lastCheck === undefined
      ? Number.POSITIVE_INFINITY
      : (millisecondsOf(now) - millisecondsOf(lastCheck.at)) / HOUR_MS;
  const isDue = isNight ? age > MAX_AGE_HOURS.atNight : lastCheck !== undefined && age > MAX_AGE_HOURS.atMost;
  if (isDue) await checkSums(deps);
}

/** Compares the sums of each school with its entries now, and stores how many differ. */
export async function checkSums(deps: Deps): Promise<void> {
  const differing = await countWrongRollups(withConnectionPool(deps, 'reports').database.db);
  await setServerState(deps.database.db, ROLLUP_CHECK_NAME, String(differing), deps.clock.now());
  if (differing > 0) deps.log.error({ schools: differing }, 'totals do not match their entries');
}
