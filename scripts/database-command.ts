import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { type Database, DatabaseError } from '#server/db/database.ts';
import { openUpToDate } from '#server/db/open-migrated-database.ts';

/**
 * Runs an operator command on the configured database, and sets the exit code. Prints the usage if `isValid` is false. Reports
 * a wrong setting or an unusable database in one line.
 */
export async function runOnDatabase(
  { isValid, usage }: { isValid: boolean; usage: string },
  work: (database: Database, config: Config) => Promise<number>,
): Promise<void> {
  if (!isValid) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  try {
    const config = readConfig(process.env);
    const database = await openUpToDate(config);
    process.exitCode = await work(database, config).finally(() => database.close());
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof DatabaseError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
