import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** The email addresses that an account had before its present one, since nobody verifies their own hours. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`create table past_addresses (
    user_id ${t.ref} not null references users (id) on delete cascade,
    email_key ${t.key} not null,
    primary key (user_id, email_key)
  ) ${t.end}`.execute(db);
}
