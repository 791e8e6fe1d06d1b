import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openDiskStore } from './disk-files.ts';
import type { FileStore } from './file-storage.ts';

/** Opens the configured photo storage: an S3-compatible bucket, else a folder next to the database. */
export async function openStore(config: Pick<Config, 'dataDir' | 'photoStoreUrl'>): Promise<FileStore> {
  if (config.photoStoreUrl === undefined) return openFolder(config);
  // Loaded only when needed: the client is large, and most installations do not use it.
  const { openS3Store } = await import('./s3-files.ts');
  return openS3Store(config.photoStoreUrl);
}

/** The photo folder, which is the storage unless the settings name another. */
export function openFolder(config: Pick<Config, 'dataDir'>): FileStore {
  return openDiskStore(join(config.dataDir, 'photos'));
}
