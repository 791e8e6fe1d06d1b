import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Accounts at other services that open accounts here, and sign-ins on their way back from there. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table provider_links (
    id ${t.id},
    user_id ${t.ref} not null references users (id) on delete cascade,
    provider ${t.key} not null check (length(provider) between 1 and 40),
    issuer ${t.key} not null check (length(issuer) between 1 and 2000),
    subject ${t.key} not null check (length(subject) between 1 and 255),
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')} not null,
    unique (issuer, subject)
  ) ${t.end}`);
  await run(sql`create index provider_links_of_user on provider_links (user_id)`);

  await run(sql`create table provider_returns (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    purpose ${t.key} not null check (purpose in ('sign-in', 'link')),
    browser_hash ${t.key} not null check (length(browser_hash) = 64),
    sealed ${t.text} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index provider_returns_by_age on provider_returns (expires_at)`);

  await run(sql`alter table sessions add column provider_link_id ${t.ref} references provider_links (id)
    on delete set null`);
  await run(sql`alter table sessions add column provider_session ${t.text}`);
  await run(sql`create index sessions_of_provider_link on sessions (provider_link_id)`);
}
