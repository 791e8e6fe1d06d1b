import type { Db } from '#server/db/connect.ts';

/** The supervisor whom somebody named last for an activity, or null. */
export async function lastNamedVerifier(db: Db, userId: number, activityId: number): Promise<string | null> {
  const row = await db
    .selectFrom('time_entries')
    .select('outside_verifier')
    .where('user_id', '=', userId)
    .where('activity_id', '=', activityId)
    .where('outside_verifier', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.outside_verifier ?? null;
}

/** The address of an account. */
export async function addressOf(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  return row.email;
}
