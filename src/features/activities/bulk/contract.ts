import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { translationsOf } from '#shared/content-translations.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { requiredLine } from '#shared/text-normalization.ts';
import { LIMITS as CATEGORY_LIMITS, CategoryInput, Kind } from '../categories/contract.ts';
import { ActivityInput, messages as activityMessages, LIMITS } from '../contract.ts';
import type text from '../messages.bulk.en.json';

const say = messageFactory<typeof text>('activities');

/** Activities in one call, its size, and how long they can be taken back. */
export const BULK = { most: 500, undoDays: 30, batchesListed: 50 } as const;

// 500 activities with the longest texts, each character written with several bytes.
const BODY_BYTES = 10_000_000;

/** Sentences of adding many activities. Rows count from 1. */
export const bulkMessages = {
  noneGiven: say('bulkNoneGiven'),
  tooMany: say('bulkTooMany', { max: BULK.most }),
  hasProblems: (count: number) => say('bulkHasProblems', { count }),
  hasDuplicates: (count: number) => say('bulkHasDuplicates', { count }),
  nothingNew: say('bulkNothingNew'),
  alreadyHere: say('bulkAlreadyHere'),
  sameAsRow: (row: number) => say('bulkSameAsRow', { row }),
  mayNotMakeCategory: (name: string) => say('bulkMayNotMakeCategory', { name }),
  changed: say('bulkChanged'),
  created: (count: number) => say('bulkCreated', { count }),
  batchNotFound: say('bulkBatchNotFound'),
  undoneAlready: say('bulkUndoneAlready'),
  tooOld: say('bulkTooOld', { days: BULK.undoDays }),
  undone: (count: number) => say('bulkUndone', { count }),
  undoneNothing: say('bulkUndoneNothing'),
  keptHours: say('bulkKeptHours'),
  keptPhotos: say('bulkKeptPhotos'),
  keptTrash: say('bulkKeptTrash'),
  failedToLoad: say('bulkFailedToLoad'),
  failedToCheck: say('bulkFailedToCheck'),
} as const;

/** One of many activities: as one alone, but with the name of its category, which is made when it is missing. */
export const BulkActivity = z.extend(z.omit(ActivityInput, { schoolId: true, categoryId: true }), {
  category: requiredLine(CATEGORY_LIMITS.name, activityMessages.categoryRequired),
});
export type BulkActivity = z.infer<typeof BulkActivity>;

/** What a missing category looks like; without it, it gets a color of the palette and the kind of its name. */
const Look = z.omit(CategoryInput, { schoolId: true, description: true });

/** The rows are read one by one, so that each says what is wrong with it. */
export const BulkInput = z.object({
  schoolId: idOr(activityMessages.schoolRequired),
  activities: z
    .array(z.record(z.string(), z.unknown()), bulkMessages.noneGiven)
    .check(z.minLength(1, bulkMessages.noneGiven), z.maxLength(BULK.most, bulkMessages.tooMany)),
  categories: z.optional(z.array(Look).check(z.maxLength(BULK.most, bulkMessages.tooMany))),
  /** Only says what would happen. */
  preview: z.optional(z.boolean()),
  /** Creates what is not there yet, instead of refusing everything. */
  leaveOutDuplicates: z.optional(z.boolean()),
});
export type BulkInput = z.infer<typeof BulkInput>;

/**
 * What becomes of a row: it is created, it is there already, or something is wrong with it. The same name (without regard to case
 * and accents) with the same first day is the same activity; next year's is another one.
 */
export const BulkOutcome = z.enum(['new', 'duplicate', 'problem']);
export type BulkOutcome = z.infer<typeof BulkOutcome>;

/** A row with its outcome; `row` counts from 1. `field` is null where the row as a whole is meant. */
export const BulkRow = z.object({
  row: z.int(),
  name: z.string(),
  category: z.string(),
  outcome: BulkOutcome,
  note: z.nullable(z.string()),
  problems: z.array(z.object({ field: z.string(), text: z.string() })),
});
export type BulkRow = z.infer<typeof BulkRow>;

/** Activities that were added at once. */
export const Batch = z.object({
  id: Id,
  schoolId: Id,
  school: z.string(),
  madeAt: Instant,
  activities: z.int(),
  categories: z.int(),
  undoneAt: z.nullable(Instant),
  canUndo: z.boolean(),
});
export type Batch = z.infer<typeof Batch>;

/** An activity that an undo kept, with the reason. */
export const KeptActivity = z.object({ id: Id, name: z.string(), reason: z.string() });
export type KeptActivity = z.infer<typeof KeptActivity>;

export const BulkPreview = z.object({ rows: z.array(BulkRow), newCategories: z.array(z.string()) });
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkDone = z.object({ created: z.int(), leftOut: z.int(), batch: Batch, message: z.string() });
export type BulkDone = z.infer<typeof BulkDone>;

/** Adds many activities, all or none: 201. With `preview`, 200 and what would become of each row; nothing is written. */
export const bulkActivities = endpoint('POST', '/admin/activities/bulk', {
  body: BulkInput,
  bodyBytes: BODY_BYTES,
  reply: z.union([BulkPreview, BulkDone]),
  status: 201,
});

/** What was added at once in the last thirty days, the latest first. */
export const listBatches = endpoint('GET', '/admin/activities/bulk', {
  query: z.object({ schoolId: z.optional(IdText) }),
  reply: z.object({ batches: z.array(Batch) }),
});

/**
 * Takes back what was added at once, as far as nobody used it: activities with hours or photos stay and are named;
 * categories that were made for it go when nothing is in them.
 */
export const undoBulk = endpoint('POST', '/admin/activities/bulk/:id/undo', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ batch: Batch, removed: z.int(), kept: z.array(KeptActivity), message: z.string() }),
});

const Named = z.object({ name: z.string(), translations: translationsOf({ name: LIMITS.name }).Shown });

/** Usual activities of schools in their categories, for a school that begins. */
export const StarterSet = z.object({
  categories: z.array(
    z.object({ ...Named.shape, color: z.string(), kind: Kind, activities: z.array(Named) }),
  ),
});
export type StarterSet = z.infer<typeof StarterSet>;

/** The names are in the district's first language, those in its others beside them, as they are to be added. */
export const getStarterSet = endpoint('GET', '/admin/activities/starter-set', { reply: StarterSet });
