import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Who sees whose total hours. Everything stands with the person, so that nothing is left of whoever goes. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);

  await run(sql`create table household_members (
    user_id ${t.ref} primary key references users (id) on delete cascade,
    household ${t.key} not null,
    joined_at ${t.instant('joined_at')} not null,
    joined_with ${t.key},
    code ${t.key} unique,
    code_until ${t.instant('code_until')},
    check ((code is null) = (code_until is null))
  ) ${t.end}`);
  await run(sql`create index household_members_of_household on household_members (household)`);
}
