import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { repairRollups, verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import type { Config } from '#server/config.ts';
import { type Database, DatabaseError, UpdateFailed } from '#server/db/database.ts';
import { brokenReferences, countFacts, describeDifferences } from '#server/db/dump/database-facts.ts';
import {
  copyDatabase,
  copyFolder,
  factsNow,
  isUsedByOthers,
  requireCopyPrograms,
  restoreUpdateCopy,
  UPDATE_MARK,
  waitForCopyRestore,
} from '#server/db/dump/pre-update-copy.ts';
import { appliedMigrations, canRollUpdate, migrate, migrationNames } from '#server/db/migrate.ts';
import { getServerState } from '#server/db/server-state.ts';
import { syncFolder, writeDurably } from '#server/storage/durable-file.ts';
import { VERSION } from '#server/version.ts';
import { errorMessage } from '#shared/errors.ts';

/** How many consecutive starts may fail before the server is ready. The next start rolls back. */
const MAX_STARTS = 3;
/** Every start writes to this table, before any request is served. */
const WRITTEN_AT_START = 'server_state';
/** Tables whose rows no migration adds or removes. */
const COMPARED_TABLES: readonly string[] = ['users', 'time_entries'];

const Facts = z.object({
  migration: z.string(),
  rows: z.record(z.string(), z.number()),
  liveHundredths: z.number(),
});
type Facts = z.infer<typeof Facts>;

const Mark = z.object({
  copy: z.string(),
  version: z.string().nullable(),
  to: z.string(),
  before: Facts,
  /** The facts of the migrated database, once counted. */
  after: Facts.nullable(),
  starts: z.number(),
});

/**
 * Marks an update in progress. The file exists next to the copies from before the migration until the migrated server
 * is ready.
 */
type Mark = z.infer<typeof Mark>;

/** A start's part in an update. Without an update only `migrated` is meaningful. */
export type Update = Readonly<{
  migrated: readonly string[];
  /** Call before the server is built. Throws when too many starts failed before they were ready. */
  attempt: () => void;
  /**
   * Call before serving requests: from then on there is no rollback. Throws when a sum differs, or the error
   * of `isReady`.
   */
  settle: (database: Database, isReady: () => Promise<void>) => Promise<void>;
  /** Call when the start failed and the database is closed. Rolls back, and returns the error to throw. */
  failed: (error: unknown) => Promise<unknown>;
}>;

/**
 * Migrates the database after copying it. Until the migrated server is ready, a file in `DATA_DIR/backups`
 * marks that it can be rolled back; a later start continues it. Throws `DatabaseError`.
 */
export async function beginUpdate(config: Config, database: Database): Promise<Update> {
  await waitForCopyRestore(database);
  const applied = await appliedMigrations(database);
  const waiting = migrationNames().filter((name) => !applied.includes(name));
  const isWaiting = waiting.length > 0;
  const earlier = readMark(config, applied);
  if (earlier !== undefined && !isWaiting) return updateInProgress(config, earlier, []);
  // During a rolling migration other servers keep writing, so it cannot be rolled back. It need not be,
  // because the earlier version keeps working.
  const rolls = earlier === undefined && canRollUpdate(waiting);
  if (applied.length === 0 || !isWaiting || rolls || config.updateBackup === 'off') {
    removeMark(config);
    return noUpdateInProgress(await migrate(database));
  }
  const to = migrationNames().at(-1) ?? '';
  // A version that never became ready has already migrated the database, and this one migrates it further. The copy
  // from before the first migration stays.
  const mark =
    earlier === undefined
      ? await copyBeforeUpdate(config, database, applied)
      : { ...earlier, to, after: null, starts: 0 };
  writeMark(config, mark);
  return updateInProgress(config, mark, await migrate(database));
}

async function copyBeforeUpdate(
  config: Config,
  database: Database,
  applied: readonly string[],
): Promise<Mark> {
  const version = (await getServerState(database.db, 'version')) ?? null;
  try {
    requireCopyPrograms(config);
    const { file, facts } = await copyDatabase(config, `before-update-from-${applied.at(-1)}`);
    return { copy: file, version, to: migrationNames().at(-1) ?? '', before: facts, after: null, starts: 0 };
  } catch (error) {
    throw new UpdateFailed(
      `Could not back up the database to ${copyFolder(config.dataDir)} before the update (${errorMessage(error)}); nothing was changed. ` +
        'Fix that and start again, or make a backup yourself and start with UPDATE_BACKUP=off.',
    );
  }
}

function noUpdateInProgress(migrated: readonly string[]): Update {
  return {
    migrated,
    attempt: () => undefined,
    settle: async () => undefined,
    failed: async (error) => error,
  };
}

function updateInProgress(config: Config, begun: Mark, migrated: readonly string[]): Update {
  let mark = begun;
  let isSettled = false;
  const note = (more: Partial<Mark>) => {
    mark = { ...mark, ...more };
    writeMark(config, mark);
  };
  return {
    migrated,
    attempt: () => {
      note({ starts: mark.starts + 1 });
      if (mark.starts > MAX_STARTS)
        throw new Error(`the server ended ${MAX_STARTS} times before it became ready`);
    },
    settle: async (database, isReady) => {
      const after = await countFacts(database.db);
      note({ after });
      await requireSums(database, mark.before, after);
      await isReady();
      removeMark(config);
      isSettled = true;
    },
    failed: async (error) => (isSettled ? error : rollBack(config, mark, error)),
  };
}

/** Throws when users or hours changed. Sums are derived from the entries, so they are rebuilt where they differ. */
async function requireSums(database: Database, before: Facts, after: Facts): Promise<void> {
  const own = (facts: Facts): Facts => ({
    ...facts,
    rows: Object.fromEntries(COMPARED_TABLES.map((table) => [table, facts.rows[table] ?? 0])),
  });
  const wrong = [...describeDifferences(own(before), own(after)), ...(await brokenReferences(database))];
  if (wrong.length > 0) throw new Error(wrong.join(', '));
  if ((await verifyRollups(database)).length > 0) await repairRollups(database);
}

async function rollBack(config: Config, mark: Mark, cause: unknown): Promise<UpdateFailed> {
  const why = `The update to ${VERSION} failed: ${errorMessage(cause)}`;
  try {
    await requireUntouched(config, mark);
    const failed = await copyDatabase(config, `failed-update-to-${mark.to}`).catch(() => undefined);
    await restoreUpdateCopy(config, mark.copy);
    const wrong = describeDifferences(mark.before, await factsNow(config));
    if (wrong.length > 0) throw new DatabaseError(wrong.join(', '));
    removeMark(config);
    const copyLocation =
      failed === undefined ? 'no space for a copy of the failed one' : `the failed one is ${failed.file}`;
    const version = mark.version === null || mark.version === VERSION ? '' : ` (${mark.version})`;
    return new UpdateFailed(
      `${why}; the database was restored to its state before the update (${copyLocation}). Start the previous version${version}`,
    );
  } catch (error) {
    return new UpdateFailed(
      `${why}; the database could not be restored (${errorMessage(error)}); its copy from before the update is ${mark.copy}`,
    );
  }
}

// Writes that another server confirmed since must not be lost.
async function requireUntouched(config: Config, { after }: Mark): Promise<void> {
  if (await isUsedByOthers(config))
    throw new DatabaseError('other programs are using it. Stop them and start again');
  if (after === null) return;
  const now = await factsNow(config);
  const wrong = describeDifferences(withoutStarts(after), withoutStarts(now));
  if (wrong.length > 0) throw new DatabaseError(`other programs have changed it since: ${wrong.join(', ')}`);
}

function withoutStarts(facts: Facts): Facts {
  const { [WRITTEN_AT_START]: _written, ...rows } = facts.rows;
  return { ...facts, rows };
}

/** The mark of an earlier start, if the database is what its migration produced. */
function readMark(config: Config, applied: readonly string[]): Mark | undefined {
  try {
    const mark = Mark.parse(JSON.parse(readFileSync(markPath(config), 'utf8')));
    return applied.at(-1) === mark.to ? mark : undefined;
  } catch {
    return undefined;
  }
}

const markPath = (config: Config) => join(copyFolder(config.dataDir), UPDATE_MARK);

function writeMark(config: Config, mark: Mark): void {
  writeDurably(markPath(config), JSON.stringify(mark));
}

function removeMark(config: Config): void {
  if (!existsSync(markPath(config))) return;
  rmSync(markPath(config));
  syncFolder(copyFolder(config.dataDir));
}
