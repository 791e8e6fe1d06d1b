import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from '#server/backup/backup-status.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { type Config, ConfigError } from '#server/config.ts';
import { SQLITE_FILE } from '#server/db/database.ts';
import { hasDatabase } from '#server/db/dump/load-dump.ts';
import { existingFingerprint } from '#server/secrets.ts';
import { errorMessage } from '#shared/errors.ts';

/** The option that starts a new district although another one is recorded. */
export const NEW_DISTRICT = '--new-district';

const SHOWN = 8;
const WAY_OUT = `Mount or set the folder that contains it, or start once with ${NEW_DISTRICT}.`;

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'backup'>;

/**
 * Throws `ConfigError` when a start would silently create a new district in place of one that ran here
 * before: the data folder is empty, for example because a disk is not mounted, or belongs to a district with
 * another key. Creates nothing. The district is recorded in a file next to the data folder, or else by the
 * backups in `BACKUP_TO`.
 */
export async function checkDistrictIdentity(place: Place): Promise<void> {
  const isEmpty = !(await hasDatabaseOrUnknown(place));
  const here = existingFingerprint(place);
  const { dataDir } = place;
  const remembered = readMarker(dataDir);
  if (remembered !== undefined) {
    if (isEmpty) throw missing(place, markerOf(dataDir), remembered);
    if (here !== undefined && here !== remembered) throw another(place, markerOf(dataDir), remembered);
    return;
  }
  const stored = await backupsOf(place, isEmpty);
  const newest = stored.at(-1);
  if (newest === undefined) return;
  if (isEmpty) throw missing(place, 'BACKUP_TO', newest);
  if (here !== undefined && !stored.includes(here)) throw another(place, 'BACKUP_TO', newest);
}

/**
 * Writes a file next to the data folder that identifies its district. If it cannot be written, as in a container, only
 * `BACKUP_TO` identifies the district.
 */
export function storeDistrictIdentity({ dataDir }: Pick<Config, 'dataDir'>, fingerprint: string): void {
  if (readMarker(dataDir) === fingerprint) return;
  try {
    // Written in place, because a service may have access to this file but not to its folder.
    writeFileSync(markerOf(dataDir), `${fingerprint}\n`, { mode: 0o600 });
  } catch {
    // The backups identify the district too.
  }
}

function markerOf(dataDir: string): string {
  return `${dataDir}.district`;
}

function readMarker(dataDir: string): string | undefined {
  try {
    return /^[0-9a-f]{64}$/.exec(readFileSync(markerOf(dataDir), 'utf8').trim())?.[0];
  } catch {
    return undefined;
  }
}

// An unreachable PostgreSQL must not count as empty. Opening the database later reports why it cannot be reached.
async function hasDatabaseOrUnknown(place: Place): Promise<boolean> {
  // A write-ahead log without its database file is reported later, with instructions to save it.
  const log = join(place.dataDir, `${SQLITE_FILE}-wal`);
  if (place.databaseUrl === undefined && existsSync(log)) return true;
  return hasDatabase(place).catch(() => true);
}

// The key fingerprints of the district's backups, oldest first.
async function backupsOf({ backup, dataDir }: Place, isEmpty: boolean): Promise<string[]> {
  if (backup === undefined) return [];
  const depot = await openBackupStorage(backup.to, dataDir);
  try {
    const found = await depot.backups();
    return found.map(({ manifest }) => manifest.secretKey.fingerprint);
  } catch (error) {
    // An existing district must start even when its backups cannot be read.
    if (!isEmpty) return [];
    const reason = errorMessage(error);
    throw new ConfigError(
      `DATA_DIR: ${dataDir} contains no district, and ${withoutSecrets(backup.to)} could not be checked for backups of one (${reason}). ${WAY_OUT}`,
    );
  } finally {
    depot.close();
  }
}

function missing({ dataDir, databaseUrl }: Place, by: string, fingerprint: string): ConfigError {
  const where = databaseUrl === undefined ? `DATA_DIR: ${dataDir}` : 'DATABASE_URL: the database';
  return new ConfigError(
    `${where} contains no district, but ${by} names one (key ${fingerprint.slice(0, SHOWN)}). ${WAY_OUT}`,
  );
}

function another({ dataDir }: Place, by: string, fingerprint: string): ConfigError {
  return new ConfigError(
    `DATA_DIR: ${dataDir} belongs to a different district than the one in ${by} (key ${fingerprint.slice(0, SHOWN)}), or its secret.key was replaced. Restore that key, or: ${WAY_OUT}`,
  );
}
