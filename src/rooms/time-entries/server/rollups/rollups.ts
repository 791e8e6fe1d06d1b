import { type Database, transaction } from '#server/db/connect.ts';
import { type Drift, findDrift, rebuildRollups } from './rollups-store.ts';

/** Compares the rollups with the entries; returns every row that differs. */
export function verifyRollups(database: Database): Promise<Drift[]> {
  return transaction(database, findDrift);
}

/** Rebuilds the rollups and compares again; returns what differed before. */
export function mendRollups(database: Database): Promise<Drift[]> {
  return transaction(database, async (trx) => {
    const drift = await findDrift(trx);
    await rebuildRollups(trx);
    const left = await findDrift(trx);
    if (left.length > 0) throw new Error(`${left.length} sums still differ from their entries`);
    return drift;
  });
}
