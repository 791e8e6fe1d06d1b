import { describe, expect, test } from 'vitest';
import {
  booleanField,
  changedFields,
  type Fields,
  fieldsOf,
  fromColumns,
  hoursInHundredths,
  newRecordValues,
  plainField,
  publicFields,
  toColumns,
} from './entity-fields.ts';

const FIELDS = {
  hours: { column: 'hours_hundredths', ...hoursInHundredths, log: { text: 'audit:fieldHours' } },
  isActive: { column: 'is_active', ...booleanField, log: { text: 'audit:fieldIsActive' } },
  remark: {
    column: 'remark',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldNotes' },
    seenBy: 'administrators',
  },
} as const satisfies Fields;

const values = { hours: 1.5, isActive: false, remark: 'Late' };
const row = { hours_hundredths: 150, is_active: 0, remark: 'Late' } as const;

describe('a list of fields', () => {
  test('stores values in its columns and reads them back', () => {
    expect(toColumns(FIELDS, values)).toEqual(row);
    expect(fromColumns(FIELDS, row)).toEqual(values);
  });

  test("hides administrators' fields from all other users, for reading and writing", () => {
    expect(fromColumns(FIELDS, row, false)).toEqual({ ...values, remark: null });
    expect(Object.keys(publicFields(FIELDS))).toEqual(['hours', 'isActive']);
  });

  test('reads only its own fields from a record', () => {
    expect(fieldsOf(FIELDS, { ...values, ...{ id: 7 } })).toEqual(values);
  });

  test('sets the fields that a new record omits to null', () => {
    expect(newRecordValues(FIELDS, { hours: 2, isActive: true })).toEqual({
      hours: 2,
      isActive: true,
      remark: null,
    });
  });

  test('does not change fields that an edit omits, and clears those that are null', () => {
    expect(changedFields(FIELDS, values, { hours: 2, remark: undefined })).toEqual({ ...values, hours: 2 });
    expect(changedFields(FIELDS, values, { remark: null })).toEqual({ ...values, remark: null });
  });
});
