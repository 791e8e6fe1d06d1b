import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Passkeys, and the questions to devices that were answered and must not be again. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table passkeys (
    id ${t.id},
    user_id ${t.ref} not null references users (id) on delete cascade,
    credential_id ${t.key} not null unique check (length(credential_id) between 1 and 2000),
    user_handle ${t.key} not null,
    public_key ${t.text} not null,
    counter ${t.whole} not null check (counter >= 0),
    transports ${t.text} not null,
    rp_id ${t.key} not null,
    name ${t.text} not null check (length(name) between 1 and 60),
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')}
  ) ${t.end}`);
  await run(sql`create index passkeys_of_user on passkeys (user_id)`);
  await run(sql`create index passkeys_of_relying_party on passkeys (rp_id)`);

  await run(sql`create table answered_challenges (
    challenge_hash ${t.key} primary key check (length(challenge_hash) = 64),
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index answered_challenges_by_age on answered_challenges (expires_at)`);
}
