import type { Instant } from '#shared/calendar-date.ts';
import { type Config, ConfigError } from './config.ts';
import { type Db, withDatabase } from './db/database.ts';
import { hasDatabase } from './db/dump/load-dump.ts';
import { appliedMigrations } from './db/migrate.ts';
import { getServerState, setServerState } from './db/server-state.ts';
import { existingFingerprint, SECRET_KEY_HELP } from './secrets.ts';

const KEY = 'secret-key';

/**
 * Throws `ConfigError` if the key is missing or is not the one that the database was used with. Authenticators, mail settings
 * and queued emails are encrypted with it, and a new key would silently lose them.
 */
export async function checkSecretKey(
  config: Pick<Config, 'secretKey' | 'dataDir' | 'databaseUrl'>,
): Promise<void> {
  // Opening the database reports why it cannot be reached.
  if (!(await hasDatabase(config).catch(() => true))) return;
  await withDatabase(config, async (database) => {
    const isEmpty = (await appliedMigrations(database)).length === 0;
    const stored = isEmpty ? undefined : await storedKeyFingerprint(database.db);
    const current = existingFingerprint(config);
    if (stored === undefined || current === stored) return;
    const subject = config.secretKey === undefined ? 'DATA_DIR: secret.key' : 'SECRET_KEY:';
    const problem = current === undefined ? 'is missing' : 'is not the key of this district';
    throw new ConfigError(`${subject} ${problem}. ${SECRET_KEY_HELP}`);
  });
}

/** The fingerprint of the key that the database is used with. */
export function storedKeyFingerprint(db: Db): Promise<string | undefined> {
  return getServerState(db, KEY);
}

/** Stores the fingerprint of the key that the database is used with. */
export async function storeKeyFingerprint(db: Db, fingerprint: string, at: Instant): Promise<void> {
  await setServerState(db, KEY, fingerprint, at);
}
