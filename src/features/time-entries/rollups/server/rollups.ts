import { type Database, transaction } from '#server/db/database.ts';
import { type DatabasePlace, openSnapshot } from '#server/db/snapshot.ts';
import { type Drift, findDrift, lockEntries, rebuildRollups } from './rollups-store.ts';

/** Compares the rollups with the entries, which nobody can change meanwhile; returns every row that differs. */
export function verifyRollups(database: Database): Promise<Drift[]> {
  return transaction(database, async (trx) => {
    await lockEntries(trx);
    return findDrift(trx);
  });
}

/** The same of a district that goes on logging: compares what is there at one moment. */
export async function verifyRunning(place: DatabasePlace): Promise<Drift[]> {
  const { db, close } = await openSnapshot(place);
  try {
    return await findDrift(db);
  } finally {
    await close();
  }
}

/** Rebuilds the rollups and compares again; returns what differed before. */
export function repairRollups(database: Database): Promise<Drift[]> {
  return transaction(database, async (trx) => {
    await lockEntries(trx);
    const drift = await findDrift(trx);
    await rebuildRollups(trx);
    const left = await findDrift(trx);
    if (left.length > 0) throw new Error(`${left.length} sums still differ from their entries`);
    return drift;
  });
}
