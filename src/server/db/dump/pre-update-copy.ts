import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import {
  BUSY_TIMEOUT_MS,
  type Database,
  DatabaseError,
  SQLITE_FILE,
  transaction,
  withDatabase,
} from '../database.ts';
import type { DatabaseLocation } from '../snapshot.ts';
import { clearDatabaseMarks } from '../sqlite/database-mark.ts';
import { countFacts, type DatabaseFacts } from './database-facts.ts';
import { ALL_PAGES, DUMP_FILES, dumpDatabase } from './dump.ts';
import { EMPTY_THE_SCHEMA } from './load-dump.ts';
import { findProgram, runPostgresProgram } from './postgres-programs.ts';

const DAY_MS = 86_400_000;
const RETENTION_MS = [
  ['before-update-', 30 * DAY_MS],
  ['failed-update-', 30 * DAY_MS],
  ['.copying-', DAY_MS],
] as const;
/** The file next to the copies that marks an update in progress. */
export const UPDATE_MARK = 'update.json';
const ENDINGS = { sqlite: 'db', postgres: 'dump' } as const;
// A recently closed connection may still be listed.
const LOOKS_FOR_OTHERS = 20;
const LOOK_AGAIN_MS = 100;

/** The advisory lock during a restore of a copy: any number that nothing else locks. */
const RESTORE_LOCK = 720_114_021;

/** A copy of the database in one file of `DATA_DIR/backups`, and its facts. */
export type UpdateCopy = Readonly<{ file: string; facts: DatabaseFacts }>;

/** The folder of pre-update copies, and of databases whose update failed. */
export const copyFolder = (dataDir: string): string => join(dataDir, 'backups');

/** On PostgreSQL, throws `DatabaseError` if `pg_dump`, `pg_restore` or `psql` is missing. SQLite needs none of them. */
export function requireCopyPrograms({ databaseUrl }: DatabaseLocation): void {
  if (databaseUrl === undefined) return;
  for (const name of ['pg_dump', 'pg_restore', 'psql']) findProgram(name);
}

/** Copies the database into `<dataDir>/backups/<name>.db` or `.dump`. A complete copy replaces an older one of that name. */
export async function copyDatabase(place: DatabaseLocation, name: string): Promise<UpdateCopy> {
  const folder = copyFolder(place.dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A partial copy would be mistaken for a complete one, and fill the disk.
  const work = mkdtempSync(join(folder, '.copying-'));
  try {
    const { dump } = await dumpDatabase(place, work, async () => undefined);
    const file = join(folder, `${name}.${ENDINGS[dump.engine]}`);
    renameSync(join(work, DUMP_FILES[dump.engine]), file);
    return { file, facts: dump.facts };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Removes pre-update copies and databases of failed updates after 30 days, and partial copies left by a kill after a day.
 * Removes nothing while an update is in progress.
 */
export function removeOldCopies(dataDir: string, nowMs: number): void {
  const folder = copyFolder(dataDir);
  if (!existsSync(folder) || existsSync(join(folder, UPDATE_MARK))) return;
  for (const name of readdirSync(folder)) {
    const retentionMs = RETENTION_MS.find(([beginning]) => name.startsWith(beginning))?.[1];
    if (retentionMs === undefined || statSync(join(folder, name)).mtimeMs > nowMs - retentionMs) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** The facts of the current database. */
export function factsNow(place: DatabaseLocation): Promise<DatabaseFacts> {
  return withDatabase(place, ({ db }) => countFacts(db));
}

/**
 * Whether another program is still connected to the database after two seconds. Always false on SQLite, where it is unknown.
 */
export async function isUsedByOthers(place: DatabaseLocation): Promise<boolean> {
  if (place.databaseUrl === undefined) return false;
  return withDatabase(place, async ({ db }) => {
    for (let look = 1; look <= LOOKS_FOR_OTHERS; look++) {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db);
      if (rows.length === 0) return false;
      await setTimeout(LOOK_AGAIN_MS);
    }
    return true;
  });
}

/**
 * Waits until no restore of the database is running. When this program is killed, psql runs a moment longer and may still
 * commit.
 */
export async function waitForCopyRestore(database: Database): Promise<void> {
  if (database.engine === 'sqlite') return;
  await transaction(database, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(RESTORE_LOCK)})`.execute(trx);
  });
}

/**
 * Restores the database from the copy in one transaction, so that a kill leaves either the old or the
 * restored state.
 */
export async function restoreUpdateCopy(place: DatabaseLocation, file: string): Promise<void> {
  if (!existsSync(file)) throw new DatabaseError(`${file} is gone`);
  if (place.databaseUrl === undefined) await restoreSqlite(file, join(place.dataDir, SQLITE_FILE));
  else await restorePostgres(file, place.databaseUrl);
}

// SQLite writes the pages of a copy in one transaction of the target file.
async function restoreSqlite(file: string, live: string): Promise<void> {
  // The copy has no mark, and an old log may survive a kill.
  clearDatabaseMarks(live);
  const copy = new BetterSqlite(file, { readonly: true });
  try {
    copy.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await copy.backup(live, { progress: () => ALL_PAGES });
  } finally {
    copy.close();
  }
}

// psql commits what it has read when its input ends, so the commit is sent only after the whole copy.
async function restorePostgres(file: string, databaseUrl: string): Promise<void> {
  const psql = runPostgresProgram(
    'psql',
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-'],
    databaseUrl,
  );
  psql.stdout.resume();
  psql.stdin.write(`select pg_advisory_lock(${RESTORE_LOCK}) \\g /dev/null\nbegin;\n${EMPTY_THE_SCHEMA}\n`);
  const script = runPostgresProgram('pg_restore', [
    '--file=-',
    '--no-owner',
    '--no-privileges',
    '--schema=public',
    file,
  ]);
  script.stdout.pipe(psql.stdin, { end: false });
  // Otherwise pg_restore would wait forever for a reader.
  psql.finished.catch(() => script.stdout.destroy());
  const read = new Promise((resolve) => script.stdout.once('end', resolve));
  try {
    await script.finished;
    await read;
    psql.stdin.write('\ncommit;\n');
  } finally {
    psql.stdin.end();
    await psql.finished;
  }
}
