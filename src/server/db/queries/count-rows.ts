import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Counts the rows of a query that selects nothing yet. */
export async function countRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether a query that selects nothing yet finds a row. */
export async function hasRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<boolean> {
  const row = await query.select(sql.lit(1).as('found')).limit(1).executeTakeFirst();
  return row !== undefined;
}
