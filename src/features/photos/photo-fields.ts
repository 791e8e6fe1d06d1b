import { booleanField, type Field, plainField } from '#shared/entity-fields.ts';
import type { PhotoUpload } from './contract.ts';

/** Fields that all files of an upload share. Only the audit log stores the consent. */
export const PHOTO_FIELDS = {
  caption: { column: 'caption', ...plainField<string | null>(), log: { text: 'audit:fieldCaption' } },
  containsStudents: {
    column: 'contains_students',
    ...booleanField,
    log: { text: 'audit:fieldContainsStudents' },
  },
} as const satisfies Readonly<Record<keyof Omit<Required<PhotoUpload>, 'schoolId' | 'consent'>, Field>>;
