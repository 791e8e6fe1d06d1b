import { ACTIVITY_FIELDS } from '#features/activities/activity-fields.ts';
import type { Db } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { currentNameLanguage } from '#server/i18n/locale.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { translatedText } from '#shared/content-translations.ts';

/** The activity of a sheet, with the texts printed on it. */
export async function findSheetActivity(db: Db, activityId: number) {
  const row = await db
    .selectFrom('activities')
    .innerJoin('schools', 'schools.id', 'activities.school_id')
    .select([
      'activities.id',
      translatedName('activities').as('name'),
      'activities.name_key as nameKey',
      'activities.description',
      'activities.translations',
      'activities.school_id as schoolId',
      translatedName('schools').as('school'),
    ])
    .where('activities.id', '=', activityId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { description, translations, ...sheet } = row;
  const texts = ACTIVITY_FIELDS.translations.fromColumn(translations);
  return { ...sheet, description: translatedText(currentNameLanguage(), 'description', description, texts) };
}

/** The members of a school by name, at most `limit`. */
export function listMembers(db: Db, schoolId: number, limit: number) {
  return members(db, schoolId).limit(limit).execute();
}

/** The members of a school who logged hours for one of these activities in a period, by name, at most `limit`. */
export function listHelpers(
  db: Db,
  schoolId: number,
  of: { activityIds: readonly number[]; from: CalendarDate; until: CalendarDate },
  limit: number,
) {
  return members(db, schoolId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('time_entries')
          .select('time_entries.id')
          .whereRef('time_entries.user_id', '=', 'users.id')
          .where('time_entries.activity_id', 'in', [...of.activityIds])
          .where('time_entries.entry_date', '>=', of.from)
          .where('time_entries.entry_date', '<=', of.until)
          .where('time_entries.deleted_at', 'is', null),
      ),
    )
    .limit(limit)
    .execute();
}

function members(db: Db, schoolId: number) {
  return db
    .selectFrom('users')
    .innerJoin('user_schools', 'user_schools.user_id', 'users.id')
    .select(['users.first_name as firstName', 'users.last_name as lastName'])
    .where('user_schools.school_id', '=', schoolId)
    .where('user_schools.status', '=', 'active')
    .where('users.is_active', '=', 1)
    .where('users.erased_at', 'is', null)
    .orderBy('users.sort_key')
    .orderBy('users.id');
}
