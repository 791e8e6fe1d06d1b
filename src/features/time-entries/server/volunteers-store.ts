import { collect } from '#server/db/chunks.ts';
import type { Db } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { type Grant, type PermissionHolder, schoolsWhereAllowed } from '#shared/permissions.ts';

/** A person that hours are logged for, and whether they are a member of the school. */
export type Person = Readonly<{ name: string; schoolName: string; isMember: boolean }>;

/** The existing people among these ids, each with whether they are a member of a school. */
export async function findVolunteers(
  db: Db,
  schoolId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Person>> {
  const { name: schoolName } = await db
    .selectFrom('schools')
    .select(translatedName('schools').as('name'))
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

/** Returns whether a user may edit the activities of a school, and so could mark one trusted. */
export type ActivityEditors = (userId: number, schoolId: number) => boolean;

/** Returns a function that tests which of these users may edit activities, and where. */
export async function findActivityEditors(db: Db, userIds: readonly number[]): Promise<ActivityEditors> {
  const rows = await collect([...new Set(userIds)], (some) =>
    db
      .selectFrom('users')
      .leftJoin('user_grants', 'user_grants.user_id', 'users.id')
      .select(['users.id', 'users.role', 'user_grants.role as granted', 'user_grants.school_id as schoolId'])
      .where('users.id', 'in', some)
      .execute(),
  );
  const holders = new Map<number, PermissionHolder & { grants: Grant[] }>();
  for (const { id, role, granted, schoolId } of rows) {
    const holder = holders.get(id) ?? { role, grants: [] };
    if (granted !== null) holder.grants.push({ role: granted, schoolId });
    holders.set(id, holder);
  }
  return (userId, schoolId) => {
    const holder = holders.get(userId);
    const scope = holder === undefined ? [] : schoolsWhereAllowed(holder, 'edit activities');
    return scope === 'all' || scope.includes(schoolId);
  };
}
