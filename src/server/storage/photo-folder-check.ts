import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#shared/errors.ts';
import { getOrSetServerState } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';

const STATE = 'photo-folder';

/**
 * Returns a message for the operator if this server's photo folder differs from that of the other servers of its database,
 * which would lack its photos; undefined otherwise. Each folder has an id, which the first server stores in the database.
 */
export async function photoFolderProblem(deps: Deps): Promise<string | undefined> {
  const { config, database, clock } = deps;
  if (config.photoStoreUrl !== undefined || database.engine === 'sqlite') return undefined;
  const folder = join(config.dataDir, 'photos');
  const own = folderId(folder);
  const stored = await getOrSetServerState(database.db, STATE, own, clock.now());
  if (stored === own) return undefined;
  return (
    `DATA_DIR: the photos of this database are kept in another folder than ${folder}. Give every server the same ` +
    'folder, or a PHOTO_STORE_URL: photos that one of them stores are missing on the others.'
  );
}

function folderId(folder: string): string {
  const path = join(folder, 'folder.id');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
