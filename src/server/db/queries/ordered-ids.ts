import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { isPostgres } from '../database.ts';
import type { Tables } from '../tables.ts';

/**
 * A list of rows from an inner table in the order of an outer one: first the rows that belong to the first outer row, then
 * those of the second, and so on.
 */
export type OrderedIdsQuery = Readonly<{
  outer: keyof Tables;
  /** Filter and order of the outer table, by columns of one of its indexes. */
  outerWhere: RawBuilder<boolean>;
  outerOrder: readonly string[];
  inner: keyof Tables;
  /** Join condition and order of the inner rows. `id` must be the last column. */
  innerWhere: RawBuilder<boolean>;
  innerOrder: readonly string[];
  way: 'asc' | 'desc';
  limit: number;
}>;

/**
 * The ids of the inner rows, as a query that stops once it has enough. By default both engines join
 * everything and sort it. SQLite reads the tables of a `cross join` in the order written; PostgreSQL does so
 * with a lateral subquery for each outer row.
 */
export function orderedIds(db: Db, list: OrderedIdsQuery): RawBuilder<number> {
  const [outer, inner] = [sql.table(list.outer), sql.table(list.inner)];
  const outerOrder = sorted(list.outer, list.outerOrder, list.way);
  const innerOrder = sorted(list.inner, list.innerOrder, list.way);
  if (!isPostgres(db)) {
    return sql<number>`(select ${inner}.id from ${outer} cross join ${inner}
      where ${list.outerWhere} and ${list.innerWhere} order by ${outerOrder}, ${innerOrder} limit ${list.limit})`;
  }
  const columns = sql.join(list.innerOrder.map((column) => sql.ref(`${list.inner}.${column}`)));
  return sql<number>`(select found.id from ${outer} cross join lateral (
      select ${columns} from ${inner} where ${list.innerWhere} order by ${innerOrder} limit ${list.limit}
    ) as found where ${list.outerWhere}
    order by ${outerOrder}, ${sorted('found', list.innerOrder, list.way)} limit ${list.limit})`;
}

/**
 * A column that filters without choosing the index. SQLite chooses indexes without statistics, so the column is hidden from its
 * planner; PostgreSQL has statistics.
 */
export function unindexedCondition(db: Db, column: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql.ref(column) : sql`+${sql.ref(column)}`;
}

function sorted(table: string, columns: readonly string[], way: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(`${table}.${column}`)} ${sql.raw(way)}`));
}
