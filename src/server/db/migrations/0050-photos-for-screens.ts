import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** The SHA-256 of what is stored of a photo for screens; null where that is not made yet. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table photos add column large_sha256 ${t.key} check (length(large_sha256) = 64)`.execute(
    db,
  );
  await sql`alter table photos add column screen_sha256 ${t.key} check (length(screen_sha256) = 64)`.execute(
    db,
  );
  await sql`create index photos_without_screens on photos (id) where screen_sha256 is null`.execute(db);
}
