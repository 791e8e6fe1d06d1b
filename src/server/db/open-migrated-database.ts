import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, DatabaseError, openDatabase, SQLITE_FILE } from './database.ts';
import { requireUpToDate } from './migrate.ts';
import type { DatabaseLocation } from './snapshot.ts';

/**
 * Opens a district's database for an operator's command, without creating one. Throws `DatabaseError` if there is none, if it
 * needs an update, or if a newer version changed it in a way that this version does not tolerate.
 */
export async function openUpToDate(place: DatabaseLocation): Promise<Database> {
  if (place.databaseUrl === undefined) requireSqlite(place.dataDir);
  const database = await openDatabase(place);
  try {
    await requireUpToDate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Throws `DatabaseError` when the data folder has no SQLite database. */
export function requireSqlite(dataDir: string): void {
  if (existsSync(join(dataDir, SQLITE_FILE))) return;
  throw new DatabaseError(
    `DATA_DIR: there is no database in ${dataDir}. Check the setting, or run npm start once.`,
  );
}
