import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { mendRollups } from '#rooms/time-entries/server/rollups.ts';
import { type Database, openDatabase } from '#server/db/connect.ts';
import { MIGRATIONS, migrate } from '#server/db/migrate.ts';
import { fillDemo, GENERATOR_VERSION } from '../scripts/demo/fill-demo.ts';
import { LAST_MOMENT, SIZES, type Size, TIME_ZONE } from './sizes.ts';

const CACHE = join(import.meta.dirname, '../.cache/bench');
const FILE = 'volunteer-time.db';

/** A filled SQLite file of a size in a folder of its own, copied from the cache; made there when it is missing. */
export async function sqliteData(size: Size, folder: string, say: (line: string) => void): Promise<void> {
  const kept = join(CACHE, `${size}-${MIGRATIONS.at(-1)}-${GENERATOR_VERSION}`);
  if (!existsSync(join(kept, FILE))) {
    const making = `${kept}.making`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { recursive: true });
    const database = await openDatabase({ databaseUrl: undefined, dataDir: making });
    await fill(database, size, making, say);
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
    await database.close();
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
  await fill(database, size, folder, say);
  await sql`vacuum analyze`.execute(database.db);
  await database.close();
}

async function fill(database: Database, size: Size, dataDir: string, say: (line: string) => void) {
  const began = performance.now();
  await migrate(database, { dataDir });
  // One by one the sums of a million entries take most of the time; at once they take seconds.
  const triggers = (how: 'disable' | 'enable') =>
    sql`alter table time_entries ${sql.raw(how)} trigger user`.execute(database.db);
  if (database.engine === 'postgres') await triggers('disable');
  await fillDemo(database, { now: LAST_MOMENT, timeZone: TIME_ZONE, seed: 'bench', sizes: SIZES[size] });
  if (database.engine === 'postgres') await triggers('enable');
  await mendRollups(database);
  say(`${size} on ${database.engine} made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
