import type { Db, Trx } from '#server/db/database.ts';

/** When accounts of a person became one, and parted again; not who did it. */
export function exportMerges(db: Db, userId: number) {
  return db
    .selectFrom('account_merges')
    .select(['merged_at as mergedAt', 'undone_at as undoneAt'])
    .where((eb) => eb.or([eb('from_user_id', '=', userId), eb('into_user_id', '=', userId)]))
    .orderBy('id')
    .execute();
}

/** Deletes what is kept to undo merges with a person, and that they are not somebody else. */
export async function deleteMergesOf(trx: Trx, userId: number): Promise<void> {
  await trx
    .deleteFrom('account_merges')
    .where((eb) => eb.or([eb('from_user_id', '=', userId), eb('into_user_id', '=', userId)]))
    .execute();
  await trx
    .deleteFrom('people_apart')
    .where((eb) => eb.or([eb('low_user_id', '=', userId), eb('high_user_id', '=', userId)]))
    .execute();
}
