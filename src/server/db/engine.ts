import { PostgresAdapter } from 'kysely';
import type { Db } from './database.ts';

/** Whether a database, or the one that a transaction is in, is PostgreSQL; else it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
