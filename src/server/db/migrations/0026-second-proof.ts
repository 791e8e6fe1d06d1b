import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Authenticator codes, recovery codes, sign-ins that wait for a second proof, and who has time until when to set one up. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table totp_secrets (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    sealed ${t.text} not null,
    last_step ${t.whole} not null check (last_step >= 0),
    created_at ${t.instant('created_at')} not null,
    last_used_at ${t.instant('last_used_at')}
  ) ${t.end}`);

  await run(sql`create table totp_offers (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    sealed ${t.text} not null,
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index totp_offers_by_age on totp_offers (expires_at)`);

  await run(sql`create table recovery_codes (
    user_id ${t.ref} not null references users (id) on delete cascade,
    code_hash ${t.key} not null check (length(code_hash) > 0),
    created_at ${t.instant('created_at')} not null,
    primary key (user_id, code_hash)
  ) ${t.end}`);

  await run(sql`create table sign_in_challenges (
    token_hash ${t.key} primary key check (length(token_hash) = 64),
    user_id ${t.ref} not null references users (id) on delete cascade,
    device_hash ${t.key} check (length(device_hash) = 64),
    sealed ${t.text} not null,
    mistakes ${t.whole} not null default 0 check (mistakes >= 0),
    expires_at ${t.instant('expires_at')} not null
  ) ${t.end}`);
  await run(sql`create index sign_in_challenges_by_age on sign_in_challenges (expires_at)`);
  await run(sql`create index sign_in_challenges_of_user on sign_in_challenges (user_id)`);

  await run(sql`create table second_proof_waits (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    begins_at ${t.instant('begins_at')} not null
  ) ${t.end}`);
}
