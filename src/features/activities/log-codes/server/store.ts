import type { Db, Trx } from '#server/db/database.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { translatedActivityColumns, translatedName } from '#server/db/queries/translated-name.ts';
import { toActivityRef } from '../../activity-ref.ts';

/** Returns the activity with this code and its school, or undefined. */
export async function findByLogCode(db: Db, code: string) {
  const row = await db
    .selectFrom('activities')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .innerJoin('schools', 'schools.id', 'activities.school_id')
    .select(translatedActivityColumns())
    .select([
      'activities.active_until',
      'schools.id as school_id',
      translatedName('schools').as('school_name'),
    ])
    .where('activities.log_code', '=', code)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const school = { id: row.school_id, name: row.school_name };
  return { ...toActivityRef(row), activeUntil: row.active_until, school };
}

/** Returns an activity's code, or null if it has none or does not exist. */
export async function findLogCode(db: Db, activityId: number): Promise<string | null> {
  const row = await db
    .selectFrom('activities')
    .select('log_code')
    .where('id', '=', activityId)
    .executeTakeFirst();
  return row?.log_code ?? null;
}

/** Sets an activity's first code. Does nothing if the activity has one by now. */
export async function setFirstLogCode(trx: Trx, activityId: number, code: string): Promise<void> {
  await trx
    .updateTable('activities')
    .set({ log_code: code })
    .where('id', '=', activityId)
    .where('log_code', 'is', null)
    .execute();
}

/** Replaces an activity's code. */
export async function setLogCode(trx: Trx, activityId: number, code: string): Promise<void> {
  await trx.updateTable('activities').set({ log_code: code }).where('id', '=', activityId).execute();
}

/** Whether the user's membership in the school is still pending. */
export function isPending(db: Db, userId: number, schoolId: number): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('user_schools')
      .where('user_id', '=', userId)
      .where('school_id', '=', schoolId)
      .where('status', '=', 'pending'),
  );
}
