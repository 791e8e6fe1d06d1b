import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/connect.ts';
import { lockFolder } from '#server/db/folder-lock.ts';
import { NEW_DISTRICT, requireKnownDistrict } from '#server/known-district.ts';
import { requireKnownKey } from '#server/known-key.ts';
import { makeFilesPrivate } from '#server/private-files.ts';
import { endRefusedStart } from '#server/serve-process.ts';

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
