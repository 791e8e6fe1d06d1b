// npm run rotate-key [-- --yes]. Settings as for `npm start`; the server must be stopped.
import { createInterface } from 'node:readline/promises';
import { KEY_ROTATION_EFFECTS, rotateKey } from '#app/server/rotate-key.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { requireSqlite } from '#server/db/open-migrated-database.ts';

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof DatabaseError)) throw error;
  console.error(`The key was not changed. ${error.message}`);
  process.exitCode = 1;
}

async function run([option, ...more]: string[]): Promise<number> {
  if (more.length > 0 || (option !== undefined && option !== '--yes')) {
    console.error('Usage: npm run rotate-key [-- --yes]');
    return 2;
  }
  const config = readConfig(process.env);
  if (config.databaseUrl === undefined) requireSqlite(config.dataDir);
  console.log(
    `A new key invalidates everything signed or encrypted with the old one:\n- ${KEY_ROTATION_EFFECTS.join('\n- ')}`,
  );
  if (option !== '--yes' && !(await isConfirmed())) {
    console.log('Nothing was changed.');
    return 1;
  }
  await rotateKey(config);
  console.log(
    'The key was changed. Start the server and make a new backup, because older backups contain the old key.',
  );
  console.log('The server no longer deletes older backups. Delete them after you have the new one.');
  return 0;
}

async function isConfirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  process.stdout.write('Type yes to continue: ');
  // Without a terminal there may be no line.
  for await (const line of terminal) return line.trim() === 'yes';
  return false;
}
