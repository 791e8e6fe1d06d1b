import { existsSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { instantFromPostgres } from '#server/db/postgres-instant.ts';
import type { Row } from './replies.ts';
import { schemaFrom } from './schema.ts';

const CONNECTIONS = 10;
const OID = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 };

/** Opens the limit's file beside the product's, which is made when it is missing; as durable as the product's. */
export function openSqlite(dataDir: string): BetterSqlite.Database {
  const path = join(dataDir, 'limit.db');
  const isNew = !existsSync(path);
  const file = new BetterSqlite(path);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  if (isNew) {
    file.exec(`attach '${join(dataDir, 'volunteer-time.db')}' as ours`);
    for (const statement of schemaFrom('sqlite')) file.exec(statement);
    file.exec('detach ours');
  }
  return file;
}

/** A statement that each connection prepares once; its parameters stand as `$1`. */
export type Named = Readonly<{ name: string; text: string }>;
/** Runs a statement in one round trip. */
export type Run = (statement: Named, values: readonly unknown[], done: (rows: Row[]) => void) => void;

/** Opens the limit's schema in the product's PostgreSQL, which is made when it is missing. */
export async function openPostgres(databaseUrl: string): Promise<Run> {
  const config = {
    connectionString: databaseUrl,
    options: '-c search_path=bare -c timezone=UTC -c jit=off -c plan_cache_mode=force_generic_plan',
    types: { getTypeParser: parserOf },
  };
  const free: pg.Client[] = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    const client = new pg.Client(config);
    await client.connect();
    free.push(client);
  }
  await makeSchema(free[0] as pg.Client);
  const waiting: ((client: pg.Client) => void)[] = [];
  const give = (client: pg.Client) => {
    const next = waiting.shift();
    if (next === undefined) free.push(client);
    else next(client);
  };
  return (statement, values, done) => {
    const run = (client: pg.Client): void => {
      const query = { ...statement, values: [...values], rowMode: 'array' as const };
      void client.query(query, (error, result) => {
        give(client);
        if (error) throw error;
        done(result.rows);
      });
    };
    const client = free.pop();
    if (client === undefined) waiting.push(run);
    else run(client);
  };
}

async function makeSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 from pg_namespace where nspname = 'bare'`);
  if (rows.length > 0) return;
  await client.query('create schema bare');
  for (const statement of schemaFrom('postgres')) await client.query(statement);
  await client.query('analyze');
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === OID.int8 || oid === OID.numeric) return Number;
  if (oid === OID.date) return (text: string) => text;
  if (oid === OID.timestamptz) return instantFromPostgres;
  return pg.types.getTypeParser(oid, format as 'text');
}
