import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** What photos need beyond their table: checksums, review, files to remove; and the district's settings. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  for (const column of ['source_sha256', 'view_sha256', 'thumbnail_sha256']) {
    await run(
      sql`alter table photos add column ${sql.ref(column)} ${t.key} check (length(${sql.ref(column)}) = 64)`,
    );
  }
  await run(
    sql`alter table photos add column contains_students ${t.flag('contains_students')} not null default 0`,
  );
  await run(sql`alter table photos add column review ${t.text} not null default 'visible'
    check (review in ('visible', 'waiting', 'reported'))`);
  await run(
    sql`alter table photos add column takedown_reason ${t.text} check (length(takedown_reason) between 1 and 500)`,
  );
  await run(sql`alter table photos add column takedown_at ${t.instant('takedown_at')}`);
  await run(sql`alter table photos add column takedown_by ${t.ref}`);

  await run(
    sql`create unique index photos_once on photos (activity_id, source_sha256) where deleted_at is null`,
  );
  await run(sql`drop index photos_of_activity`);
  await run(sql`create index photos_of_activity on photos (activity_id, id, deleted_at, review, user_id)`);
  await run(sql`drop index photos_of_school`);
  const deletedAt = engine === 'sqlite' ? sql`, deleted_at` : sql``;
  await run(
    sql`create index photos_of_school on photos (school_id, id, review, user_id${deletedAt}) where deleted_at is null`,
  );
  await run(sql`drop index photos_of_user`);
  await run(sql`create index photos_of_user on photos (user_id, id)`);
  await run(sql`create index photos_added_by on photos (user_id, created_at)`);
  await run(sql`create index administrators on users (id) where role = 'admin' and is_active = 1`);
  await run(sql`create index photos_to_review on photos (id, school_id)
    where deleted_at is null and review <> 'visible'`);
  await run(sql`create index photos_to_review_of_school on photos (school_id, id)
    where deleted_at is null and review <> 'visible'`);
  await run(sql`create index photos_taken_down_by on photos (takedown_by) where takedown_by is not null`);
  await run(sql`create index deleted_photos_of_school on photos (school_id, deleted_at, id)
    where deleted_at is not null`);

  // Names under which files may lie in the store that no photo has: removed when due.
  await run(sql`create table photo_leftovers (
    storage_key ${t.key} primary key check (length(storage_key) between 1 and 100),
    due_at ${t.instant('due_at')} not null
  ) ${t.end}`);
  await run(sql`create index photo_leftovers_by_age on photo_leftovers (due_at)`);
  await rememberFiles(db, engine);

  await run(sql`create table district_settings (
    name ${t.key} primary key check (length(name) between 1 and 60),
    value ${t.text} not null check (length(value) between 1 and 20000)
  ) ${t.end}`);
}

// Whoever deletes the row of a photo, for whatever reason, its files are known to be left.
async function rememberFiles(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const deed = `insert into photo_leftovers (storage_key, due_at) values (old.storage_key, '2000-01-01T00:00:00.000Z')
    on conflict (storage_key) do nothing;`;
  if (engine === 'sqlite') {
    await sql.raw(`create trigger photo_files_left after delete on photos begin ${deed} end`).execute(db);
    return;
  }
  await sql
    .raw(`create function photo_files_left() returns trigger language plpgsql as
      $$ begin ${deed} return null; end $$`)
    .execute(db);
  await sql
    .raw(
      'create trigger photo_files_left after delete on photos for each row execute function photo_files_left()',
    )
    .execute(db);
}
