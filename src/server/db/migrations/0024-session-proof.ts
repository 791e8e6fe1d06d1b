import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** How each session was signed in, and when its person last proved who they are. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  // Null for sessions that began before this was noted.
  await run(sql`alter table sessions add column signed_in_by ${t.key}
    check (signed_in_by in ('password', 'provider', 'passkey', 'link'))`);
  await run(sql`alter table sessions add column proven_at ${t.instant('proven_at')}`);
}
