import { collect } from '#server/db/chunks.ts';
import type { Db } from '#server/db/database.ts';
import { type Grant, type Holder, placesFor } from '#shared/permissions.ts';

/** Tells whether a person may edit the activities of a school, and so could make one of them trusted. */
export type ActivityEditors = (userId: number, schoolId: number) => boolean;

/** Reads which of these people may edit activities, and where. */
export async function activityEditors(db: Db, userIds: readonly number[]): Promise<ActivityEditors> {
  const rows = await collect([...new Set(userIds)], (some) =>
    db
      .selectFrom('users')
      .leftJoin('user_grants', 'user_grants.user_id', 'users.id')
      .select(['users.id', 'users.role', 'user_grants.role as granted', 'user_grants.school_id as schoolId'])
      .where('users.id', 'in', some)
      .execute(),
  );
  const holders = new Map<number, Holder & { grants: Grant[] }>();
  for (const { id, role, granted, schoolId } of rows) {
    const holder = holders.get(id) ?? { role, grants: [] };
    if (granted !== null) holder.grants.push({ role: granted, schoolId });
    holders.set(id, holder);
  }
  return (userId, schoolId) => {
    const holder = holders.get(userId);
    const places = holder === undefined ? [] : placesFor(holder, 'edit activities');
    return places === 'all' || places.includes(schoolId);
  };
}
