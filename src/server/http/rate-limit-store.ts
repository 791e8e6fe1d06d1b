import type { Db } from '../db/database.ts';
import type { Row } from '../db/tables.ts';

/** Reads a counter without a lock; undefined when nothing was counted. */
export function findCounter(db: Db, key: string): Promise<Row<'rate_limits'> | undefined> {
  return db.selectFrom('rate_limits').selectAll().where('key', '=', key).executeTakeFirst();
}
