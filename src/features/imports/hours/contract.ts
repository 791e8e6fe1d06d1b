import * as z from 'zod/mini';
import {
  LIMITS as CATEGORY_LIMITS,
  messages as categoryMessages,
} from '#features/activities/categories/contract.ts';
import { LIMITS as ACTIVITY_LIMITS } from '#features/activities/contract.ts';
import { messages as entryMessages } from '#features/time-entries/contract.ts';
import { messages as adminMessages } from '#features/users/admin-contract.ts';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { formatHours, type Hours } from '#shared/hours.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import { optionalText } from '#shared/text-normalization.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('hours');

/**
 * Limits of an import: rows, characters and columns of a file, how many rows of each kind and how many questions a
 * reply lists, and how long an import can be undone.
 */
export const IMPORT = {
  rows: 50_000,
  characters: 6_000_000,
  columns: 200,
  listed: 100,
  asked: 200,
  undoDays: 30,
  reason: 500,
} as const;

// A file of the maximum length with mostly one-byte characters, plus the importer's answers.
const BODY_BYTES = 14_000_000;

/**
 * The possible uses of a column. The hours are in one column or follow from two times, which may include the day. The status
 * shows whether the other product approved the hours.
 */
export const COLUMNS = [
  'email',
  'name',
  'firstName',
  'lastName',
  'activity',
  'date',
  'hours',
  'checkIn',
  'checkOut',
  'notes',
  'status',
] as const;
export const ImportColumn = z.enum(COLUMNS);
export type ImportColumn = z.infer<typeof ImportColumn>;

/** Products whose files are recognized by their column names. */
export const LAYOUTS = ['trackItForward', 'betterImpact', 'x2vol'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Whether day or month comes first in '3/4/2026'. */
export const DAY_ORDERS = ['month-first', 'day-first'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Messages about imports. `row` is the row number in a spreadsheet; row 1 contains the column names. */
export const messages = {
  fileRequired: say('fileRequired'),
  fileTooLong: say('fileTooLong', { max: IMPORT.characters }),
  fileEmpty: say('fileEmpty'),
  tooManyRows: say('tooManyRows', { max: IMPORT.rows }),
  quoteOpen: (row: number) => say('quoteOpen', { row }),
  columnTwice: say('columnTwice'),
  columnUnknown: say('columnUnknown'),
  tooManyCells: say('tooManyCells'),
  noPerson: say('noPerson'),
  dateUnread: (text: string) => say('dateUnread', { text }),
  dateMissing: say('dateMissing'),
  hoursUnread: (text: string) => say('hoursUnread', { text }),
  hoursMissing: say('hoursMissing'),
  hoursRounded: (text: string, hours: Hours, language: string) =>
    say('hoursRounded', { text, count: hours, hours: formatHours(hours, language) }),
  nameTooLong: say('nameTooLong', { max: ACTIVITY_LIMITS.name }),
  whoIsIt: say('whoIsIt'),
  whichActivity: say('whichActivity'),
  isNew: (name: string) => say('isNew', { name }),
  hereAlready: say('hereAlready'),
  sameAs: (row: number) => say('sameAs', { row }),
  cameInAnyway: say('cameInAnyway'),
  personLeftOut: say('personLeftOut'),
  activityLeftOut: say('activityLeftOut'),
  notApproved: (status: string) => say('notApproved', { status }),
  changed: say('changed'),
  categoryTaken: (category: string) => say('categoryTaken', { category }),
  atWork: say('atWork'),
  hasOpen: (count: number) => say('hasOpen', { count }),
  nothing: say('nothing'),
  begun: (count: number) => say('begun', { count }),
  imported: (count: number, hours: string) => say('imported', { count, hours }),
  notFound: say('notFound'),
  undoneAlready: say('undoneAlready'),
  tooOld: say('tooOld', { days: IMPORT.undoDays }),
  undone: (count: number) => say('undone', { count }),
  undoBegun: say('undoBegun'),
  keptDecided: say('keptDecided'),
  keptEdited: say('keptEdited'),
  failedToLoad: say('failedToLoad'),
} as const;

const word = z.string().check(z.maxLength(600));

/** The account behind a name in the file, or null to leave its rows out. */
const PersonAnswer = z.object({ who: word, userId: z.nullable(idOr(entryMessages.volunteerRequired)) });

/**
 * The activity behind a name in the file: one of the school, a new one in a category, or neither to leave its rows out.
 */
const ActivityAnswer = z.object({
  name: word,
  activityId: z.nullish(idOr(messages.whichActivity)),
  category: optionalText(CATEGORY_LIMITS.name, categoryMessages.nameRequired),
});

/**
 * The file's text, its school, and the importer's answers: the use of each column by position, the people and activities that
 * the names refer to, and the duplicates to import anyway.
 */
export const ImportFile = z.object({
  csv: z
    .string(messages.fileRequired)
    .check(
      z.minLength(1, messages.fileRequired),
      z.maxLength(IMPORT.characters, { error: messages.fileTooLong, abort: true }),
    ),
  schoolId: idOr(adminMessages.schoolRequired),
  columns: z.optional(
    z.array(z.nullable(z.enum(COLUMNS, messages.columnUnknown))).check(z.maxLength(IMPORT.columns)),
  ),
  dayOrder: z.optional(z.enum(DAY_ORDERS)),
  people: z.optional(z.array(PersonAnswer).check(z.maxLength(IMPORT.rows))),
  activities: z.optional(z.array(ActivityAnswer).check(z.maxLength(IMPORT.rows))),
  duplicates: z.optional(z.union([z.literal('all'), z.array(z.int()).check(z.maxLength(IMPORT.rows))])),
});
export type ImportFile = z.infer<typeof ImportFile>;

/**
 * The result of a row: importable, waiting for an answer, a duplicate of existing hours, invalid, or left out by the
 * importer.
 */
export const OUTCOMES = ['ready', 'question', 'duplicate', 'problem', 'leftOut'] as const;
export const ImportOutcome = z.enum(OUTCOMES);
export type ImportOutcome = z.infer<typeof ImportOutcome>;

/** A parsed row of the file, with its result and the reasons. */
export const ImportRow = z.object({
  row: z.int(),
  outcome: ImportOutcome,
  person: z.string(),
  activity: z.string(),
  entryDate: z.nullable(CalendarDate),
  hours: z.nullable(z.number()),
  notes: z.nullable(z.string()),
  says: z.array(z.string()),
});
export type ImportRow = z.infer<typeof ImportRow>;

const Candidate = z.object({ id: Id, firstName: z.string(), lastName: z.string(), email: z.string() });

/** A name that matches several members or none. The importer is asked once for all of its rows. */
export const PersonQuestion = z.object({
  who: z.string(),
  name: z.string(),
  email: z.string(),
  rows: z.int(),
  candidates: z.array(Candidate),
});
export type PersonQuestion = z.infer<typeof PersonQuestion>;

/** An activity name that matches none of the school's activities, or several. */
export const ActivityQuestion = z.object({
  name: z.string(),
  rows: z.int(),
  candidates: z.array(z.object({ id: Id, name: z.string(), category: z.string() })),
});
export type ActivityQuestion = z.infer<typeof ActivityQuestion>;

/**
 * The result of a dry run. There are no rows while columns are `missing`. `rows` has the first rows of each outcome. The import
 * request must include `key`, and is rejected if its result would now differ from the preview.
 */
export const ImportPreview = z.object({
  key: z.string(),
  layout: z.nullable(z.enum(LAYOUTS)),
  columns: z.array(
    z.object({ title: z.string(), use: z.nullable(ImportColumn), samples: z.array(z.string()) }),
  ),
  dayOrder: z.enum(DAY_ORDERS),
  missing: z.array(ImportColumn),
  counts: z.object({
    rows: z.int(),
    ready: z.int(),
    question: z.int(),
    duplicate: z.int(),
    problem: z.int(),
    leftOut: z.int(),
  }),
  hours: z.number(),
  people: z.int(),
  firstDate: z.nullable(CalendarDate),
  lastDate: z.nullable(CalendarDate),
  /** The message that asks for a reason when hours are in a closed period; null when none is needed. */
  closed: z.nullable(z.string()),
  isVerifying: z.boolean(),
  questions: z.object({
    people: z.array(PersonQuestion),
    peopleCount: z.int(),
    activities: z.array(ActivityQuestion),
    activitiesCount: z.int(),
  }),
  newActivities: z.array(z.object({ name: z.string(), category: z.string() })),
  rows: z.array(ImportRow),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** The file again with the key of its preview. `leaveOutOpen` leaves out rows with problems and open questions. */
export const ImportInput = z.object({
  ...ImportFile.shape,
  key: z.string(messages.changed),
  leaveOutOpen: z.optional(z.boolean()),
  /** Whether the other product approved the hours. If so, they count immediately, except the importer's own. */
  areVerified: z.optional(z.boolean()),
  reason: optionalText(IMPORT.reason),
});
export type ImportInput = z.infer<typeof ImportInput>;

/** The state of an import. `stopped` means that the importer lost the right to import. */
export const STATES = ['running', 'done', 'stopped', 'undoing', 'undone'] as const;

/**
 * An import. `planned` is the total number of entries, `made` the number created so far, with their `hours`. `leftOut` is the
 * number skipped because their person or activity no longer exists.
 */
export const TimeEntryImport = z.object({
  id: Id,
  school: z.object({ id: Id, name: z.string() }),
  importedBy: z.nullable(PersonRef),
  importedAt: Instant,
  state: z.enum(STATES),
  planned: z.int(),
  made: z.int(),
  hours: z.number(),
  leftOut: z.int(),
  undone: z.int(),
  undoneAt: z.nullable(Instant),
  canUndo: z.boolean(),
});
export type TimeEntryImport = z.infer<typeof TimeEntryImport>;

/** An entry that an undo did not remove, and the reason. */
export const KeptEntry = z.object({
  user: PersonRef,
  activity: z.string(),
  entryDate: CalendarDate,
  hours: z.number(),
  reason: z.string(),
});
export type KeptEntry = z.infer<typeof KeptEntry>;

const oneImport = z.object({
  timeEntryImport: TimeEntryImport,
  kept: z.array(KeptEntry),
  keptCount: z.int(),
});
const byId = z.object({ id: IdText });

/** A dry run: returns what an import would do, row by row. */
export const previewHoursImport = endpoint('POST', '/admin/time-entry-imports/preview', {
  body: ImportFile,
  bodyBytes: BODY_BYTES,
  reply: z.object({ preview: ImportPreview }),
});

/**
 * Imports what the preview showed. A small import is finished before the reply. A larger one runs in the background, in
 * batches, and `GET` returns its progress. Returns 409 when the result would now differ, or while another import of the school
 * is running.
 */
export const importTimeEntries = endpoint('POST', '/admin/time-entry-imports', {
  body: ImportInput,
  bodyBytes: BODY_BYTES,
  reply: z.object({ timeEntryImport: TimeEntryImport, message: z.string() }),
  status: 201,
});

/** The stored imports, latest first. */
export const listHoursImports = endpoint('GET', '/admin/time-entry-imports', {
  query: z.object({ schoolId: z.optional(IdText), ...pageQuery }),
  reply: z.object({ timeEntryImports: z.array(TimeEntryImport), ...pageReply }),
});

/** One import, with the first entries that an undo did not remove. */
export const getHoursImport = endpoint('GET', '/admin/time-entry-imports/:id', {
  params: byId,
  reply: oneImport,
});

/**
 * Undoes an import once: removes its entries that have not changed since, and stops it if it is still running. Requires a
 * `reason` when hours of a closed period are removed.
 */
export const undoHoursImport = endpoint('POST', '/admin/time-entry-imports/:id/undo', {
  params: byId,
  body: z.object({ reason: optionalText(IMPORT.reason) }),
  reply: z.object({ ...oneImport.shape, message: z.string() }),
});
