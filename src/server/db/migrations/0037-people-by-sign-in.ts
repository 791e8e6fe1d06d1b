import { type Kysely, sql } from 'kysely';

/** The list of people by their last sign-in, who never signed in as if long ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_by_sign_in on users (coalesce(last_login_at, '0001-01-01T00:00:00.000Z'), id)`.execute(
    db,
  );
}
