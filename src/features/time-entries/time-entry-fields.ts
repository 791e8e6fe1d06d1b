import type { CalendarDate } from '#shared/calendar-date.ts';
import { type ColumnKind, type Field, hoursInHundredths, plainField } from '#shared/entity-fields.ts';
import type { TimeEntry, TimeEntryForInput } from './contract.ts';

/** A column of an exported file; `title` is a message key, `width` the approximate number of characters. */
type FileColumn = Readonly<{
  title: string;
  kind: ColumnKind;
  width: number;
  value: (entry: TimeEntry) => string | number | null;
}>;

/**
 * A column of a user's data export: its name in the JSON file and the key of its title in the CSV file. `from` is the
 * column of a joined table that names what the field refers to.
 */
type OwnDataColumn = Readonly<{ name: string; title: string; from?: string }>;

type EntryField = Field &
  Readonly<{
    /** Its columns in CSV and Excel exports. */
    file: readonly FileColumn[];
    /** Its columns in a user's data export. */
    ownData: readonly OwnDataColumn[];
  }>;

/**
 * The fields of a time entry, in the order of the export columns. Adding a field to the contract does not compile
 * without a line here.
 */
export const ENTRY_FIELDS = {
  entryDate: {
    column: 'entry_date',
    ...plainField<CalendarDate>(),
    log: { text: 'audit:fieldDay' },
    file: [{ title: 'time-entries:date', kind: 'day', width: 12, value: (entry) => entry.entryDate }],
    ownData: [{ name: 'entryDate', title: 'time-entries:date' }],
  },
  userId: {
    column: 'user_id',
    ...plainField<number>(),
    log: { text: 'audit:fieldPerson', refersTo: 'user', as: 'person' },
    file: [
      { title: 'users:firstName', kind: 'text', width: 16, value: (entry) => entry.user.firstName },
      { title: 'users:lastName', kind: 'text', width: 18, value: (entry) => entry.user.lastName },
    ],
    // All entries are the user's own.
    ownData: [],
  },
  schoolId: {
    column: 'school_id',
    ...plainField<number>(),
    log: { text: 'audit:fieldSchool', refersTo: 'school', as: 'school' },
    file: [{ title: 'schools:header', kind: 'text', width: 28, value: (entry) => entry.school.name }],
    ownData: [{ name: 'school', title: 'schools:header', from: 'schools.name' }],
  },
  activityId: {
    column: 'activity_id',
    ...plainField<number>(),
    log: { text: 'audit:fieldActivity', refersTo: 'activity', as: 'activity' },
    file: [
      { title: 'time-entries:activity', kind: 'text', width: 32, value: (entry) => entry.activity.name },
      {
        title: 'time-entries:printCategory',
        kind: 'text',
        width: 20,
        value: (entry) => entry.activity.category.name,
      },
    ],
    ownData: [
      { name: 'category', title: 'time-entries:printCategory', from: 'categories.name' },
      { name: 'activity', title: 'time-entries:activity', from: 'activities.name' },
    ],
  },
  hours: {
    column: 'hours_hundredths',
    ...hoursInHundredths,
    log: { text: 'audit:fieldHours' },
    file: [{ title: 'time-entries:hoursField', kind: 'hours', width: 9, value: (entry) => entry.hours }],
    ownData: [{ name: 'hours', title: 'time-entries:hoursField' }],
  },
  notes: {
    column: 'notes',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldNotes' },
    file: [{ title: 'time-entries:notes', kind: 'text', width: 50, value: (entry) => entry.notes }],
    ownData: [{ name: 'notes', title: 'time-entries:notes' }],
  },
} as const satisfies Readonly<Record<keyof Required<TimeEntryForInput>, EntryField>>;

/** The columns of an exported file in order. The exporter converts instants to local time. */
export const FILE_COLUMNS: readonly FileColumn[] = [
  ...Object.values<EntryField>(ENTRY_FIELDS).flatMap((field) => field.file),
  { title: 'time-entries:created', kind: 'moment', width: 17, value: (entry) => entry.createdAt },
];

/** The column of verified hours, in files with a school that verifies hours. */
export const COUNTED_COLUMN = { title: 'time-entries:fileCounted', kind: 'hours', width: 18 } as const;

/** The verification columns of an exported file with a school that verifies hours. */
export const STATE_COLUMNS: readonly Omit<FileColumn, 'value'>[] = [
  { title: 'time-entries:fileState', kind: 'text', width: 14 },
  COUNTED_COLUMN,
  { title: 'time-entries:fileBy', kind: 'text', width: 28 },
  { title: 'time-entries:fileAt', kind: 'moment', width: 17 },
];

/** The volunteer's address and account ID, so that rows of one person can be matched; the last columns in both sheets. */
export const EMAIL_COLUMN = { title: 'time-entries:fileEmail', kind: 'text', width: 28 } as const;
export const ACCOUNT_COLUMN = { title: 'time-entries:fileAccount', kind: 'number', width: 10 } as const;

/** The totals sheet: a row for each volunteer and school. */
export const TOTALS_COLUMNS: readonly Omit<FileColumn, 'value'>[] = [
  { title: 'users:firstName', kind: 'text', width: 16 },
  { title: 'users:lastName', kind: 'text', width: 18 },
  { title: 'schools:header', kind: 'text', width: 28 },
  { title: 'time-entries:fileEntries', kind: 'number', width: 9 },
  { title: 'time-entries:hoursField', kind: 'hours', width: 9 },
];

/** The columns of an entry in a user's data export, in the order of the CSV file. */
export const OWN_DATA_COLUMNS: readonly (OwnDataColumn & { field: Field })[] = Object.values<EntryField>(
  ENTRY_FIELDS,
).flatMap((field) => field.ownData.map((column) => ({ ...column, field })));
