import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Mailed links that sign in, and what ending a session at another service needs. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table sign_in_links (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    browser_hash ${t.key} not null check (length(browser_hash) = 64),
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index sign_in_links_of_user on sign_in_links (user_id)`);
  await run(sql`create index sign_in_links_by_age on sign_in_links (expires_at)`);

  await run(sql`create table provider_logouts (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index provider_logouts_by_age on provider_logouts (expires_at)`);

  await run(sql`alter table sessions add column provider_id_token ${t.text}`);
  await run(sql`create index sessions_of_provider_session on sessions (provider_session)`);
}
