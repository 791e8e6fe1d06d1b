import * as z from 'zod/mini';
import { commonMessages } from '#shared/common-messages.ts';
import { OTHER_LANGUAGES } from '#shared/content-translations.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id } from '#shared/id.ts';
import type text from '../district-settings/messages.staff.en.json';

const say = messageFactory<typeof text>('district-settings');

/** Maximum number of rows in a list, and of records changed by one request. */
export const NAME_LIST = { most: 500, mostRecords: 2000 } as const;

// A pasted cell. A name that is too long is reported per row.
const Cell = z.string(commonMessages.invalidRequest).check(z.maxLength(1000, commonMessages.tooLong(1000)));

/** Messages about lists of translated names. Rows count from 1. */
export const nameListMessages = {
  noneGiven: say('namesNoneGiven'),
  tooMany: say('namesTooMany', { max: NAME_LIST.most }),
  tooManyRecords: say('namesTooManyRecords', { max: NAME_LIST.mostRecords }),
  noFirst: say('namesNoFirst'),
  noOther: say('namesNoOther'),
  tooLong: (max: number) => say('namesTooLong', { max }),
  twice: (row: number) => say('namesTwice', { row }),
  sameAsRow: (row: number) => say('namesSameAsRow', { row }),
  taken: say('namesTaken'),
  takenByRow: (row: number) => say('namesTakenByRow', { row }),
  changed: say('namesChanged'),
  saved: (count: number) => say('namesSaved', { count }),
  nothingNew: say('namesNothingNew'),
  failedToCheck: say('namesFailedToCheck'),
} as const;

/** Translations of existing names into one language. */
export const NameListInput = z.object({
  /** Limits the list to one school's records. Without it, the list covers all records that the sender may change. */
  schoolId: z.nullish(Id),
  language: z.enum(OTHER_LANGUAGES, commonMessages.invalidRequest),
  names: z
    .array(z.object({ name: Cell, translation: Cell }), nameListMessages.noneGiven)
    .check(z.minLength(1, nameListMessages.noneGiven), z.maxLength(NAME_LIST.most, nameListMessages.tooMany)),
  /** Returns the outcome without saving. */
  preview: z.optional(z.boolean()),
});
export type NameListInput = z.infer<typeof NameListInput>;

/**
 * The outcome of a row: its records get a new or a changed translation, already have it, do not exist, or the row has an
 * error.
 */
export const NameOutcome = z.enum(['new', 'changed', 'same', 'unknown', 'problem']);
export type NameOutcome = z.infer<typeof NameOutcome>;

/**
 * A row with its outcome. `records` is the number of changed records, `before` their current translation, `note` the error.
 * `row` starts at 1.
 */
export const NameRow = z.object({
  row: z.int(),
  name: z.string(),
  translation: z.string(),
  outcome: NameOutcome,
  records: z.int(),
  before: z.nullable(z.string()),
  note: z.nullable(z.string()),
});
export type NameRow = z.infer<typeof NameRow>;

export const NameListPreview = z.object({ rows: z.array(NameRow) });
export type NameListPreview = z.infer<typeof NameListPreview>;

/** The number of `changed` records, and all `rows` including those that changed nothing. */
export const NameListDone = z.object({ changed: z.int(), rows: z.array(NameRow), message: z.string() });
export type NameListDone = z.infer<typeof NameListDone>;

/** The reply: 201 after saving; 200 with the outcome of each row for a `preview`. */
export const NameListReply = z.union([NameListDone, NameListPreview]);
