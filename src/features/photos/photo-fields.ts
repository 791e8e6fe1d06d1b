import { asFlag, asItIs, type Field } from '#shared/entity-fields.ts';
import type { PhotoUpload } from './contract.ts';

/** The fields of a photo, which all files of an upload share; the consent is kept in the record alone. */
export const PHOTO_FIELDS = {
  caption: { column: 'caption', ...asItIs<string | null>(), log: { text: 'audit:fieldCaption' } },
  containsStudents: { column: 'contains_students', ...asFlag, log: { text: 'audit:fieldContainsStudents' } },
} as const satisfies Readonly<Record<keyof Omit<Required<PhotoUpload>, 'schoolId' | 'consent'>, Field>>;
