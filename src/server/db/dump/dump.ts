import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Engine } from '../column-types.ts';
import { BUSY_TIMEOUT_MS, DatabaseError, type Db, SQLITE_FILE } from '../database.ts';
import { requireSqlite } from '../open-migrated-database.ts';
import { type DatabaseLocation, openSnapshot } from '../snapshot.ts';
import { foreignLogError } from '../sqlite/database-mark.ts';
import type { Tables } from '../tables.ts';
import { countFacts, type DatabaseFacts, LITESTREAM_TABLES } from './database-facts.ts';
import { runPostgresProgram } from './postgres-programs.ts';

/** A copy of a database in one file, and its facts. */
export type Dump = Readonly<{ engine: Engine; file: string; facts: DatabaseFacts }>;

/** The file name of a dump, by engine. */
export const DUMP_FILES: Readonly<Record<Engine, string>> = {
  sqlite: 'database.sqlite',
  postgres: 'database.dump',
};

/**
 * Copy all pages in one step: a copy in several steps restarts whenever another connection writes, and under load never
 * finishes. In WAL mode the step blocks nobody, since readers and writers do not wait for each other.
 */
export const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a database that may be in use, as of one moment, into a file in `folder`, and runs `work` on the same state of the
 * data. Throws `DatabaseError`.
 */
export async function dumpDatabase<Result>(
  place: DatabaseLocation,
  folder: string,
  work: (db: Db) => Promise<Result>,
): Promise<{ dump: Dump; result: Result }> {
  return place.databaseUrl === undefined
    ? dumpSqlite(place.dataDir, folder, work)
    : dumpPostgres({ ...place, databaseUrl: place.databaseUrl }, folder, work);
}

async function dumpSqlite<Result>(dataDir: string, folder: string, work: (db: Db) => Promise<Result>) {
  const file = join(folder, DUMP_FILES.sqlite);
  requireSqlite(dataDir);
  const strange = foreignLogError(join(dataDir, SQLITE_FILE));
  if (strange !== undefined) throw new DatabaseError(`DATA_DIR: ${strange}`);
  const live = new BetterSqlite(join(dataDir, SQLITE_FILE), { readonly: true, fileMustExist: true });
  try {
    live.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await live.backup(file, { progress: () => ALL_PAGES });
  } finally {
    live.close();
  }
  detachDumpLog(file);
  const db = openDump(file);
  try {
    const facts = await countFacts(db);
    return { dump: { engine: 'sqlite' as const, file, facts }, result: await work(db) };
  } finally {
    await db.destroy();
  }
}

/** Opens a SQLite dump for reading. */
export function openDump(file: string): Db {
  const database = new BetterSqlite(file, { readonly: true, fileMustExist: true });
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

/**
 * Turns a copied database file into a dump: without a log, and with only our tables. A file in WAL mode
 * cannot be read from a read-only folder, and creates two more files next to it.
 */
export function detachDumpLog(file: string): void {
  const copy = new BetterSqlite(file);
  for (const table of LITESTREAM_TABLES) copy.exec(`drop table if exists ${table}`);
  copy.pragma('journal_mode = DELETE');
  // A copy that replaces the live file must be recognizable: see foreignLogError.
  copy.pragma('user_version = 0');
  copy.close();
  chmodSync(file, 0o600);
}

async function dumpPostgres<Result>(
  place: DatabaseLocation & { databaseUrl: string },
  folder: string,
  work: (db: Db) => Promise<Result>,
) {
  const file = join(folder, DUMP_FILES.postgres);
  const db = openSnapshot(place);
  try {
    const exported = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(db);
    const facts = await countFacts(db);
    const id = exported.rows[0]?.id ?? '';
    const args = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${id}`, `--file=${file}`];
    const program = runPostgresProgram('pg_dump', args, place.databaseUrl);
    program.stdout.resume();
    await program.finished;
    chmodSync(file, 0o600);
    return { dump: { engine: 'postgres' as const, file, facts }, result: await work(db) };
  } finally {
    await db.destroy();
  }
}
