import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Two accounts of one person that became one, what it takes to part them again, and who is not the same person. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table account_merges (
    id ${t.id},
    from_user_id ${t.ref} not null references users (id) on delete cascade,
    into_user_id ${t.ref} not null references users (id) on delete cascade,
    merged_by ${t.ref} references users (id) on delete set null,
    merged_at ${t.instant('merged_at')} not null,
    undone_by ${t.ref} references users (id) on delete set null,
    undone_at ${t.instant('undone_at')},
    sealed ${t.text},
    check (from_user_id <> into_user_id)
  ) ${t.end}`);
  await run(sql`create unique index account_merges_in_force on account_merges (from_user_id)
    where undone_at is null`);
  await run(sql`create index account_merges_of_from on account_merges (from_user_id)`);
  await run(sql`create index account_merges_of_into on account_merges (into_user_id)`);
  await run(sql`create index account_merges_by_merger on account_merges (merged_by)`);
  await run(sql`create index account_merges_by_undoer on account_merges (undone_by)`);
  await run(sql`create index account_merges_to_sweep on account_merges (merged_at) where sealed is not null`);

  await run(sql`create table account_merge_rows (
    merge_id ${t.ref} not null references account_merges (id) on delete cascade,
    deed ${t.key} not null check (deed in ('moved', 'aside', 'given')),
    place ${t.key} not null,
    row_id ${t.ref},
    sealed ${t.text},
    check ((row_id is null) <> (sealed is null))
  ) ${t.end}`);
  await run(sql`create index account_merge_rows_of_merge on account_merge_rows (merge_id, place)`);

  await run(sql`create table people_apart (
    low_user_id ${t.ref} not null references users (id) on delete cascade,
    high_user_id ${t.ref} not null references users (id) on delete cascade,
    said_by ${t.ref} references users (id) on delete set null,
    said_at ${t.instant('said_at')} not null,
    primary key (low_user_id, high_user_id),
    check (low_user_id < high_user_id)
  ) ${t.end}`);
  await run(sql`create index people_apart_by_high on people_apart (high_user_id)`);
  await run(sql`create index people_apart_by_sayer on people_apart (said_by)`);
}
