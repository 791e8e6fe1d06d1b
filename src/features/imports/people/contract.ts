import * as z from 'zod/mini';
import { messages as adminMessages, Unconfirmed } from '#features/users/admin-contract.ts';
import { PersonRef } from '#features/users/contract.ts';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import type { GrantRole } from '#shared/permissions.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('people');

/**
 * Limits of an import: rows and characters of a file, how many rows and remaining people a reply lists, how long an import can
 * be undone, and how long the emailed password links work.
 */
export const IMPORT = {
  rows: 20_000,
  characters: 4_000_000,
  listed: 300,
  undoDays: 30,
  linkDays: 14,
} as const;

// A file of the maximum length, with several bytes per character.
const BODY_BYTES = 12_000_000;

/** The columns of a file. The role and the schools may be missing. */
export const IMPORT_COLUMNS = ['firstName', 'lastName', 'email', 'role', 'schools'] as const;
export const ImportColumn = z.enum(IMPORT_COLUMNS);
export type ImportColumn = z.infer<typeof ImportColumn>;

/** Messages about imports. `row` is the row number in a spreadsheet; row 1 contains the column names. */
export const messages = {
  fileRequired: say('fileRequired'),
  fileTooLong: say('fileTooLong', { max: IMPORT.characters }),
  fileEmpty: say('fileEmpty'),
  tooManyRows: say('tooManyRows', { max: IMPORT.rows }),
  columnsMissing: (columns: string) => say('columnsMissing', { columns }),
  columnTwice: (column: string) => say('columnTwice', { column }),
  quoteOpen: (row: number) => say('quoteOpen', { row }),
  tooManyCells: say('tooManyCells'),
  unknownRole: (role: string) => say('unknownRole', { role }),
  unknownSchool: (school: string) => say('unknownSchool', { school }),
  twice: (row: number) => say('twice', { row }),
  sameAs: (row: number) => say('sameAs', { row }),
  keepsName: (name: string) => say('keepsName', { name }),
  becomesAdmin: say('becomesAdmin'),
  becomes: {
    'school-admin': say('becomesSchoolAdmin'),
    coordinator: say('becomesCoordinator'),
    auditor: say('becomesAuditor'),
  } satisfies Record<GrantRole, Message>,
  keepsRoleAdmin: say('keepsRoleAdmin'),
  keepsRoleUser: say('keepsRoleUser'),
  staysInactive: say('staysInactive'),
  isGone: (state: string) => say('isGone', { state }),
  waitsForProof: (email: string) => say('waitsForProof', { email }),
  mustAccept: say('mustAccept'),
  changed: say('changed'),
  hasFaults: (count: number) => say('hasFaults', { count }),
  nothing: say('nothing'),
  imported: (things: string) => say('imported', { things }),
  countedPeople: (count: number) => say('countedNewPeople', { count }),
  countedMemberships: (count: number) => say('countedMemberships', { count }),
  countedInvited: (count: number) => say('countedInvited', { count }),
  notFound: say('notFound'),
  undoneAlready: say('undoneAlready'),
  tooOld: say('tooOld', { days: IMPORT.undoDays }),
  undone: (things: string) => say('undone', { things }),
  undoneNothing: say('undoneNothing'),
  keptSignedIn: say('keptSignedIn'),
  keptPassword: say('keptPassword'),
  keptRecords: say('keptRecords'),
  keptHoursAt: (school: string) => say('keptHoursAt', { school }),
  keptLastSchool: (school: string) => say('keptLastSchool', { school }),
  failedToLoad: say('failedToLoad'),
} as const;

/** The file's text, and the schools for rows that name none. */
export const ImportFile = z.object({
  csv: z
    .string(messages.fileRequired)
    .check(
      z.minLength(1, messages.fileRequired),
      z.maxLength(IMPORT.characters, { error: messages.fileTooLong, abort: true }),
    ),
  schoolIds: z.optional(
    z
      .array(idOr(adminMessages.schoolRequired), adminMessages.schoolRequired)
      .check(z.maxLength(100, adminMessages.schoolRequired)),
  ),
  ...Unconfirmed,
});
export type ImportFile = z.infer<typeof ImportFile>;

/**
 * The result of a row: a new person; an existing person who joins a school, is invited to it, must confirm the address first,
 * or is unchanged; or a faulty row.
 */
export const ImportOutcome = z.enum(['created', 'extended', 'invited', 'waiting', 'unchanged', 'faulty']);
export type ImportOutcome = z.infer<typeof ImportOutcome>;

/** A row of the file with its result. `schools` are those the person joins, and `notes` explain what stays unchanged. */
export const ImportRow = z.object({
  row: z.int(),
  name: z.string(),
  email: z.string(),
  outcome: ImportOutcome,
  schools: z.array(z.string()),
  notes: z.array(z.string()),
  problems: z.array(z.object({ column: z.nullable(ImportColumn), text: z.string() })),
});
export type ImportRow = z.infer<typeof ImportRow>;

/**
 * The result of a dry run. `rows` has the first rows, starting with those that have problems. The import request must include
 * `key`, and is rejected if its result would now differ from the preview.
 */
export const ImportPreview = z.object({
  key: z.string(),
  counts: z.object({
    rows: z.int(),
    created: z.int(),
    extended: z.int(),
    invited: z.int(),
    waiting: z.int(),
    unchanged: z.int(),
    faulty: z.int(),
  }),
  unusedColumns: z.array(z.string()),
  rows: z.array(ImportRow),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** The file again with the key of its preview. `leaveOutFaulty` skips rows with problems. */
export const ImportInput = z.object({
  ...ImportFile.shape,
  key: z.string(messages.changed),
  leaveOutFaulty: z.optional(z.boolean()),
  /** Whether to email every new person a link to choose a password. */
  sendMail: z.boolean(),
});
export type ImportInput = z.infer<typeof ImportInput>;

/** A finished import, with the number of people it created and of memberships it added for existing people. */
export const UserImport = z.object({
  id: Id,
  importedBy: z.nullable(PersonRef),
  importedAt: Instant,
  people: z.int(),
  memberships: z.int(),
  hasMail: z.boolean(),
  undoneAt: z.nullable(Instant),
  canUndo: z.boolean(),
});
export type UserImport = z.infer<typeof UserImport>;

/** A person or membership that an undo did not remove, with the reason. */
export const KeptByUndo = z.object({ user: PersonRef, reason: z.string() });
export type KeptByUndo = z.infer<typeof KeptByUndo>;

/** A template file to fill in. */
export const importTemplate = endpoint('GET', '/admin/user-imports/template', { file: true });

/** A dry run: returns what an import would do, row by row. */
export const previewImport = endpoint('POST', '/admin/user-imports/preview', {
  body: ImportFile,
  bodyBytes: BODY_BYTES,
  reply: z.object({ preview: ImportPreview }),
});

/**
 * Imports all that the preview showed, or nothing. Returns 409 when the result would now differ. `links` has the password links
 * for the importer to pass on when no mail server is configured; otherwise null.
 */
export const importUsers = endpoint('POST', '/admin/user-imports', {
  freshProof: { when: 'a row gives a role, or links that open accounts are shown' },
  body: ImportInput,
  bodyBytes: BODY_BYTES,
  reply: z.object({
    userImport: UserImport,
    message: z.string(),
    links: z.nullable(z.array(z.object({ email: z.string(), link: z.string() }))),
  }),
  status: 201,
});

/** The stored imports that the viewer may see, latest first. */
export const listImports = endpoint('GET', '/admin/user-imports', {
  query: z.object(pageQuery),
  reply: z.object({ userImports: z.array(UserImport), ...pageReply }),
});

/**
 * Deletes the people that an import created and removes the memberships it added. An import can be undone only once (409).
 * People stay if they have since signed in or logged hours, are under a legal hold, or may not be deleted or removed by the
 * viewer. `kept` lists the first people and memberships that stay, with reasons, and `keptCount` counts all of them.
 */
export const undoImport = endpoint('POST', '/admin/user-imports/:id/undo', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({
    userImport: UserImport,
    kept: z.array(KeptByUndo),
    keptCount: z.int(),
    message: z.string(),
  }),
});
