import { existsSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import type { Engine } from '#server/db/columns.ts';
import { schemaFrom } from './schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
export type Row = any;
/** Runs a prepared statement; parameters stand as `?`. */
export type Run = (text: string, values: readonly unknown[]) => Promise<Row[]>;

const POOL_SIZE = 10;
const OID = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184 };

/** The limit's database: a file beside the product's, or a schema in the same PostgreSQL. Made when it is missing. */
export async function openLimit(where: {
  dataDir: string;
  databaseUrl: string | undefined;
}): Promise<{ engine: Engine; run: Run }> {
  return where.databaseUrl === undefined ? openSqlite(where.dataDir) : openPostgres(where.databaseUrl);
}

function openSqlite(dataDir: string): { engine: Engine; run: Run } {
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
  const kept = new Map<string, BetterSqlite.Statement>();
  const run: Run = async (text, values) => {
    const statement = kept.get(text) ?? file.prepare(text);
    kept.set(text, statement);
    if (statement.reader) return statement.all(...values);
    return [{ id: Number(statement.run(...values).lastInsertRowid) }];
  };
  return { engine: 'sqlite', run };
}

async function openPostgres(databaseUrl: string): Promise<{ engine: Engine; run: Run }> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    options: '-c search_path=bare -c timezone=UTC',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => {
        if (oid === OID.int8 || oid === OID.numeric) return Number;
        if (oid === OID.date) return (text: string) => text;
        if (oid === OID.timestamptz) return (text: string) => new Date(text).toISOString();
        return pg.types.getTypeParser(oid, format as 'text');
      },
    },
  });
  const { rows } = await pool.query(`select 1 from pg_namespace where nspname = 'bare'`);
  if (rows.length === 0) {
    await pool.query('create schema bare');
    for (const statement of schemaFrom('postgres')) await pool.query(statement);
    await pool.query('analyze');
  }
  const names = new Map<string, { name: string; text: string }>();
  const run: Run = async (text, values) => {
    let known = names.get(text);
    if (known === undefined) {
      let place = 0;
      known = { name: `s${names.size}`, text: text.replaceAll('?', () => `$${++place}`) };
      names.set(text, known);
    }
    return (await pool.query({ ...known, values: [...values] })).rows;
  };
  return { engine: 'postgres', run };
}
