import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** People without sign-in, who were on a paper sheet; and the code that a sign-in sheet prints for an activity. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table users add column is_walk_in ${t.flag('is_walk_in')} not null default 0`.execute(db);
  await sql`alter table users add column contact_email ${t.text}
    check (length(contact_email) between 1 and 254)`.execute(db);
  await sql`alter table activities add column log_code ${t.key}
    check (length(log_code) between 1 and 32)`.execute(db);
  await sql`create unique index activities_by_log_code on activities (log_code)
    where log_code is not null`.execute(db);
}
