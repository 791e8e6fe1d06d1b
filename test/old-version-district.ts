import { sql } from 'kysely';
import { type Database, openDatabase } from '#server/db/database.ts';
import { MIGRATIONS, migrate, ROLLING } from '#server/db/migrate.ts';
import type { Place } from './server-process.ts';

const AT = '2026-03-04T18:00:00.000Z';

const lastNotRolling = MIGRATIONS.findLastIndex((name) => !ROLLING.includes(name));

/** The newest migration from which an update is not rolling. */
export const BEFORE = MIGRATIONS[lastNotRolling - 1] ?? '';

/** Makes a small district of an older version, by default at `BEFORE`. */
export async function oldDistrict(
  place: Place,
  { upTo = BEFORE, entries = 3 }: { upTo?: string; entries?: number } = {},
): Promise<void> {
  const database = await openDatabase(place);
  await migrate(database, { upTo });
  await fill(database, entries);
  await database.close();
}

// Uses only columns of the first migration.
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
