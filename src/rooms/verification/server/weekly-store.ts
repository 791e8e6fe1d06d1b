import type { Db, Trx } from '#server/db/connect.ts';

/** What somebody said about the weekly letter, and the Monday of the week of their last one; undefined when neither. */
export function mailChoiceOf(db: Db, userId: number) {
  return db
    .selectFrom('verifier_mail')
    .select(['is_wanted as wanted', 'last_week as lastWeek'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Forgets what somebody said about the weekly letter. */
export async function forgetMailChoice(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('verifier_mail').where('user_id', '=', userId).execute();
}
