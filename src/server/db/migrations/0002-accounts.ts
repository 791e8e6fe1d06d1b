import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** What accounts need beyond signing in: mail, confirmed addresses, invitations, and the wish to be deleted. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`alter table users add column email_verified_at ${t.instant('email_verified_at')}`);
  await run(
    sql`alter table users add column failed_logins ${t.whole} not null default 0 check (failed_logins >= 0)`,
  );
  await run(sql`alter table users add column erased_at ${t.instant('erased_at')}`);

  await run(sql`create index pending_memberships on user_schools (created_at, user_id, school_id)
    where status = 'pending'`);

  // A letter waits (sealed is there), or is done with: sent, or given up with a reason.
  await run(sql`create table mail (
    id ${t.id},
    message_id ${t.key} not null unique,
    kind ${t.text} not null check (length(kind) between 1 and 40),
    user_id ${t.ref},
    sealed ${t.text},
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    due_at ${t.instant('due_at')} not null,
    attempts ${t.whole} not null default 0 check (attempts >= 0),
    leased_until ${t.instant('leased_until')},
    sent_at ${t.instant('sent_at')},
    dropped_at ${t.instant('dropped_at')},
    failure ${t.text} check (length(failure) between 1 and 500),
    check ((sealed is null) = (sent_at is not null or dropped_at is not null)),
    check (sent_at is null or dropped_at is null),
    check (dropped_at is null or failure is not null)
  ) ${t.end}`);
  await run(sql`create index mail_waiting on mail (due_at, id) where sealed is not null`);
  await run(sql`create index mail_of_user on mail (user_id, id)`);
  await run(sql`create index mail_by_age on mail (created_at)`);

  // With an account: its new address. Without: an account that is made when the link is opened.
  await run(sql`create table email_confirmations (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null unique,
    user_id ${t.ref} references users (id) on delete cascade,
    password_hash ${t.text},
    first_name ${t.text} check (length(first_name) between 1 and 60),
    last_name ${t.text} check (length(last_name) between 1 and 60),
    school_ids ${t.text},
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    check ((user_id is null) = (password_hash is not null)),
    check ((user_id is null) = (first_name is not null)),
    check ((user_id is null) = (last_name is not null)),
    check ((user_id is null) = (school_ids is not null))
  ) ${t.end}`);
  await run(sql`create index email_confirmations_of_user on email_confirmations (user_id)`);
  await run(sql`create index email_confirmations_by_age on email_confirmations (expires_at)`);

  await run(sql`create table invites (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null,
    role ${t.text} not null check (role in ('user', 'admin')),
    invited_by ${t.ref} references users (id) on delete set null,
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    used_at ${t.instant('used_at')},
    used_by ${t.ref} references users (id) on delete set null,
    check (used_by is null or used_at is not null)
  ) ${t.end}`);
  await run(sql`create index invites_of_address on invites (email_key, id)`);
  await run(sql`create index invites_by_inviter on invites (invited_by)`);
  await run(sql`create index invites_by_user on invites (used_by)`);
  await run(sql`create table invite_schools (
    invite_id ${t.ref} not null references invites (id) on delete cascade,
    school_id ${t.ref} not null references schools (id) on delete cascade,
    primary key (invite_id, school_id)
  ) ${t.end}`);
  await run(sql`create index invite_schools_of_school on invite_schools (school_id)`);

  await run(sql`create table erasure_requests (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    reason ${t.text} check (length(reason) between 1 and 500),
    requested_at ${t.instant('requested_at')} not null
  ) ${t.end}`);
  await run(sql`create index erasure_requests_by_age on erasure_requests (requested_at, user_id)`);
}
