import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Imports of many users at once, with what each one added, so that it can be undone; and an index for deleting a user,
 * which asks for whatever points at the row, deleted or not: those for lists leave out what is deleted.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create index entries_of_person on time_entries (user_id)`);

  await run(sql`create table user_imports (
    id ${t.id},
    imported_by ${t.ref} references users (id) on delete set null,
    imported_at ${t.instant('imported_at')} not null,
    people ${t.whole} not null check (people >= 0),
    memberships ${t.whole} not null check (memberships >= 0),
    has_mail ${t.flag('has_mail')} not null,
    undone_at ${t.instant('undone_at')}
  ) ${t.end}`);
  await run(sql`create index user_imports_by_importer on user_imports (imported_by)`);
  await run(sql`create index user_imports_by_age on user_imports (imported_at)`);

  // Who was made, and which memberships people who were there already got.
  await run(sql`create table user_import_people (
    import_id ${t.ref} not null references user_imports (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    primary key (import_id, user_id)
  ) ${t.end}`);
  await run(sql`create index user_import_people_of_user on user_import_people (user_id)`);
  await run(sql`create table user_import_memberships (
    import_id ${t.ref} not null references user_imports (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    school_id ${t.ref} not null references schools (id) on delete cascade,
    was_pending ${t.flag('was_pending')} not null,
    primary key (import_id, user_id, school_id)
  ) ${t.end}`);
  await run(sql`create index user_import_memberships_of_user on user_import_memberships (user_id)`);
  await run(sql`create index user_import_memberships_of_school on user_import_memberships (school_id)`);
}
