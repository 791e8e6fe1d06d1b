import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Who does not want letters about backups, failed requests by day, and what the System screen counts. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  // Without a row: told.
  await run(sql`create table backup_mail (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    is_wanted ${t.flag('is_wanted')} not null
  ) ${t.end}`);

  await run(sql`create table failed_requests (
    day ${t.date('day')} not null,
    method ${t.key} not null check (length(method) between 1 and 20),
    route ${t.key} not null check (length(route) between 1 and 200),
    status ${t.whole} not null check (status between 500 and 599),
    count ${t.whole} not null check (count > 0),
    last_at ${t.instant('last_at')} not null,
    last_id ${t.key} not null check (length(last_id) between 1 and 60),
    primary key (day, method, route, status)
  ) ${t.end}`);

  await run(sql`create index mail_unsent on mail (id) where sent_at is null`);
  await run(sql`create index photos_by_size on photos (file_size) where deleted_at is null`);
  await run(
    sql`create index exports_running on exports (id) where started_at is not null and outcome is null`,
  );
}
