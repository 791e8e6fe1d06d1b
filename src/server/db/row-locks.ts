import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { inChunks } from './chunks.ts';
import { isPostgres, type Trx } from './database.ts';
import type { Tables } from './tables.ts';

/** Locks the selected rows until the transaction ends. A no-op on SQLite, whose transactions run one at a time. */
export function forUpdate<From extends keyof Tables, Found>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, From, Found>,
): SelectQueryBuilder<Tables, From, Found> {
  return isPostgres(trx) ? query.forUpdate() : query;
}

type LockedById =
  | 'activities'
  | 'activity_batches'
  | 'activity_suggestions'
  | 'categories'
  | 'schools'
  | 'user_imports';

/** Locks a row until the transaction ends, against changes and new references to it. */
export async function lockRow(trx: Trx, table: LockedById, id: number): Promise<void> {
  await forUpdate(trx, trx.selectFrom(table).select('id').where('id', '=', id)).execute();
}

/** Like `lockRow`, for several rows, in the order of their ids to avoid deadlocks. */
export async function lockRows(trx: Trx, table: LockedById, ids: readonly number[]): Promise<void> {
  const inOrder = ids.toSorted((a, b) => a - b);
  await inChunks(inOrder, (some) =>
    forUpdate(trx, trx.selectFrom(table).select('id').where('id', 'in', some).orderBy('id')).execute(),
  );
}

/** Returns SQL that locks the rows of one table in a raw query, like `forUpdate`. */
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

/** Like `forUpdate`, but weaker: other transactions may still insert references to the rows. */
export function lockForNoKeyUpdate<From extends keyof Tables, Found>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, From, Found>,
): SelectQueryBuilder<Tables, From, Found> {
  return isPostgres(trx) ? query.forNoKeyUpdate() : query;
}
