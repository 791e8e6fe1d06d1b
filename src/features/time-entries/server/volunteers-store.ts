import type { Db } from '#server/db/database.ts';
import { shownName } from '#server/db/queries/translated-name.ts';

/** A person hours are logged for, and whether they are a member of the school. */
export type Person = Readonly<{ name: string; schoolName: string; isMember: boolean }>;

/** The existing people among these ids, each with whether they are a member of a school. */
export async function findVolunteers(
  db: Db,
  schoolId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Person>> {
  const { name: schoolName } = await db
    .selectFrom('schools')
    .select(shownName('schools').as('name'))
    .where('id', '=', schoolId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('users')
    .leftJoin('user_schools', (join) =>
      join
        .onRef('user_schools.user_id', '=', 'users.id')
        .on('user_schools.school_id', '=', schoolId)
        .on('user_schools.status', '=', 'active'),
    )
    .select(['users.id', 'users.first_name', 'users.last_name', 'user_schools.school_id'])
    .where('users.id', 'in', userIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { name: `${row.first_name} ${row.last_name}`, schoolName, isMember: row.school_id !== null },
    ]),
  );
}
