import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** The language that somebody chose for themselves; null where their browser decides. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table users add column language ${t.key}`.execute(db);
}
