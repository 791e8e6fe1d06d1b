import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Files that administrators asked for: the link that gives each of them once, and how far it has come. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table exports (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    format ${t.text} not null check (format in ('csv', 'xlsx')),
    asked ${t.text} not null,
    total ${t.whole} not null check (total >= 0),
    done ${t.whole} not null default 0 check (done >= 0),
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    started_at ${t.instant('started_at')},
    seen_at ${t.instant('seen_at')},
    outcome ${t.text} check (outcome in ('done', 'failed', 'cancelled')),
    check ((started_at is null) = (seen_at is null))
  ) ${t.end}`);
  await run(sql`create index exports_of_user on exports (user_id)`);
  await run(sql`create index exports_by_age on exports (created_at)`);
}
