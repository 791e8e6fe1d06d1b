import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { lockFolder } from '#server/db/sqlite/folder-lock.ts';
import { endRefusedStart } from '#server/process/server-process.ts';
import { requireKnownKey } from '#server/secret-key-check.ts';
import { makeFilesPrivate } from '#server/storage/private-files.ts';
import { NEW_DISTRICT, requireKnownDistrict } from './district-identity-check.ts';

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    console.error(error.message);
    await endRefusedStart(error);
  }
  throw error;
}

async function main(): Promise<void> {
  makeFilesPrivate();
  const config = readConfig(process.env);
  if (!process.argv.includes(NEW_DISTRICT)) await requireKnownDistrict(config);
  await lockFolder(config);
  await requireKnownKey(config);
  // Loaded only now: a refused start should not take the time.
  const { runServer } = await import('./run-server.ts');
  await runServer(config, process.env);
}
