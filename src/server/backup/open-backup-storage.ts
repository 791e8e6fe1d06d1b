import { resolve } from 'node:path';
import type { BackupStorage } from './backup-storage.ts';
import { openFolderBackupStorage } from './folder-backup-storage.ts';
import { BackupError } from './manifest.ts';

/**
 * Opens the backup storage at an address: a folder, or a bucket (`s3://...`). Files for a bucket are created in `dataDir`
 * before the upload.
 */
export async function openBackupStorage(address: string, dataDir: string): Promise<BackupStorage> {
  if (!address.startsWith('s3:')) return openFolderBackupStorage(resolve(address));
  if (!URL.canParse(address))
    throw new BackupError('A bucket address looks like s3://key:secret@bucket/prefix');
  // Loaded only when needed: the client is large, and most installations do not use it.
  const { openS3BackupStorage } = await import('./s3-backup-storage.ts');
  return openS3BackupStorage(address, dataDir);
}
