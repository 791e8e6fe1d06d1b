import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** From where an account signed in before, and what the server noticed about how it is run. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table known_devices (
    user_id ${t.ref} not null references users (id) on delete cascade,
    mark ${t.key} not null check (length(mark) between 1 and 100),
    last_used_at ${t.instant('last_used_at')} not null,
    failed_logins ${t.whole} not null default 0 check (failed_logins >= 0),
    primary key (user_id, mark)
  ) ${t.end}`);
  await run(sql`create index known_devices_by_age on known_devices (last_used_at)`);

  await run(sql`create table system_warnings (
    name ${t.key} primary key check (length(name) between 1 and 60),
    detail ${t.text} not null,
    noted_at ${t.instant('noted_at')} not null
  ) ${t.end}`);
}
