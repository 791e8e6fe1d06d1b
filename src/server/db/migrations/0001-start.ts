import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Every table of the specification's section 3, and what accounts, records and retries need. The limits are those
 * of the rooms' contracts; they stand here as numbers, since a released migration never changes.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table schools (
    id ${t.id},
    name ${t.text} not null check (length(name) between 1 and 120),
    name_key ${t.key} not null unique,
    logo_url ${t.text},
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1
  ) ${t.end}`);

  await run(sql`create table users (
    id ${t.id},
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null unique,
    password_hash ${t.text},
    first_name ${t.text} not null check (length(first_name) between 1 and 60),
    last_name ${t.text} not null check (length(last_name) between 1 and 60),
    sort_key ${t.key} not null,
    search_key ${t.key} not null,
    role ${t.text} not null check (role in ('user', 'admin')),
    is_active ${t.flag('is_active')} not null default 1,
    created_at ${t.instant('created_at')} not null,
    last_login_at ${t.instant('last_login_at')},
    version ${t.whole} not null default 1
  ) ${t.end}`);
  await run(sql`create index users_by_name on users (sort_key, id)`);

  await run(sql`create table user_schools (
    user_id ${t.ref} not null references users (id) on delete cascade,
    school_id ${t.ref} not null references schools (id) on delete cascade,
    status ${t.text} not null check (status in ('active', 'pending')),
    created_at ${t.instant('created_at')} not null,
    primary key (user_id, school_id)
  ) ${t.end}`);
  await run(sql`create index user_schools_of_school on user_schools (school_id, status, user_id)`);

  await run(sql`create table sessions (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')} not null,
    address ${t.text} not null,
    agent ${t.text} not null
  ) ${t.end}`);
  await run(sql`create index sessions_of_user on sessions (user_id)`);

  await run(sql`create table password_links (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    used_at ${t.instant('used_at')}
  ) ${t.end}`);
  await run(sql`create index password_links_of_user on password_links (user_id)`);

  await run(sql`create table categories (
    id ${t.id},
    school_id ${t.ref} not null references schools (id),
    name ${t.text} not null check (length(name) between 1 and 80),
    name_key ${t.key} not null,
    description ${t.text} check (length(description) between 1 and 500),
    color ${t.text} not null check (length(color) between 3 and 30),
    kind ${t.text} not null check (kind in ('event', 'classroom', 'other')),
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    unique (school_id, name_key),
    unique (id, school_id)
  ) ${t.end}`);
  await run(sql`create index categories_by_name on categories (name_key, id)`);

  // The pair (category_id, school_id) is referenced as one: an activity and its category share their school.
  await run(sql`create table activities (
    id ${t.id},
    school_id ${t.ref} not null references schools (id),
    category_id ${t.ref} not null,
    name ${t.text} not null check (length(name) between 1 and 120),
    name_key ${t.key} not null,
    description ${t.text} check (length(description) between 1 and 1000),
    is_active ${t.flag('is_active')} not null default 1,
    active_from ${t.date('active_from')},
    active_until ${t.date('active_until')},
    requires_description ${t.flag('requires_description')} not null default 0,
    description_prompt ${t.text} check (length(description_prompt) between 1 and 200),
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    foreign key (category_id, school_id) references categories (id, school_id),
    unique (id, school_id),
    check (active_until is null or (active_from is not null and active_until >= active_from)),
    check (requires_description = 0 or description_prompt is not null)
  ) ${t.end}`);
  await run(sql`create index activities_of_school on activities (school_id, name_key, id)`);
  await run(sql`create index activities_by_name on activities (name_key, id)`);
  await run(sql`create index activities_of_category on activities (category_id)`);

  await run(sql`create table time_entries (
    id ${t.id},
    user_id ${t.ref} not null references users (id),
    school_id ${t.ref} not null,
    activity_id ${t.ref} not null,
    hours_hundredths ${t.whole} not null check (hours_hundredths between 25 and 2400),
    entry_date ${t.date('entry_date')} not null,
    notes ${t.text} check (length(notes) between 1 and 500),
    created_at ${t.instant('created_at')} not null,
    deleted_at ${t.instant('deleted_at')},
    deleted_by ${t.ref},
    version ${t.whole} not null default 1,
    foreign key (activity_id, school_id) references activities (id, school_id),
    check ((deleted_at is null) = (deleted_by is null))
  ) ${t.end}`);
  // Lists never show what is deleted, so their indexes leave it out. In the two that sums are read from, SQLite needs
  // the column all the same: without it it goes to the table for every row of a sum. PostgreSQL knows it is null.
  const deletedAt = engine === 'sqlite' ? sql`, deleted_at` : sql``;
  await run(sql`create index entries_of_user_in_school
    on time_entries (user_id, school_id, entry_date, id) where deleted_at is null`);
  await run(
    sql`create index entries_of_user on time_entries (user_id, entry_date, id) where deleted_at is null`,
  );
  await run(sql`create index entries_of_school
    on time_entries (school_id, entry_date, id, activity_id, hours_hundredths${deletedAt}) where deleted_at is null`);
  await run(sql`create index entries_by_date
    on time_entries (entry_date, id, activity_id, hours_hundredths${deletedAt}) where deleted_at is null`);
  // Deleting an activity asks for whatever points at it, deleted or not: a partial index would not be used.
  await run(sql`create index entries_of_activity on time_entries (activity_id, entry_date, id, deleted_at)`);
  await run(sql`create index deleted_entries_of_user on time_entries (user_id) where deleted_at is not null`);

  await run(sql`create table photos (
    id ${t.id},
    activity_id ${t.ref} not null,
    school_id ${t.ref} not null,
    user_id ${t.ref} not null references users (id),
    caption ${t.text} check (length(caption) between 1 and 500),
    original_name ${t.text} not null check (length(original_name) between 1 and 255),
    file_size ${t.whole} not null check (file_size between 1 and 15728640),
    storage_key ${t.key} not null unique,
    sha256 ${t.key} not null check (length(sha256) = 64),
    width ${t.whole} not null check (width > 0),
    height ${t.whole} not null check (height > 0),
    google_photos_url ${t.text},
    google_photos_id ${t.text},
    created_at ${t.instant('created_at')} not null,
    deleted_at ${t.instant('deleted_at')},
    deleted_by ${t.ref},
    version ${t.whole} not null default 1,
    foreign key (activity_id, school_id) references activities (id, school_id),
    check ((deleted_at is null) = (deleted_by is null))
  ) ${t.end}`);
  await run(sql`create index photos_of_activity on photos (activity_id, id, deleted_at)`);
  await run(sql`create index photos_of_school on photos (school_id, id) where deleted_at is null`);
  await run(sql`create index photos_of_user on photos (user_id)`);
  await run(sql`create index deleted_photos on photos (deleted_at, id) where deleted_at is not null`);

  await run(sql`create table activity_suggestions (
    id ${t.id},
    user_id ${t.ref} not null references users (id),
    school_id ${t.ref} not null references schools (id),
    category_id ${t.ref} references categories (id) on delete set null,
    name ${t.text} not null check (length(name) between 1 and 100),
    description ${t.text} check (length(description) between 1 and 200),
    reason ${t.text} check (length(reason) between 1 and 500),
    is_year_long ${t.flag('is_year_long')} not null default 0,
    active_from ${t.date('active_from')},
    active_until ${t.date('active_until')},
    status ${t.text} not null check (status in ('pending', 'approved', 'rejected', 'deleted')),
    admin_reason ${t.text} check (length(admin_reason) between 1 and 500),
    approved_activity_id ${t.ref} references activities (id) on delete set null,
    decided_by ${t.ref},
    decided_at ${t.instant('decided_at')},
    created_at ${t.instant('created_at')} not null,
    version ${t.whole} not null default 1,
    check (active_until is null or (active_from is not null and active_until >= active_from)),
    check (is_year_long = 0 or active_from is null),
    check ((status = 'pending') = (decided_at is null))
  ) ${t.end}`);
  await run(sql`create index suggestions_of_user on activity_suggestions (user_id, id)`);
  await run(sql`create index suggestions_of_school on activity_suggestions (school_id, status, id)`);
  await run(sql`create index suggestions_by_status on activity_suggestions (status, id)`);
  await run(sql`create index suggestions_of_category on activity_suggestions (category_id)`);
  await run(sql`create index suggestions_of_activity on activity_suggestions (approved_activity_id)`);

  await run(sql`create table audit (
    id ${t.id},
    at ${t.instant('at')} not null,
    actor_id ${t.ref},
    action ${t.text} not null,
    subject ${t.text} not null,
    subject_id ${t.ref},
    school_id ${t.ref},
    before ${t.text},
    after ${t.text},
    address ${t.text},
    request_id ${t.text}
  ) ${t.end}`);
  await run(sql`create index audit_of_subject on audit (subject, subject_id, id)`);
  await run(sql`create index audit_of_actor on audit (actor_id, id)`);
  await makeAppendOnly(db, engine);

  await run(sql`create table idempotency_keys (
    owner ${t.key} not null,
    key ${t.key} not null check (length(key) between 1 and 200),
    fingerprint ${t.text} not null,
    reply ${t.text},
    created_at ${t.instant('created_at')} not null,
    primary key (owner, key)
  ) ${t.end}`);
  await run(sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`);

  await run(sql`create table try_limits (
    key ${t.key} primary key,
    failures ${t.whole} not null,
    window_started_at ${t.instant('window_started_at')} not null,
    blocked_until ${t.instant('blocked_until')},
    strikes ${t.whole} not null default 0
  ) ${t.end}`);
}

// Rows of the record are added and never changed or removed. One exception: what they say of a person can be
// blanked when that person is erased.
async function makeAppendOnly(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const changed = ['id', 'at', 'actor_id', 'action', 'subject', 'subject_id', 'school_id']
    .map((column) => `new.${column} is distinct from old.${column}`)
    .join(' or ');
  const refused = `${changed} or (new.before is not null and new.before is distinct from old.before)
    or (new.after is not null and new.after is distinct from old.after)`;
  if (engine === 'sqlite') {
    await sql`create trigger audit_keeps_rows before delete on audit
      begin select raise(abort, 'the audit record is append-only'); end`.execute(db);
    await sql`create trigger audit_keeps_values before update on audit when ${sql.raw(refused)}
      begin select raise(abort, 'the audit record is append-only'); end`.execute(db);
    return;
  }
  await sql`create function refuse_audit_change() returns trigger language plpgsql as
    $$ begin raise exception 'the audit record is append-only'; end $$`.execute(db);
  await sql`create trigger audit_keeps_rows before delete on audit
    for each row execute function refuse_audit_change()`.execute(db);
  await sql`create trigger audit_keeps_values before update on audit
    for each row when (${sql.raw(refused)}) execute function refuse_audit_change()`.execute(db);
}
