import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { photoFiles } from '#features/photos/server/storage-check.ts';
import { listDeletedAccounts } from '#features/privacy/server/reapplied-deletions.ts';
import { readStoredDistrict } from '#features/schools/district-settings/server/settings.ts';
import { removeOldBackups } from '#server/backup/backup-retention.ts';
import { type MadeBackup, withoutSecrets } from '#server/backup/backup-status.ts';
import { type BackupPlan, createBackup } from '#server/backup/create-backup.ts';
import { BackupError } from '#server/backup/manifest.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { type Config, ConfigError } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { systemClock } from '#server/deps.ts';
import { openFileStorage } from '#server/storage/open-file-storage.ts';
import { VERSION } from '#server/version.ts';
import { errorCode } from '#shared/errors.ts';

/** Options of a backup. A `nightly` backup also removes old nightly backups. */
export type BackupOrder = Readonly<{
  config: Config;
  /** Settings, keyed by the names of their environment variables. */
  settings: Readonly<Record<string, string>>;
  to: string;
  recipient: string | undefined;
  nightly: boolean;
  onProgress: BackupPlan['onProgress'];
}>;

/** A finished backup, and notes for the operator, one line each. */
export type FinishedBackup = MadeBackup &
  Readonly<{ folder: string; entries: number; photos: number; notes: string[] }>;

/**
 * Backs up the configured district. Throws errors that an operator can fix, with a message for
 * `backupFailureReason`.
 */
export async function backUpDistrict(order: BackupOrder): Promise<FinishedBackup> {
  const { config, to } = order;
  const began = performance.now();
  const [store, backupStorage] = [await openFileStorage(config), await openBackupStorage(to, config.dataDir)];
  try {
    const made = await createBackup({
      ...order,
      store,
      storage: backupStorage,
      photoFiles,
      erasedAccounts: listDeletedAccounts,
      districtName: async (db) => {
        const stored = config.setByServer.includes('districtName') ? {} : await readStoredDistrict(db);
        return stored.districtName ?? config.districtName;
      },
      program: VERSION,
      now: systemClock.now(),
    });
    const { manifest, folder } = made;
    const notes = manifest.photos.missing.map((name) => `${name} is not in the photo store`);
    if (isOnSameDisk(to, config))
      notes.push(`Note: ${to} is on the same disk as DATA_DIR, so one disk failure loses both`);
    if (order.nightly) notes.push(...(await removeOldBackups(backupStorage, made, config.timeZone)));
    return {
      folder: withoutSecrets(folder),
      to: withoutSecrets(to),
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      milliseconds: Math.round(performance.now() - began),
      entries: manifest.database.rows['time_entries'] ?? 0,
      photos: manifest.photos.files,
      notes,
    };
  } finally {
    backupStorage.close();
    store.close();
  }
}

/** Returns why a backup failed if an operator can fix it, undefined for a bug. */
export function backupFailureReason(error: unknown): string | undefined {
  const isExpected = [BackupError, ConfigError, DatabaseError].some((kind) => error instanceof kind);
  const isSystemError = errorCode(error) !== undefined;
  return (isExpected || isSystemError) && error instanceof Error ? error.message : undefined;
}

function isOnSameDisk(to: string, { dataDir }: Config): boolean {
  if (to.startsWith('s3:')) return false;
  return statSync(resolve(to)).dev === statSync(dataDir).dev;
}
