import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Who vouched for an address, apart from whether its owner proved it, and which emailed links were also shown to an
 * administrator, so that opening them proves nothing. Addresses so far stay proven only where the record says how: a
 * link was opened, or a provider knew them. Everything else counts as typed by an administrator.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`alter table users add column vouched_at ${t.instant('vouched_at')}`);
  await run(sql`alter table users add column vouched_by ${t.ref} references users (id) on delete set null`);
  await run(sql`create index users_by_voucher on users (vouched_by)`);
  await run(sql`alter table password_links add column is_shown ${t.flag('is_shown')} not null default 0`);
  await run(sql`alter table invites add column is_shown ${t.flag('is_shown')} not null default 0`);

  await run(sql`update users set vouched_at = email_verified_at, email_verified_at = null
    where email_verified_at is not null
      and not exists (select 1 from invites where invites.used_by = users.id)
      and not exists (select 1 from provider_links where provider_links.user_id = users.id)
      and not exists (
        select 1 from audit
        where audit.subject = 'user' and audit.subject_id = users.id
          and audit.action in ('account.confirm-address', 'password.reset', 'session.mailed-link'))
      and exists (
        select 1 from audit
        where audit.subject = 'user' and audit.subject_id = users.id
          and audit.action in ('account.create', 'account.change'))`);
  await run(sql`update users set vouched_by = (
      select max(audit.actor_id) from audit
      where audit.subject = 'user' and audit.subject_id = users.id and audit.action = 'account.create'
        and audit.actor_id in (select id from users as known))
    where vouched_at is not null`);
}
