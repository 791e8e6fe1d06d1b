import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Who chose a password for another person, and when. Of accounts so far an administrator is taken to have chosen it where
 * nobody has proven the address that they typed.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`alter table users add column password_given_at ${t.instant('password_given_at')}`);
  await run(
    sql`alter table users add column password_given_by ${t.ref} references users (id) on delete set null`,
  );
  await run(sql`create index users_by_password_giver on users (password_given_by)`);
  await run(sql`update users set password_given_at = vouched_at, password_given_by = vouched_by
    where vouched_at is not null and email_verified_at is null and password_hash is not null`);
}
