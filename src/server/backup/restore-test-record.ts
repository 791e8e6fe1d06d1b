import { z } from 'zod';
import { Instant } from '#shared/calendar-date.ts';
import type { Deps } from '../deps.ts';
import { fingerprintOf } from '../secrets.ts';
import { readBackupState, storeRestoreTest } from './backup-status.ts';
import type { BackupStorage } from './backup-storage.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { openBackupStorage } from './open-backup-storage.ts';

const TRY_FILE = 'restored.json';

/** What stands beside the backups after one was restored: which one, when, and whose it is. Nothing of its contents. */
const Try = z.object({ restoredAt: Instant, takenAt: Instant, keyFingerprint: z.string() });

/** Notes beside the backups that this one was restored whole, so that the running district hears of it. */
export async function writeRestoreTest(
  depot: BackupStorage,
  { takenAt, secretKey }: Pick<Manifest, 'takenAt' | 'secretKey'>,
  at: Instant,
): Promise<void> {
  const note: z.infer<typeof Try> = { restoredAt: at, takenAt, keyFingerprint: secretKey.fingerprint };
  await depot.note(TRY_FILE, `${JSON.stringify(note)}\n`);
}

/**
 * Reads where the server backs up to whether somebody restored a backup of this district, and notes when. A note of
 * another district, of the future, or that cannot be read says nothing.
 */
export async function findRestoreTest({ config, database, clock, secretKey }: Deps): Promise<void> {
  if (config.backup === undefined) return;
  const depot = await openBackupStorage(config.backup.to, config.dataDir);
  try {
    const text = await depot.noted(TRY_FILE).catch((error: unknown) => {
      // What is too large is not ours.
      if (error instanceof BackupError) return undefined;
      throw error;
    });
    const found = readTry(text);
    if (found === undefined || found.keyFingerprint !== fingerprintOf(secretKey)) return;
    const { lastRestoreTestAt } = await readBackupState(database.db);
    const isNews = lastRestoreTestAt === null || found.restoredAt > lastRestoreTestAt;
    if (isNews && found.restoredAt <= clock.now()) await storeRestoreTest(database.db, found.restoredAt);
  } finally {
    depot.close();
  }
}

function readTry(text: string | undefined): z.infer<typeof Try> | undefined {
  try {
    return Try.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
