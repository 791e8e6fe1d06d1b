import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Letters to supervisors without an account, the entries that each asks about, and who wants no more of them. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table outside_letters (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    school_id ${t.ref} not null references schools (id) on delete cascade,
    address ${t.text} not null,
    address_key ${t.key} not null,
    mail_id ${t.ref},
    made_at ${t.instant('made_at')} not null,
    made_day ${t.date('made_day')} not null,
    expires_at ${t.instant('expires_at')} not null,
    ended_at ${t.instant('ended_at')},
    unique (address_key, made_day, school_id)
  ) ${t.end}`);
  await run(sql`create index outside_letters_of_school on outside_letters (school_id)`);
  await run(sql`create index outside_letters_to_address on outside_letters (address_key, made_at)`);
  await run(sql`create index outside_letters_by_age on outside_letters (expires_at)`);

  await run(sql`create table outside_letter_entries (
    letter_id ${t.ref} not null references outside_letters (id) on delete cascade,
    entry_id ${t.ref} not null references time_entries (id) on delete cascade,
    version ${t.whole} not null,
    primary key (entry_id, letter_id)
  ) ${t.end}`);
  await run(sql`create index outside_letter_entries_of_letter on outside_letter_entries (letter_id)`);

  await run(sql`create table outside_stops (
    address_hash ${t.key} primary key,
    stopped_at ${t.instant('stopped_at')} not null
  ) ${t.end}`);
}
