import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * A sign-in on its way back from a service may also prove once more who somebody is. The table is made anew, since what
 * it holds is gone after minutes.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`drop table provider_returns`);
  await run(sql`create table provider_returns (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    purpose ${t.key} not null check (purpose in ('sign-in', 'link', 'fresh')),
    browser_hash ${t.key} not null check (length(browser_hash) = 64),
    sealed ${t.text} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index provider_returns_by_age on provider_returns (expires_at)`);
}
