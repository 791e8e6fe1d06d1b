import * as z from 'zod/mini';
import { Instant } from '#shared/calendar-date.ts';
import { translationsOf } from '#shared/content-translations.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { requiredLine } from '#shared/text-normalization.ts';
import { LIMITS as CATEGORY_LIMITS, CategoryInput, Kind } from '../categories/contract.ts';
import { ActivityInput, messages as activityMessages, LIMITS } from '../contract.ts';
import type text from '../messages.staff.en.json';

const say = messageFactory<typeof text>('activities');

/** Maximum activities per call, days until undo expires, and maximum batches listed. */
export const BULK = { most: 500, undoDays: 30, batchesListed: 50 } as const;

// Enough for 500 activities with texts of maximum length in multi-byte characters.
const BODY_BYTES = 10_000_000;

/** Messages for adding activities in bulk. Row numbers start at 1. */
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

/** One activity of a bulk request. It names its category, which is created if it is missing. */
export const BulkActivity = z.extend(z.omit(ActivityInput, { schoolId: true, categoryId: true }), {
  category: requiredLine(CATEGORY_LIMITS.name, activityMessages.categoryRequired),
});
export type BulkActivity = z.infer<typeof BulkActivity>;

/** Color and kind of a missing category. The defaults are a palette color and the kind derived from the name. */
const Look = z.omit(CategoryInput, { schoolId: true, description: true });

/** The input of a bulk add. Rows are validated one by one, so that each row gets its own errors. */
export const BulkInput = z.object({
  schoolId: idOr(activityMessages.schoolRequired),
  activities: z
    .array(z.record(z.string(), z.unknown()), bulkMessages.noneGiven)
    .check(z.minLength(1, bulkMessages.noneGiven), z.maxLength(BULK.most, bulkMessages.tooMany)),
  categories: z.optional(z.array(Look).check(z.maxLength(BULK.most, bulkMessages.tooMany))),
  /** Whether to return the outcome of each row without writing anything. */
  preview: z.optional(z.boolean()),
  /** Whether to create only the new rows instead of rejecting a request with duplicates. */
  leaveOutDuplicates: z.optional(z.boolean()),
});
export type BulkInput = z.infer<typeof BulkInput>;

/**
 * The outcome of a row. A row is a `duplicate` if an activity of the school or an earlier row has the same name (ignoring case
 * and accents) and the same first day, so next year's activity is `new`.
 */
export const BulkOutcome = z.enum(['new', 'duplicate', 'problem']);
export type BulkOutcome = z.infer<typeof BulkOutcome>;

/**
 * A row with its outcome. `row` starts at 1. `note` explains a duplicate and is null otherwise; `problems` lists the invalid
 * fields.
 */
export const BulkRow = z.object({
  row: z.int(),
  name: z.string(),
  category: z.string(),
  outcome: BulkOutcome,
  note: z.nullable(z.string()),
  problems: z.array(z.object({ field: z.string(), text: z.string() })),
});
export type BulkRow = z.infer<typeof BulkRow>;

/** Activities that were added in one call. */
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

/** An activity that undo did not delete, with the reason. */
export const KeptActivity = z.object({ id: Id, name: z.string(), reason: z.string() });
export type KeptActivity = z.infer<typeof KeptActivity>;

export const BulkPreview = z.object({ rows: z.array(BulkRow), newCategories: z.array(z.string()) });
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkDone = z.object({ created: z.int(), leftOut: z.int(), batch: Batch, message: z.string() });
export type BulkDone = z.infer<typeof BulkDone>;

/**
 * Adds all activities or none, and returns 201. With `preview`, returns 200 with the outcome of each row and writes nothing.
 */
export const bulkActivities = endpoint('POST', '/admin/activities/bulk', {
  body: BulkInput,
  bodyBytes: BODY_BYTES,
  reply: z.union([BulkPreview, BulkDone]),
  status: 201,
});

/** Lists the latest 50 batches of the last 30 days, latest first. */
export const listBatches = endpoint('GET', '/admin/activities/bulk', {
  query: z.object({ schoolId: z.optional(IdText) }),
  reply: z.object({ batches: z.array(Batch) }),
});

/**
 * Undoes a batch. Activities with hours or photos, even deleted ones, stay and are listed in the reply. Categories that were
 * created for the batch are deleted if they are empty.
 */
export const undoBulk = endpoint('POST', '/admin/activities/bulk/:id/undo', {
  freshProof: 'always',
  params: z.object({ id: IdText }),
  reply: z.object({ batch: Batch, removed: z.int(), kept: z.array(KeptActivity), message: z.string() }),
});

const Named = z.object({ name: z.string(), translations: translationsOf({ name: LIMITS.name }).Shown });

/** Common school activities by category, for a new school. */
export const StarterSet = z.object({
  categories: z.array(
    z.object({ ...Named.shape, color: z.string(), kind: Kind, activities: z.array(Named) }),
  ),
});
export type StarterSet = z.infer<typeof StarterSet>;

/** Returns the starter set. Names are in the district's first language, with translations for its other languages. */
export const getStarterSet = endpoint('GET', '/admin/activities/starter-set', { reply: StarterSet });
