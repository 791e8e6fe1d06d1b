import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Photo Sync: the connection to Google Drive, what lies there, and the work that is under way. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table drive_connection (
    id ${t.whole} primary key check (id = 1),
    refresh_token ${t.text},
    access_token ${t.text},
    access_expires_at ${t.instant('access_expires_at')},
    account ${t.text} check (length(account) between 1 and 320),
    connected_by ${t.ref} not null,
    connected_at ${t.instant('connected_at')} not null,
    lost_at ${t.instant('lost_at')},
    check ((refresh_token is null) = (lost_at is not null))
  ) ${t.end}`);

  await run(sql`create table drive_attempts (
    state_hash ${t.key} primary key check (length(state_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    session_id ${t.ref} not null,
    verifier ${t.text} not null,
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    used_at ${t.instant('used_at')},
    problem ${t.text}
  ) ${t.end}`);
  await run(sql`create index drive_attempts_of_user on drive_attempts (user_id, created_at)`);
  await run(sql`create index drive_attempts_by_age on drive_attempts (created_at)`);

  // The folder that holds the others: made here, or chosen.
  await run(sql`create table drive_root (
    id ${t.whole} primary key check (id = 1),
    folder_id ${t.key} not null check (length(folder_id) between 10 and 100),
    name ${t.text} not null,
    url ${t.text},
    is_ready ${t.flag('is_ready')} not null,
    is_chosen ${t.flag('is_chosen')} not null
  ) ${t.end}`);

  // Activities may go while their folders stay in Drive. Whoever works on one holds its lease.
  await run(sql`create table drive_folders (
    activity_id ${t.ref} primary key,
    folder_id ${t.key} check (length(folder_id) between 10 and 100),
    is_ready ${t.flag('is_ready')} not null default 0,
    lease ${t.key},
    leased_until ${t.instant('leased_until')}
  ) ${t.end}`);

  // Ids are noted before a file is made with them: whatever happens then, the file is known.
  await run(sql`create table drive_files (
    photo_id ${t.ref} primary key,
    activity_id ${t.ref} not null,
    file_id ${t.key} not null unique check (length(file_id) between 10 and 100),
    is_stored ${t.flag('is_stored')} not null default 0,
    is_unwanted ${t.flag('is_unwanted')} not null default 0,
    upload_session ${t.text}
  ) ${t.end}`);
  await run(sql`create index drive_files_of_activity on drive_files (activity_id, photo_id)`);
  await run(
    sql`create index drive_files_unwanted on drive_files (activity_id, photo_id) where is_unwanted = 1`,
  );
  await followPhotos(db, engine);

  await run(sql`create table drive_syncs (
    id ${t.id},
    kind ${t.text} not null check (kind in ('manual', 'nightly')),
    requested_by ${t.ref},
    requested_at ${t.instant('requested_at')} not null,
    waiting_until ${t.instant('waiting_until')},
    cancelled_at ${t.instant('cancelled_at')},
    finished_at ${t.instant('finished_at')}
  ) ${t.end}`);
  await run(sql`create index drive_syncs_open on drive_syncs (id) where finished_at is null`);
  await run(sql`create index drive_syncs_of_user on drive_syncs (requested_by, id)`);
  await run(sql`create index drive_syncs_by_age on drive_syncs (finished_at) where finished_at is not null`);

  await run(sql`create table drive_sync_activities (
    sync_id ${t.ref} not null references drive_syncs (id) on delete cascade,
    activity_id ${t.ref} not null,
    position ${t.whole} not null,
    name ${t.text} not null,
    state ${t.text} not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
    error ${t.text},
    folder_name ${t.text},
    folder_url ${t.text},
    primary key (sync_id, activity_id)
  ) ${t.end}`);
  await run(sql`create index drive_sync_activities_open on drive_sync_activities (sync_id, position)
    where state in ('queued', 'running')`);

  await run(sql`create table drive_sync_photos (
    sync_id ${t.ref} not null,
    activity_id ${t.ref} not null,
    photo_id ${t.ref} not null,
    state ${t.text} not null check (state in ('waiting', 'stored', 'skipped', 'failed')),
    error ${t.text},
    primary key (sync_id, activity_id, photo_id),
    foreign key (sync_id, activity_id) references drive_sync_activities (sync_id, activity_id) on delete cascade
  ) ${t.end}`);
  await run(
    sql`create index drive_sync_photos_by_state on drive_sync_photos (sync_id, activity_id, state, photo_id)`,
  );
}

// Whatever hides or removes a photo, what lies of it in Drive is known to be unwanted.
async function followPhotos(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const hidden = `new.deleted_at is not null or new.review <> 'visible'`;
  const shown = `update drive_files set is_unwanted = case when ${hidden} then 1 else 0 end where photo_id = new.id;`;
  const removed = 'update drive_files set is_unwanted = 1 where photo_id = old.id;';
  if (engine === 'sqlite') {
    await sql
      .raw(
        `create trigger drive_files_hidden after update of deleted_at, review on photos begin ${shown} end`,
      )
      .execute(db);
    await sql.raw(`create trigger drive_files_left after delete on photos begin ${removed} end`).execute(db);
    return;
  }
  await sql
    .raw(`create function drive_files_hidden() returns trigger language plpgsql as
      $$ begin ${shown} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create function drive_files_left() returns trigger language plpgsql as
      $$ begin ${removed} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger drive_files_hidden after update of deleted_at, review on photos
      for each row execute function drive_files_hidden()`)
    .execute(db);
  await sql
    .raw(
      'create trigger drive_files_left after delete on photos for each row execute function drive_files_left()',
    )
    .execute(db);
}
