import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** Roles by school, and those that an invitation gives. Without a school they are for all; only auditors' can be. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  const held = sql`role ${t.key} not null check (role in ('school-admin', 'coordinator', 'auditor')),
    school_id ${t.ref} references schools (id) on delete cascade,
    check (school_id is not null or role = 'auditor')`;

  await run(sql`create table user_grants (
    user_id ${t.ref} not null references users (id) on delete cascade,
    created_at ${t.instant('created_at')} not null,
    ${held}
  ) ${t.end}`);
  await run(sql`create unique index user_grants_once on user_grants (user_id, role, coalesce(school_id, 0))`);
  await run(sql`create index user_grants_of_school on user_grants (school_id, user_id)`);

  await run(sql`create table invite_grants (
    invite_id ${t.ref} not null references invites (id) on delete cascade,
    ${held}
  ) ${t.end}`);
  await run(
    sql`create unique index invite_grants_once on invite_grants (invite_id, role, coalesce(school_id, 0))`,
  );
  await run(sql`create index invite_grants_of_school on invite_grants (school_id)`);
}
