import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** The hours that people set themselves for a school year, and for which milestones they put the thanks away. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table hour_goals (
    user_id ${t.ref} not null references users (id) on delete cascade,
    year_from ${t.date('year_from')} not null,
    hours_hundredths ${t.whole} not null check (hours_hundredths > 0),
    primary key (user_id, year_from)
  ) ${t.end}`);

  await run(sql`create table milestone_thanks (
    user_id ${t.ref} not null references users (id) on delete cascade,
    year_from ${t.date('year_from')} not null,
    hours_hundredths ${t.whole} not null check (hours_hundredths > 0),
    primary key (user_id, year_from, hours_hundredths)
  ) ${t.end}`);
}
