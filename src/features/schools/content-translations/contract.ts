import * as z from 'zod/mini';
import { commonMessages } from '#shared/common-messages.ts';
import { OTHER_LANGUAGES } from '#shared/content-translations.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id } from '#shared/id.ts';
import type text from '../district-settings/messages.translations.en.json';

const say = messageFactory<typeof text>('district-settings');

/** Rows of a list, and the records that they may change in one call. */
export const NAME_LIST = { most: 500, mostRecords: 2000 } as const;

// A cell that somebody pasted; what of it is too long for a name is said of its row.
const Cell = z.string(commonMessages.invalidRequest).check(z.maxLength(1000, commonMessages.tooLong(1000)));

/** Sentences of lists of names. Rows count from 1. */
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

/** What records that are there are called in another language: a list of first names, each with its translation. */
export const NameListInput = z.object({
  /** One school's records; without it, all that the sender may change. */
  schoolId: z.nullish(Id),
  language: z.enum(OTHER_LANGUAGES, commonMessages.invalidRequest),
  names: z
    .array(z.object({ name: Cell, translation: Cell }), nameListMessages.noneGiven)
    .check(z.minLength(1, nameListMessages.noneGiven), z.maxLength(NAME_LIST.most, nameListMessages.tooMany)),
  /** Only says what would happen. */
  preview: z.optional(z.boolean()),
});
export type NameListInput = z.infer<typeof NameListInput>;

/**
 * What becomes of a row: its records get a name that they have not had, or another one than they have; they are called that
 * already; none has this first name; or something is wrong with the row.
 */
export const NameOutcome = z.enum(['new', 'changed', 'same', 'unknown', 'problem']);
export type NameOutcome = z.infer<typeof NameOutcome>;

/** `records` is how many it changes, `before` what they are called now, and `note` what is wrong. `row` counts from 1. */
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

/** `changed` records; `rows` as they were found, those that changed nothing included. */
export const NameListDone = z.object({ changed: z.int(), rows: z.array(NameRow), message: z.string() });
export type NameListDone = z.infer<typeof NameListDone>;

/** 201 once it is saved; with `preview`, 200 and what would become of each row. */
export const NameListReply = z.union([NameListDone, NameListPreview]);
