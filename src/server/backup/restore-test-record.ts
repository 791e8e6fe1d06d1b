import { z } from 'zod';
import { Instant } from '#shared/calendar-date.ts';
import type { Deps } from '../deps.ts';
import { fingerprintOf } from '../secrets.ts';
import { readBackupState, storeRestoreTest } from './backup-status.ts';
import type { BackupStorage } from './backup-storage.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { openBackupStorage } from './open-backup-storage.ts';

const RESTORE_TEST_FILE = 'restored.json';

/**
 * The note that a restore leaves next to the backups: its time, the time of the backup, and the district. It contains no data
 * of the backup.
 */
const RestoreTest = z.object({ restoredAt: Instant, takenAt: Instant, keyFingerprint: z.string() });

/** Records next to the backups that this one was completely restored, so that the running district can show it. */
export async function writeRestoreTest(
  storage: BackupStorage,
  { takenAt, secretKey }: Pick<Manifest, 'takenAt' | 'secretKey'>,
  at: Instant,
): Promise<void> {
  const note: z.infer<typeof RestoreTest> = {
    restoredAt: at,
    takenAt,
    keyFingerprint: secretKey.fingerprint,
  };
  await storage.writeNote(RESTORE_TEST_FILE, `${JSON.stringify(note)}\n`);
}

/**
 * Looks for the note of a test restore in the backup storage and stores its time. Ignores a note that is unreadable, from
 * another district, or from the future.
 */
export async function findRestoreTest({ config, database, clock, secretKey }: Deps): Promise<void> {
  if (config.backup === undefined) return;
  const storage = await openBackupStorage(config.backup.to, config.dataDir);
  try {
    const text = await storage.readNote(RESTORE_TEST_FILE).catch((error: unknown) => {
      // A file that is too large is not ours.
      if (error instanceof BackupError) return undefined;
      throw error;
    });
    const found = parseRestoreTest(text);
    if (found === undefined || found.keyFingerprint !== fingerprintOf(secretKey)) return;
    const { lastRestoreTestAt } = await readBackupState(database.db);
    const isNews = lastRestoreTestAt === null || found.restoredAt > lastRestoreTestAt;
    if (isNews && found.restoredAt <= clock.now()) await storeRestoreTest(database.db, found.restoredAt);
  } finally {
    storage.close();
  }
}

function parseRestoreTest(text: string | undefined): z.infer<typeof RestoreTest> | undefined {
  try {
    return RestoreTest.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
