// npm run rollups -- verify | rebuild
import { repairRollups, verifyRunning } from '#features/time-entries/rollups/server/rollups.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { openUpToDate } from '#server/db/open-migrated-database.ts';

const SHOWN = 20;

try {
  process.exitCode = await run(process.argv[2]);
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof DatabaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** 0: every sum is right (or was corrected), 1: some are not. */
async function run(name = ''): Promise<number> {
  if (name !== 'verify' && name !== 'rebuild') {
    console.error('Usage: npm run rollups -- verify|rebuild');
    return 2;
  }
  const config = readConfig(process.env);
  const database = await openUpToDate(config);
  try {
    const drift = await (name === 'verify' ? verifyRunning(config) : repairRollups(database));
    for (const { table, key, kept, counted } of drift.slice(0, SHOWN)) {
      console.log(`${table} (${key}): stored ${kept ?? 'nothing'}, counted ${counted ?? 'nothing'}`);
    }
    if (drift.length > SHOWN) console.log(`... and ${drift.length - SHOWN} more`);
    if (drift.length === 0) console.log('Every total matches its entries');
    else console.log(name === 'verify' ? `${drift.length} totals differ` : `${drift.length} totals fixed`);
    return name === 'verify' && drift.length > 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}
