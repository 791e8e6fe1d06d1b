import { backupsToKeep } from './backup-retention.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { Backup } from './manifest.ts';

/**
 * Removes the nightly backups of this district that are old; those that somebody made by hand, and another district's,
 * stay. `newest` was just made. Returns a line about what could not be removed: that takes nothing from the backup.
 */
export async function removeOldBackups(
  depot: BackupStorage,
  newest: Backup,
  zone: string,
): Promise<string[]> {
  const { fingerprint } = newest.manifest.secretKey;
  try {
    const nightly = (await depot.backups()).filter(
      ({ manifest }) => manifest.nightly === true && manifest.secretKey.fingerprint === fingerprint,
    );
    const kept = backupsToKeep(
      nightly.map(({ manifest }) => manifest.takenAt),
      zone,
    );
    await depot.remove(nightly.filter(({ manifest }) => !kept.has(manifest.takenAt)));
    return [];
  } catch (error) {
    return [`Old backups could not be removed (${error instanceof Error ? error.message : String(error)})`];
  }
}
