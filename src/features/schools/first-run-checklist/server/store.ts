import type { Db } from '#server/db/database.ts';

/** Returns what the checklist needs from the database, in one query. */
export async function readFirstRunFacts(db: Db, userId: number) {
  const { school, activity, other, invite, entry, ...name } = await db
    .selectFrom('users')
    .select(['first_name as firstName', 'last_name as lastName'])
    .select((eb) => [
      eb.selectFrom('schools').select('id').limit(1).as('school'),
      eb.selectFrom('activities').select('id').limit(1).as('activity'),
      eb.selectFrom('users as others').select('id').where('others.id', '<>', userId).limit(1).as('other'),
      eb.selectFrom('invites').select('id').limit(1).as('invite'),
      eb.selectFrom('time_entries').select('id').limit(1).as('entry'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    ...name,
    hasSchool: school !== null,
    hasActivity: activity !== null,
    hasEntry: entry !== null,
    hasOthers: other !== null || invite !== null,
  };
}
