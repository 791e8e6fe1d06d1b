import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** What suggestions need beyond their table: lists in order, mail that is wanted, and what is done once a day. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create index suggestions_of_user_by_status on activity_suggestions (user_id, status, id)`);
  await run(sql`create index decided_suggestions on activity_suggestions (id) where status <> 'pending'`);
  await run(
    sql`create index decided_suggestions_of_school on activity_suggestions (school_id, id) where status <> 'pending'`,
  );

  // Without a row: told of decisions, no digest.
  await run(sql`create table suggestion_mail (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    decisions ${t.flag('decisions')} not null default 1,
    digest ${t.flag('digest')} not null default 0
  ) ${t.end}`);
  await run(sql`create index suggestion_digests on suggestion_mail (user_id) where digest = 1`);

  await run(sql`create table daily_jobs (
    name ${t.key} primary key check (length(name) between 1 and 60),
    last_day ${t.date('last_day')} not null
  ) ${t.end}`);
}
