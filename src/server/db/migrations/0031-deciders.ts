import { type Kysely, sql } from 'kysely';

/** Which hours somebody decided about: an account that hours name is not deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index entries_by_decider on time_entries (decided_by) where decided_by is not null`.execute(
    db,
  );
}
