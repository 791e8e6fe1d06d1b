import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Up to where a session has written, in PostgreSQL's log: a standby must have replayed that before it is read from. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table sessions add column written_to ${t.ref}`.execute(db);
}
