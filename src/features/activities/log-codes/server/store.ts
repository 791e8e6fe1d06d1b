import type { Db, Trx } from '#server/db/database.ts';
import { translatedActivityColumns, translatedName } from '#server/db/queries/translated-name.ts';
import { toActivityRef } from '../../activity-ref.ts';

/** The activity with this code, with its school; or undefined. */
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

/** The code of an activity; null while it has none, or when it is not there. */
export async function findLogCode(db: Db, activityId: number): Promise<string | null> {
  const row = await db
    .selectFrom('activities')
    .select('log_code')
    .where('id', '=', activityId)
    .executeTakeFirst();
  return row?.log_code ?? null;
}

/** Gives an activity its first code; one that it has meanwhile stays. */
export async function setFirstLogCode(trx: Trx, activityId: number, code: string): Promise<void> {
  await trx
    .updateTable('activities')
    .set({ log_code: code })
    .where('id', '=', activityId)
    .where('log_code', 'is', null)
    .execute();
}

/** Gives an activity another code. */
export async function setLogCode(trx: Trx, activityId: number, code: string): Promise<void> {
  await trx.updateTable('activities').set({ log_code: code }).where('id', '=', activityId).execute();
}

/** Whether a school still has to let somebody in. */
export async function isPending(db: Db, userId: number, schoolId: number): Promise<boolean> {
  const row = await db
    .selectFrom('user_schools')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('school_id', '=', schoolId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row !== undefined;
}
