import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Photos count how often it was decided who sees them, so that a link from before a decision does not work after it. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table photos add column review_round ${t.whole} not null default 0
    check (review_round >= 0)`.execute(db);
}
