import { type RawBuilder, sql } from 'kysely';
import type { Trx } from './connect.ts';
import { isPostgres } from './engine.ts';

/** The id of a row that is being written, and the source that an `insert … select` reads it from. */
export type Written = Readonly<{ id: RawBuilder<number>; from: RawBuilder<unknown> }>;

/**
 * Runs a write that returns its row, and a second write that refers to that row. On PostgreSQL they are one
 * statement, which saves a round trip. Returns the row, or undefined when the first write matched none; then
 * the second writes nothing either.
 */
export async function writeBoth<Row extends { id: number }>(
  trx: Trx,
  first: RawBuilder<Row>,
  second: (written: Written) => RawBuilder<unknown>,
): Promise<Row | undefined> {
  if (isPostgres(trx)) {
    const next = second({ id: sql<number>`written.id`, from: sql`from written` });
    const both = sql<Row>`with written as (${first}), followed as (${next}) select * from written`;
    return (await both.execute(trx)).rows[0];
  }
  const [row] = (await first.execute(trx)).rows;
  if (row !== undefined) await second({ id: sql<number>`${row.id}`, from: sql`` }).execute(trx);
  return row;
}
