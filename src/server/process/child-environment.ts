import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * The environment of a process that the server starts for itself. The settings hold secrets, so it gets none of them:
 * only the folder of compiled modules, which shortens its start.
 */
export function childEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // Node keeps a folder for each of its versions in the one it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
