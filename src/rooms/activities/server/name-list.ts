import { fieldsOf } from '#base/fields.ts';
import { changedTranslations } from '#base/translations.ts';
import type { NameListInput } from '#rooms/district/name-list.ts';
import type { NamedRecords } from '#rooms/district/server/name-list.ts';
import { schoolsAskedFor } from '#rooms/schools/server/actions.ts';
import type { Db } from '#server/db/connect.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { ACTIVITY_FIELDS } from '../activity-fields.ts';
import { type AdminActivity, LIMITS, TRANSLATED } from '../contract.ts';
import { activitiesNamed, holdActivities, updateActivity } from './store.ts';

/** The activities that a list of names may change. 404 for a school outside of the viewer's. */
export async function namedActivities(
  db: Db,
  viewer: Viewer,
  { schoolId }: NameListInput,
): Promise<NamedRecords<AdminActivity>> {
  const schools = await schoolsAskedFor(db, viewer, schoolId ?? undefined);
  return {
    max: LIMITS.name,
    find: (from, keys) => activitiesNamed(from, schools, keys),
    hold: holdActivities,
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
