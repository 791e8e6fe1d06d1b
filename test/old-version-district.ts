import { sql } from 'kysely';
import { type Database, openDatabase } from '#server/db/database.ts';
import { migrate, migrations, rolling } from '#server/db/migrate.ts';
import type { Place } from './server-process.ts';

const AT = '2026-03-04T18:00:00.000Z';

/** The newest migration of the version before the later one. */
export const BEFORE = '0001-baseline';
/** The migration that a later version adds. */
export const LATER = '0002-later';
/** A setting of a child process that makes it the later version. */
export const LATER_VERSION = {
  NODE_OPTIONS: `--import=${new URL('./later-version.ts', import.meta.url).href}`,
};

/** Makes this process the later version until `removeLaterVersion`. Its migration waits for writers of `users`. */
export function addLaterVersion({ rolls = false } = {}): void {
  const up: (typeof migrations)[string] = async (db) => {
    await sql`create table later_notes (user_id bigint references users (id) on delete cascade)`.execute(db);
    await sql`create index later_notes_of_user on later_notes (user_id)`.execute(db);
  };
  migrations[LATER] = rolls ? rolling(up) : up;
}

export function removeLaterVersion(): void {
  delete migrations[LATER];
}

/** Fills a place with a small district as the version before the later one left it. */
export async function oldDistrict(place: Place, { entries = 3 }: { entries?: number } = {}): Promise<void> {
  const database = await openDatabase(place);
  await migrate(database, { upTo: BEFORE });
  await fill(database, entries);
  await database.close();
}

// Only columns without a default.
async function fill({ db }: Database, entries: number): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  await run(sql`insert into schools (name, name_key, created_at) values ('Lincoln', 'lincoln', ${AT})`);
  await run(sql`insert into users (email, email_key, first_name, last_name, sort_key, search_key, role, created_at)
    values ('a@b.example', 'a@b.example', 'A', 'B', 'b a', 'a b', 'user', ${AT})`);
  await run(sql`insert into categories (school_id, name, name_key, color, kind, created_at)
    values (1, 'Events', 'events', 'blue', 'event', ${AT})`);
  await run(sql`insert into activities (school_id, category_id, name, name_key, created_at)
    values (1, 1, 'Book fair', 'book fair', ${AT})`);
  for (let entry = 1; entry <= entries; entry++) {
    await run(sql`insert into time_entries (user_id, school_id, activity_id, hours_hundredths, entry_date, created_at)
      values (1, 1, 1, ${100 + entry}, '2026-03-02', ${AT})`);
  }
}
