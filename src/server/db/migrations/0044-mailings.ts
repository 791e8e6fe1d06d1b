import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Letters from an administrator to many people, whom they still have to go to, and who wants none. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table mailings (
    id ${t.id},
    sent_by ${t.ref} not null references users (id) on delete cascade,
    subject ${t.text} not null,
    sealed ${t.text},
    total ${t.whole} not null,
    posted ${t.whole} not null default 0,
    created_at ${t.instant('created_at')} not null,
    finished_at ${t.instant('finished_at')},
    check ((sealed is null) = (finished_at is not null))
  ) ${t.end}`);
  await run(sql`create index mailings_by_sender on mailings (sent_by, created_at)`);
  await run(sql`create index mailings_at_work on mailings (id) where finished_at is null`);
  await run(sql`create index mailings_to_sweep on mailings (finished_at)`);

  await run(sql`create table mailing_people (
    mailing_id ${t.ref} not null references mailings (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    primary key (mailing_id, user_id)
  ) ${t.end}`);
  await run(sql`create index mailing_people_by_person on mailing_people (user_id)`);

  await run(sql`create table mailing_stops (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    stopped_at ${t.instant('stopped_at')} not null
  ) ${t.end}`);
}
