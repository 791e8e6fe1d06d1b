import { PostgresAdapter, type SelectQueryBuilder } from 'kysely';
import type { Trx } from './connect.ts';
import type { Tables } from './tables.ts';

/**
 * Makes a select inside a transaction hold the rows it finds until the end of it. SQLite needs nothing: a
 * transaction there is alone from its first statement.
 */
export function held<From extends keyof Tables, Found>(
  trx: Trx,
  query: SelectQueryBuilder<Tables, From, Found>,
): SelectQueryBuilder<Tables, From, Found> {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate() : query;
}
