import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { SQLITE_FILE, type Trx, transaction } from '../database.ts';
import { allowDatabaseMarks, databaseMark } from './database-mark.ts';

const MARKS = 2 ** 31 - 1;

/**
 * Writes a new mark into the SQLite file of an open database (see `foreignLogError`), in steps, so that a
 * kill at any moment leaves a valid one.
 */
export async function markDatabase({ database, config }: Pick<Deps, 'database' | 'config'>): Promise<void> {
  if (database.engine !== 'sqlite') return;
  const path = join(config.dataDir, SQLITE_FILE);
  const mine = randomInt(1, MARKS);
  await transaction(database, async (trx) => {
    const known = [databaseMark(path) ?? 0, await currentMark(trx)];
    allowDatabaseMarks(path, [...known, mine]);
    await sql`pragma user_version = ${sql.lit(mine)}`.execute(trx);
  });
  await database.scrub();
  await transaction(database, async (trx) => {
    // A reader in another program may prevent the number from reaching the file. Then the previous marks stay valid too.
    if (databaseMark(path) === mine && (await currentMark(trx)) === mine) allowDatabaseMarks(path, [mine]);
  });
}

async function currentMark(trx: Trx): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(trx);
  return rows[0]?.user_version ?? 0;
}
