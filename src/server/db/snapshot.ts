import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { BUSY_TIMEOUT_MS, type Db, SQLITE_FILE } from './database.ts';
import { createPool } from './postgres/connection-pool.ts';
import { cacheStatements } from './sqlite/statement-cache.ts';
import type { Tables } from './tables.ts';

/** The settings that locate the database. */
export type DatabaseLocation = Readonly<{ databaseUrl: string | undefined; dataDir: string }>;

/**
 * Opens a connection with one read transaction: a read-only view of the database as of one moment. It blocks no other
 * connection, but rows changed or deleted meanwhile use disk space until it is destroyed, so keep it open for minutes at most.
 */
export function openSnapshot({ databaseUrl, dataDir }: DatabaseLocation): Db {
  return databaseUrl === undefined ? ofFile(join(dataDir, SQLITE_FILE)) : ofServer(databaseUrl);
}

function ofFile(path: string): Db {
  const file = new BetterSqlite(path, { readonly: true, fileMustExist: true });
  file.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  file.exec('begin');
  // The snapshot is taken at the first read.
  file.prepare('select count(*) from sqlite_schema').get();
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: cacheStatements(file) }) });
}

function ofServer(databaseUrl: string): Db {
  let connections = 0;
  const dialect = new PostgresDialect({
    pool: createPool(databaseUrl, 1, { idleTimeoutMillis: 0 }),
    onCreateConnection: async (connection) => {
      // A new connection would see a different snapshot.
      if (++connections > 1) throw new Error('the connection of a snapshot was lost');
      await connection.executeQuery(
        CompiledQuery.raw('begin transaction isolation level repeatable read read only'),
      );
    },
  });
  return new Kysely<Tables>({ dialect });
}
