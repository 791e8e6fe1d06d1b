import cluster from 'node:cluster';
import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/connect.ts';
import { lockFolder } from '#server/db/folder-lock.ts';
import { NEW_DISTRICT, requireKnownDistrict } from '#server/known-district.ts';
import { requireKnownKey } from '#server/known-key.ts';
import { makeFilesPrivate } from '#server/private-files.ts';
import { takeSeat } from '#server/processes/seat.ts';
import { endRefusedStart, ignoreSignalsToAll } from '#server/serve-process.ts';

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    console.error(error.message);
    await endRefusedStart(error);
  }
  throw error;
}

// One process is the server itself. Of several, the first only starts the others and loads little.
async function main(): Promise<void> {
  makeFilesPrivate();
  const seat = takeSeat(process.env);
  if (seat !== undefined) ignoreSignalsToAll();
  const config = readConfig(process.env);
  if (cluster.isPrimary && !process.argv.includes(NEW_DISTRICT)) await requireKnownDistrict(config);
  if (cluster.isPrimary) {
    await lockFolder(config);
    await requireKnownKey(config);
  }
  if (cluster.isPrimary && config.processes > 1) {
    const { runProcesses } = await import('./run-processes.ts');
    await runProcesses(config);
    return;
  }
  const { runServer } = await import('./run-server.ts');
  await runServer(config, process.env, seat);
}
