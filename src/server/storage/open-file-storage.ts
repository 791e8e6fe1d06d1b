import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openDiskStore } from './disk-files.ts';
import type { FileStore } from './file-storage.ts';

/** The store that the settings name: an S3-compatible one, else a folder beside the database. */
export async function openStore(config: Pick<Config, 'dataDir' | 'photoStoreUrl'>): Promise<FileStore> {
  if (config.photoStoreUrl === undefined) return openFolder(config);
  // The client is large, and most installations have no use for it.
  const { openS3Store } = await import('./s3-files.ts');
  return openS3Store(config.photoStoreUrl);
}

/** The folder for photos, which is the store unless the settings name another. */
export function openFolder(config: Pick<Config, 'dataDir'>): FileStore {
  return openDiskStore(join(config.dataDir, 'photos'));
}
