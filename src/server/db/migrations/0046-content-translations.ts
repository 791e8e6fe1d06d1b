import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * What schools, categories and activities are called in other languages than the first. Two categories of a school, and two
 * schools, have no translated name in common either.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  for (const table of ['schools', 'categories', 'activities']) {
    await sql`alter table ${sql.table(table)} add column translations ${t.json}`.execute(db);
    await sql`alter table ${sql.table(table)} add column translated_key ${t.key} not null default ''`.execute(
      db,
    );
  }
  await sql`create unique index schools_translated on schools (translated_key) where translated_key <> ''`.execute(
    db,
  );
  await sql`create unique index categories_translated on categories (school_id, translated_key)
    where translated_key <> ''`.execute(db);
}
