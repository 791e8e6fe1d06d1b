import type { NameListInput } from '#features/schools/content-translations/contract.ts';
import type { TranslatableRecords } from '#features/schools/content-translations/server/actions.ts';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import type { Db } from '#server/db/database.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import { fieldsOf } from '#shared/entity-fields.ts';
import { ACTIVITY_FIELDS } from '../activity-fields.ts';
import { type AdminActivity, LIMITS, TRANSLATED } from '../contract.ts';
import { findActivitiesByName, lockActivities, updateActivity } from './store.ts';

/** The activities that a list of names may change. 404 for a school outside of the viewer's. */
export async function translatableActivities(
  db: Db,
  viewer: Viewer,
  { schoolId }: NameListInput,
): Promise<TranslatableRecords<AdminActivity>> {
  const schools = await findRequestedSchools(db, viewer, schoolId ?? undefined);
  return {
    max: LIMITS.name,
    find: (from, keys) => findActivitiesByName(from, schools, keys),
    hold: lockActivities,
    renamed: (activity, language, name) => ({
      ...activity,
      translations: changedTranslations(TRANSLATED, activity.translations, { [language]: { name } }),
    }),
    write: (trx, activity) => updateActivity(trx, activity.id, activity),
    deed: (before, after) => ({
      action: 'activity.edit',
      subject: 'activity',
      subjectId: before.id,
      schoolId: before.schoolId,
      before: fieldsOf(ACTIVITY_FIELDS, before),
      after: fieldsOf(ACTIVITY_FIELDS, after),
    }),
  };
}
