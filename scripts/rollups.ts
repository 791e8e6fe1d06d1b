// npm run rollups -- verify | rebuild
import { repairRollups, verifyRunning } from '#features/time-entries/rollups/server/rollups.ts';
import { runOnDatabase } from './database-command.ts';

const SHOWN = 20;
const [command = ''] = process.argv.slice(2);
const isValid = command === 'verify' || command === 'rebuild';

// Exits with 1 if `verify` finds a wrong total.
await runOnDatabase(
  { isValid, usage: 'Usage: npm run rollups -- verify|rebuild' },
  async (database, config) => {
    const drift = await (command === 'verify' ? verifyRunning(config) : repairRollups(database));
    for (const { table, key, stored, counted } of drift.slice(0, SHOWN)) {
      console.log(`${table} (${key}): stored ${stored ?? 'nothing'}, counted ${counted ?? 'nothing'}`);
    }
    if (drift.length > SHOWN) console.log(`... and ${drift.length - SHOWN} more`);
    if (drift.length === 0) console.log('Every total matches its entries');
    else console.log(command === 'verify' ? `${drift.length} totals differ` : `${drift.length} totals fixed`);
    return command === 'verify' && drift.length > 0 ? 1 : 0;
  },
);
