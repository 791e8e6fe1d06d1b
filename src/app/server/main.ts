import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { lockFolder } from '#server/db/sqlite/folder-lock.ts';
import { exitFailedStart } from '#server/process/server-process.ts';
import { checkSecretKey } from '#server/secret-key-check.ts';
import { setPrivateUmask } from '#server/storage/private-files.ts';
import { checkDistrictIdentity, NEW_DISTRICT } from './district-identity-check.ts';

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    console.error(error.message);
    await exitFailedStart(error);
  }
  throw error;
}

async function main(): Promise<void> {
  setPrivateUmask();
  const config = readConfig(process.env);
  if (!process.argv.includes(NEW_DISTRICT)) await checkDistrictIdentity(config);
  await lockFolder(config);
  await checkSecretKey(config);
  // Loaded late, so that a start with wrong settings fails fast.
  const { runServer } = await import('./run-server.ts');
  await runServer(config, process.env);
}
