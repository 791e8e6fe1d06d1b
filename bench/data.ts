import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { rebuildRollups } from '#rooms/time-entries/server/rollups/rollups-store.ts';
import { type Database, openDatabase, transaction } from '#server/db/connect.ts';
import { MIGRATIONS, migrate } from '#server/db/migrate.ts';
import { fillDemo, GENERATOR_VERSION } from '../scripts/demo/fill-demo.ts';
import { LAST_MOMENT, SIZES, type Size, TIME_ZONE } from './sizes.ts';

const CACHE = join(import.meta.dirname, '../.cache/bench');
const FILE = 'volunteer-time.db';

/** A filled SQLite file of a size in its own folder, copied from the cache; made there when it is missing. */
export async function sqliteData(size: Size, folder: string, say: (line: string) => void): Promise<void> {
  // The number of migrations and the name of the last: one written later may have an earlier name.
  const name = (steps: number) => `${size}-${steps}-${MIGRATIONS[steps - 1]}-${GENERATOR_VERSION}`;
  const kept = join(CACHE, name(MIGRATIONS.length));
  if (!existsSync(join(kept, FILE))) {
    const making = `${kept}.making`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { recursive: true });
    // Ten million entries take long to make, so an older file is migrated, as a district's would be.
    const older = MIGRATIONS.map((_, index) => index + 1).findLast((steps) =>
      existsSync(join(CACHE, name(steps), FILE)),
    );
    if (older !== undefined) copyFileSync(join(CACHE, name(older), FILE), join(making, FILE));
    const database = await openDatabase({ databaseUrl: undefined, dataDir: making });
    if (older === undefined) await fill(database, size, say);
    else await migrate(database);
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
    await database.close();
    for (const file of readdirSync(making)) {
      if (file !== FILE) rmSync(join(making, file), { recursive: true });
    }
    renameSync(making, kept);
  }
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(kept, FILE), join(folder, FILE));
}

/** Fills an empty PostgreSQL database with the same district. */
export async function postgresData(
  size: Size,
  databaseUrl: string,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir: folder });
  await fill(database, size, say);
  await sql`vacuum analyze`.execute(database.db);
  await database.close();
}

async function fill(database: Database, size: Size, say: (line: string) => void) {
  const began = performance.now();
  await migrate(database);
  const bringBack = await (database.engine === 'postgres' ? leaveTriggers(database) : leaveBehind(database));
  const sizes = SIZES[size];
  await fillDemo(database, {
    ...{ now: LAST_MOMENT, timeZone: TIME_ZONE, seed: 'bench', sizes },
    // Ten million more rows that no measured call reads.
    isRecorded: false,
  });
  await bringBack();
  await transaction(database, rebuildRollups);
  say(`${size} on ${database.engine} made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

// Updated for each entry, the sums and indexes of a million entries take most of the time; all at once they take
// seconds.
async function leaveTriggers({ db }: Database): Promise<() => Promise<void>> {
  const triggers = (how: 'disable' | 'enable') =>
    sql`alter table time_entries ${sql.raw(how)} trigger user`.execute(db);
  await triggers('disable');
  return async () => {
    await triggers('enable');
  };
}

async function leaveBehind({ db }: Database): Promise<() => Promise<void>> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema
    where tbl_name = 'time_entries' and type in ('index', 'trigger') and sql is not null`.execute(db);
  for (const { type, name } of rows) await sql`drop ${sql.raw(type)} ${sql.ref(name)}`.execute(db);
  return async () => {
    for (const row of rows) await sql.raw(row.sql).execute(db);
  };
}
