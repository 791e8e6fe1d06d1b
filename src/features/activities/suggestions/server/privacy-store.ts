import type { Db, Trx } from '#server/db/database.ts';
import { selectTranslated, translatedName } from '#server/db/queries/translated-name.ts';
import { exportColumns, exportValues } from '#server/personal-data/data-export.ts';
import { SUGGESTION_FIELDS } from '../suggestion-fields.ts';

const COLUMNS = exportColumns('activity_suggestions', SUGGESTION_FIELDS);

/** Returns a page of the user's suggestions, oldest first, with the decisions on them. */
export async function readOwnSuggestions(
  db: Db,
  userId: number,
  { last, limit }: { last: { id: number } | undefined; limit: number },
) {
  const rows = await db
    .selectFrom('activity_suggestions')
    .innerJoin('schools', 'schools.id', 'activity_suggestions.school_id')
    .leftJoin('categories', 'categories.id', 'activity_suggestions.category_id')
    .leftJoin('activities', 'activities.id', 'activity_suggestions.approved_activity_id')
    .select([
      'activity_suggestions.id',
      'activity_suggestions.status',
      'activity_suggestions.admin_reason as adminReason',
      translatedName<string | null>('activities').as('approvedActivity'),
      'activity_suggestions.created_at as createdAt',
      'activity_suggestions.decided_at as decidedAt',
    ])
    .select(selectTranslated(COLUMNS))
    .where('activity_suggestions.user_id', '=', userId)
    .where('activity_suggestions.id', '>', last?.id ?? 0)
    .orderBy('activity_suggestions.id')
    .limit(limit)
    .execute();
  return rows.map((row) => exportValues(SUGGESTION_FIELDS, row));
}

/** Returns the account's email preferences for suggestions, or nothing if they were never set. */
export function findOwnEmailPreferences(db: Db, userId: number) {
  return db
    .selectFrom('suggestion_email_preferences')
    .select(['decisions', 'digest'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Deletes a user's email preferences for suggestions. */
export async function deleteEmailPreferences(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('suggestion_email_preferences').where('user_id', '=', userId).execute();
}
