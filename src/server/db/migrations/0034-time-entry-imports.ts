import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Hours brought along in a file: the imports, what of them is still to be done, and which entries each one made, so that
 * it can be undone.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table time_entry_imports (
    id ${t.id},
    school_id ${t.ref} not null references schools (id) on delete cascade,
    imported_by ${t.ref} references users (id) on delete set null,
    imported_at ${t.instant('imported_at')} not null,
    state ${t.key} not null check (state in ('running', 'done', 'stopped', 'undoing', 'undone')),
    counts_at_once ${t.flag('counts_at_once')} not null,
    reason ${t.text} check (length(reason) between 1 and 500),
    planned ${t.whole} not null check (planned > 0),
    made ${t.whole} not null default 0 check (made >= 0),
    made_hundredths ${t.whole} not null default 0 check (made_hundredths >= 0),
    left_out ${t.whole} not null default 0 check (left_out >= 0),
    undone ${t.whole} not null default 0 check (undone >= 0),
    undone_at ${t.instant('undone_at')},
    undone_by ${t.ref} references users (id) on delete set null
  ) ${t.end}`);
  // One at a time at a school: the next one must see what this one does.
  await run(sql`create unique index time_entry_imports_at_work on time_entry_imports (school_id)
    where state in ('running', 'undoing')`);
  await run(sql`create index time_entry_imports_of_school on time_entry_imports (school_id, id)`);
  await run(sql`create index time_entry_imports_by_importer on time_entry_imports (imported_by)`);
  await run(sql`create index time_entry_imports_by_undoer on time_entry_imports (undone_by)`);
  await run(sql`create index time_entry_imports_by_age on time_entry_imports (imported_at, id)`);

  // Entries that wait to be made, a few hundred in each piece; gone when they are.
  await run(sql`create table time_entry_import_pieces (
    import_id ${t.ref} not null references time_entry_imports (id) on delete cascade,
    piece ${t.whole} not null,
    entries ${t.text} not null,
    primary key (import_id, piece)
  ) ${t.end}`);

  // The entries made; those that an undo has removed are not in it any more.
  await run(sql`create table time_entry_import_entries (
    import_id ${t.ref} not null references time_entry_imports (id) on delete cascade,
    entry_id ${t.ref} not null references time_entries (id) on delete cascade,
    is_kept ${t.flag('is_kept')} not null,
    primary key (import_id, entry_id)
  ) ${t.end}`);
  await run(sql`create index time_entry_import_entries_of_entry on time_entry_import_entries (entry_id)`);
}
