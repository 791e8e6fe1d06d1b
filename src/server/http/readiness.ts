import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { isOutdated } from '../db/migrate.ts';
import { setServerState } from '../db/server-state.ts';
import { DatabaseFilesReplaced } from '../db/sqlite/database-files.ts';
import { type Deps, withConnectionPool } from '../deps.ts';
import { storageFailureMessage } from './error-replies.ts';

// Cached because several probes ask, and each check writes.
const KEPT_MS = 500;
const RETRY_AFTER_SECONDS = 5;

/**
 * Checks that this process can do its work by doing some: it writes a row and a file, and verifies that its
 * data folder is still the one it was started on and that the photo storage answers. Throws 503 with what is
 * wrong.
 */
export function openReadiness(deps: Deps, isStarted: () => boolean): () => Promise<void> {
  const { dataDir } = deps.config;
  const folder = identityOf(dataDir);
  const look = async () => {
    deps.database.requireSameFiles();
    // Once the reserve is released, its space is for sign-ins and deletions only, and a row would still fit
    // into it.
    if (deps.database.engine === 'sqlite' && deps.diskReserve.isReleased())
      throw errors.unavailable(commonMessages.diskFull, RETRY_AFTER_SECONDS);
    if (identityOf(dataDir) !== folder) throw new DatabaseFilesReplaced();
    if (await isOutdated(withConnectionPool(deps, 'sessions').database.db))
      throw errors.unavailable(commonMessages.outdated, RETRY_AFTER_SECONDS);
    await setServerState(
      withConnectionPool(deps, 'sessions').database.db,
      'ready',
      'written',
      deps.clock.now(),
    );
    await writeIn(dataDir);
    await deps.files.check();
  };
  let found: { at: number; good: Promise<void> } | undefined;
  return async () => {
    if (!isStarted()) throw errors.unavailable(commonMessages.starting, 1);
    if (found === undefined || performance.now() - found.at > KEPT_MS) {
      const good = look();
      found = { at: performance.now(), good };
      good.catch(() => {
        found = undefined;
      });
    }
    try {
      await found.good;
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready');
      throw errors.unavailable(
        storageFailureMessage(error) ?? commonMessages.unavailable,
        RETRY_AFTER_SECONDS,
      );
    }
  };
}

// Each of several servers on one folder writes its own file.
async function writeIn(folder: string): Promise<void> {
  const path = join(folder, `.ready-${randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile('ready');
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
