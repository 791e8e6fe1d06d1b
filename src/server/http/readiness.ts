import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { isOutdated } from '../db/migrate.ts';
import { setServerState } from '../db/server-state.ts';
import { DatabaseFilesReplaced, identityOf } from '../db/sqlite/database-files.ts';
import { type Deps, withConnectionPool } from '../deps.ts';
import { storageFailureMessage } from './error-replies.ts';

// Cached, because several probes check readiness, and each check writes.
const CACHE_MS = 500;
const RETRY_AFTER_SECONDS = 5;

/**
 * Checks that this process can work: it writes a row and a file, and verifies that its data folder is still the one from its
 * start and that the photo storage answers. Throws 503 with the problem.
 */
export function openReadiness(deps: Deps, isStarted: () => boolean): () => Promise<void> {
  const folder = identityOf(deps.config.dataDir);
  let latest: { at: number; check: Promise<void> } | undefined;
  return async () => {
    if (!isStarted()) throw errors.unavailable(commonMessages.starting, 1);
    if (latest === undefined || performance.now() - latest.at > CACHE_MS) {
      const check = checkByWriting(deps, folder);
      latest = { at: performance.now(), check };
      check.catch(() => {
        latest = undefined;
      });
    }
    try {
      await latest.check;
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready');
      throw errors.unavailable(
        storageFailureMessage(error) ?? commonMessages.unavailable,
        RETRY_AFTER_SECONDS,
      );
    }
  };
}

async function checkByWriting(deps: Deps, folder: string | undefined): Promise<void> {
  const { dataDir } = deps.config;
  const { db } = withConnectionPool(deps, 'sessions').database;
  deps.database.requireSameFiles();
  // The released reserve is only for sign-ins and deletions, but a row would still fit into it.
  if (deps.database.engine === 'sqlite' && deps.diskReserve.isReleased())
    throw errors.unavailable(commonMessages.diskFull, RETRY_AFTER_SECONDS);
  if (identityOf(dataDir) !== folder) throw new DatabaseFilesReplaced();
  if (await isOutdated(db)) throw errors.unavailable(commonMessages.outdated, RETRY_AFTER_SECONDS);
  await setServerState(db, 'ready', 'written', deps.clock.now());
  await writeIn(dataDir);
  await deps.files.check();
}

// Each of several servers on one folder writes its own file.
async function writeIn(folder: string): Promise<void> {
  const path = join(folder, `.ready-${randomUUID()}`);
  try {
    await writeFile(path, 'ready', { flag: 'wx', mode: 0o600, flush: true });
  } finally {
    await rm(path, { force: true });
  }
}
