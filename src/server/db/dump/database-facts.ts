import { sql } from 'kysely';
import type { Database, Db } from '../database.ts';

/** The migrator's own tables, which each engine fills itself. */
export const MIGRATION_TABLES: readonly string[] = ['schema_migrations', 'schema_migrations_lock'];

/** Tables that Litestream creates in a database that it replicates. Copies leave them out. */
export const LITESTREAM_TABLES: readonly string[] = ['_litestream_lock', '_litestream_seq'];

/**
 * Facts that a copy and its original have in common: the number of rows per table, and the hours of all live time entries in
 * hundredths.
 */
export type DatabaseFacts = Readonly<{
  migration: string;
  rows: Readonly<Record<string, number>>;
  liveHundredths: number;
}>;

/** Counts a database's facts. Reads every table, so pass a snapshot while others write. */
export async function countFacts(db: Db): Promise<DatabaseFacts> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  const rows: Record<string, number> = {};
  for (const table of tables.toSorted()) {
    if (MIGRATION_TABLES.includes(table) || LITESTREAM_TABLES.includes(table)) continue;
    const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
    rows[table] = Number(counted.rows[0]?.rows);
  }
  const hours = await sql<{ sum: number | null }>`
    select sum(hours_hundredths) as sum from time_entries where deleted_at is null`.execute(db);
  const last = await sql<{ name: string }>`
    select name from schema_migrations order by name desc limit 1`.execute(db);
  return { migration: last.rows[0]?.name ?? '', rows, liveHundredths: Number(hours.rows[0]?.sum ?? 0) };
}

/** Describes the differences between two databases; empty if there are none. */
export function describeDifferences(expected: DatabaseFacts, actual: DatabaseFacts): string[] {
  const tables = new Set([...Object.keys(expected.rows), ...Object.keys(actual.rows)]);
  const found = [...tables]
    .filter((table) => expected.rows[table] !== actual.rows[table])
    .map(
      (table) => `${table}: ${actual.rows[table] ?? 'no'} rows instead of ${expected.rows[table] ?? 'none'}`,
    );
  if (expected.liveHundredths !== actual.liveHundredths) {
    found.push(`hours: ${actual.liveHundredths / 100} instead of ${expected.liveHundredths / 100}`);
  }
  return found;
}

/** Tables with dangling foreign keys. Only possible on SQLite, where a migration may turn the check off. */
export async function brokenReferences({ engine, db }: Database): Promise<string[]> {
  if (engine === 'postgres') return [];
  const { rows } = await sql<{
    table: string;
  }>`select distinct "table" from pragma_foreign_key_check`.execute(db);
  return rows.map(({ table }) => `rows of ${table} refer to nothing`);
}
