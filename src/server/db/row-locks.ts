import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { isPostgres, type Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Locks the selected rows until the transaction ends. A no-op on SQLite, whose transactions run one at a time. */
export function forUpdate<From extends keyof Tables, Found>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, From, Found>,
): SelectQueryBuilder<Tables, From, Found> {
  return isPostgres(trx) ? query.forUpdate() : query;
}

/** The same for a raw SQL query, for the rows of one of its tables. */
export function lockRowsSql(trx: Trx, table: keyof Tables): RawBuilder<unknown> {
  return isPostgres(trx) ? sql`for update of ${sql.table(table)}` : sql``;
}

/**
 * Locks whole tables until the transaction ends: others can read but not write. A no-op on SQLite, which has
 * one writer at a time.
 */
export async function lockTables(trx: Trx, tables: readonly (keyof Tables)[]): Promise<void> {
  if (!isPostgres(trx)) return;
  await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share row exclusive mode`.execute(
    trx,
  );
}

/**
 * A weaker lock, for rows that only one transaction at a time may change: others may still insert references
 * to them.
 */
export function lockForNoKeyUpdate<From extends keyof Tables, Found>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, From, Found>,
): SelectQueryBuilder<Tables, From, Found> {
  return isPostgres(trx) ? query.forNoKeyUpdate() : query;
}
