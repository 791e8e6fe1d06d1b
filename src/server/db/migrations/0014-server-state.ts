import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** What a server notes about itself, and which process makes an export. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table server_state (
    name ${t.key} primary key,
    value ${t.text} not null,
    noted_at ${t.instant('noted_at')} not null
  ) ${t.end}`);
  await run(sql`alter table exports add column made_by ${t.text}`);
}
