import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Who wants the weekly letter of the hours that wait, and for which week they last got one; what waits, by age. What
 * became of a letter to a supervisor, which must be known longer than the outbox remembers the mail.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  // Without a row: wanted.
  await run(sql`create table verifier_mail (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    is_wanted ${t.flag('is_wanted')} not null,
    last_week ${t.date('last_week')}
  ) ${t.end}`);

  await run(sql`create index entries_waiting_by_age on time_entries (school_id, created_at)
    where verification = 'waiting' and deleted_at is null`);

  await run(
    sql`alter table outside_letters add column delivery ${t.key} check (delivery in ('sent', 'failed'))`,
  );
  // Their mail was forgotten, so nothing else can be said of them than before.
  await run(sql`update outside_letters set delivery = 'sent'
    where mail_id is not null and mail_id not in (select id from mail)`);
}
