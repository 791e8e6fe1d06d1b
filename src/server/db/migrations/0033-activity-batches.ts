import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Activities added many at once, and the categories made for them, so that it can be undone. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table activity_batches (
    id ${t.id},
    school_id ${t.ref} not null references schools (id) on delete cascade,
    made_at ${t.instant('made_at')} not null,
    activities ${t.whole} not null check (activities >= 0),
    categories ${t.whole} not null check (categories >= 0),
    undone_at ${t.instant('undone_at')}
  ) ${t.end}`);
  await run(sql`create index activity_batches_of_school on activity_batches (school_id, made_at)`);
  for (const table of ['activities', 'categories']) {
    await run(
      sql`alter table ${sql.table(table)} add column batch_id ${t.ref}
        references activity_batches (id) on delete set null`,
    );
    await run(sql`create index ${sql.ref(`${table}_of_batch`)} on ${sql.table(table)} (batch_id)`);
  }
}
