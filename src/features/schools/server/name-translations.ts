import type { Viewer } from '#server/http/viewer.ts';
import { changedTranslations } from '#shared/content-translations.ts';
import { type School, TRANSLATED } from '../admin-contract.ts';
import type { TranslatableRecords } from '../content-translations/server/actions.ts';
import { LIMITS } from '../contract.ts';
import { fieldsOfSchool } from '../school-fields.ts';
import { kept } from './actions.ts';
import { findSchoolsByName, findSchoolsByTranslation, lockSchools, updateSchool } from './store.ts';

// No two schools of the district are called alike.
const DISTRICT = 0;

/** The schools that a list of names may change. */
export function translatableSchools({ schools }: Viewer): TranslatableRecords<School> {
  return {
    max: LIMITS.name,
    find: (from, keys) => findSchoolsByName(from, schools, keys),
    hold: lockSchools,
    apart: {
      placeOf: () => DISTRICT,
      holders: async (from, keys) =>
        (await findSchoolsByTranslation(from, keys)).map((one) => ({ ...one, place: DISTRICT })),
    },
    renamed: (school, language, name) => ({
      ...school,
      translations: changedTranslations(TRANSLATED, school.translations, { [language]: { name } }),
    }),
    write: (trx, school) => updateSchool(trx, school.id, fieldsOfSchool(school)),
    deed: (before, after) => ({
      action: 'school.edit',
      subject: 'school',
      subjectId: before.id,
      schoolId: before.id,
      before: kept(before),
      after: kept(after),
    }),
  };
}
