import { resolve } from 'node:path';
import type { Depot } from './backup-storage.ts';
import { openFolderDepot } from './folder-backup-storage.ts';
import { BackupError } from './manifest.ts';

/** The place that an address means: a folder, or a bucket (`s3://...`). Files on the way to a bucket are made in `dataDir`. */
export async function openDepot(address: string, dataDir: string): Promise<Depot> {
  if (!address.startsWith('s3:')) return openFolderDepot(resolve(address));
  if (!URL.canParse(address))
    throw new BackupError('The address of a bucket is s3://key:secret@bucket/prefix');
  // The client is large, and most installations have no use for it.
  const { openS3Depot } = await import('./s3-backup-storage.ts');
  return openS3Depot(address, dataDir);
}
