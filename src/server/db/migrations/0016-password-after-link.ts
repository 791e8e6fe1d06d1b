import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Confirmations hold no password any more: it is chosen by whoever opens the link. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table email_confirmations_new (
    id ${t.id},
    token_hash ${t.key} not null unique check (length(token_hash) = 64),
    email ${t.text} not null check (length(email) between 3 and 254),
    email_key ${t.key} not null unique,
    user_id ${t.ref} references users (id) on delete cascade,
    first_name ${t.text} check (length(first_name) between 1 and 60),
    last_name ${t.text} check (length(last_name) between 1 and 60),
    school_ids ${t.text},
    created_at ${t.instant('created_at')} not null,
    expires_at ${t.instant('expires_at')} not null,
    check ((user_id is null) = (first_name is not null)),
    check ((user_id is null) = (last_name is not null)),
    check ((user_id is null) = (school_ids is not null))
  ) ${t.end}`);
  const kept = sql`token_hash, email, email_key, user_id, first_name, last_name, school_ids, created_at, expires_at`;
  await run(
    sql`insert into email_confirmations_new (${kept}) select ${kept} from email_confirmations order by id`,
  );
  await run(sql`drop table email_confirmations`);
  await run(sql`alter table email_confirmations_new rename to email_confirmations`);
  await run(sql`create index email_confirmations_of_user on email_confirmations (user_id)`);
  await run(sql`create index email_confirmations_by_age on email_confirmations (expires_at)`);
}
