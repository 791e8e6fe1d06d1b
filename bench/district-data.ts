import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { rebuildRollups } from '#features/time-entries/rollups/server/rollups-store.ts';
import { type Database, openDatabase, transaction } from '#server/db/database.ts';
import { migrate, migrationNames } from '#server/db/migrate.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fillDemo, GENERATOR_VERSION } from '../scripts/demo/fill-demo.ts';

/** The sizes of the measured districts, named after their number of entries: 20,000, a million, ten million. */
export const SIZES = {
  S: { schools: 5, activities: 300, volunteers: 495, administrators: 5, entries: 20_000 },
  M: { schools: 40, activities: 2_400, volunteers: 19_800, administrators: 200, entries: 1_000_000 },
  L: { schools: 200, activities: 12_000, volunteers: 99_000, administrators: 1_000, entries: 10_000_000 },
} as const;
export type Size = keyof typeof SIZES;

/** The end of three school years, the same on every machine. */
export const LAST_DAY = '2026-05-29';
const LAST_MOMENT = '2026-05-29T22:00:00.000Z' as Instant;
const DAYS = 1020;
export const TIME_ZONE = 'America/Chicago';

const CACHE = join(import.meta.dirname, '../.cache/bench');
const FILE = 'volunteer-time.db';

type Log = (line: string) => void;

/** Copies the filled SQLite file of a size into a folder, and creates it first if the cache does not have it. */
export async function sqliteData(size: Size, folder: string, log: Log): Promise<void> {
  // The number of migrations is part of the name, because one written later may sort before the last.
  const cached = join(
    CACHE,
    `${size}-${migrationNames().length}-${migrationNames().at(-1)}-${GENERATOR_VERSION}`,
  );
  if (!existsSync(join(cached, FILE))) {
    const partial = `${cached}.making`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    const database = await openDatabase({ databaseUrl: undefined, dataDir: partial });
    await fill(database, size, log);
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
    await database.close();
    for (const file of readdirSync(partial).filter((name) => name !== FILE))
      rmSync(join(partial, file), { recursive: true });
    renameSync(partial, cached);
  }
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(cached, FILE), join(folder, FILE));
}

/** Fills an empty PostgreSQL database with the same district. */
export async function postgresData(size: Size, databaseUrl: string, folder: string, log: Log): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir: folder });
  await fill(database, size, log);
  await sql`vacuum analyze`.execute(database.db);
  await database.close();
}

async function fill(database: Database, size: Size, log: Log): Promise<void> {
  const began = performance.now();
  await migrate(database);
  const restore = await (database.engine === 'postgres' ? disableTriggers(database) : dropIndexes(database));
  const sizes = { ...SIZES[size], days: DAYS };
  await fillDemo(database, {
    ...{ now: LAST_MOMENT, timeZone: TIME_ZONE, seed: 'bench', sizes },
    // They would be ten million more rows that no measured request reads.
    isAudited: false,
  });
  await restore();
  await transaction(database, rebuildRollups);
  log(`${size} on ${database.engine} made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

// Updating sums and indexes for each of a million entries takes most of the time; rebuilding them takes seconds.
async function disableTriggers({ db }: Database): Promise<() => Promise<unknown>> {
  const triggers = (how: string) => sql`alter table time_entries ${sql.raw(how)} trigger user`.execute(db);
  await triggers('disable');
  return () => triggers('enable');
}

async function dropIndexes({ db }: Database): Promise<() => Promise<void>> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema
    where tbl_name = 'time_entries' and type in ('index', 'trigger') and sql is not null`.execute(db);
  for (const { type, name } of rows) await sql`drop ${sql.raw(type)} ${sql.ref(name)}`.execute(db);
  return async () => {
    for (const row of rows) await sql.raw(row.sql).execute(db);
  };
}
