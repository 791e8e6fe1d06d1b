import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openDiskStorage } from './disk-files.ts';
import type { FileStorage } from './file-storage.ts';

/** Opens the configured photo storage: an S3-compatible bucket, else a folder next to the database. */
export async function openFileStorage(
  config: Pick<Config, 'dataDir' | 'photoStoreUrl'>,
): Promise<FileStorage> {
  if (config.photoStoreUrl === undefined) return openPhotoFolder(config);
  // Loaded only when needed: the client is large, and most installations do not use it.
  const { openS3Storage } = await import('./s3-files.ts');
  return openS3Storage(config.photoStoreUrl);
}

/** The photo folder, which is the storage unless the settings name another. */
export function openPhotoFolder(config: Pick<Config, 'dataDir'>): FileStorage {
  return openDiskStorage(join(config.dataDir, 'photos'));
}
