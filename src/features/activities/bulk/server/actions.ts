import * as z from 'zod/mini';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { type AuditEvent, recordEvent, recordEvents } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { lockRow } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { blanksAsNull } from '#server/http/blank-fields.ts';
import { type Acting, actorOf, canAt, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { rejectIfSchoolUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { type CalendarDate, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { fieldsOf } from '#shared/entity-fields.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { type Message, readMessage } from '#shared/i18n/message.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import { ACTIVITY_FIELDS } from '../../activity-fields.ts';
import { PALETTE } from '../../categories/category-colors.ts';
import { messages as categoryMessages } from '../../categories/contract.ts';
import { addCategory, deleteEmptyCategories, findCategoryIds } from '../../categories/server/actions.ts';
import { type AdminActivity, activityProblem } from '../../contract.ts';
import { newActivityValues } from '../../server/actions.ts';
import { deleteUnusedActivities, insertActivities, listBatchActivities } from '../../server/store.ts';
import {
  type Batch,
  BULK,
  BulkActivity,
  type BulkDone,
  type BulkInput,
  type BulkPreview,
  bulkMessages,
  type KeptActivity,
} from '../contract.ts';
import {
  findBatch,
  findUses,
  insertBatch,
  listActivityNames,
  listBatches,
  listCategoryColors,
  lockBatchActivities,
  lockSchool,
  markUndone,
  type Use,
} from './store.ts';

export type Problem = Readonly<{ field: string; text: Message }>;

/** A row with its outcome. */
export type PlannedRow = Readonly<{ row: number; name: string; category: string }> &
  (
    | Readonly<{ outcome: 'new'; activity: BulkActivity }>
    | Readonly<{ outcome: 'duplicate'; note: Message }>
    | Readonly<{ outcome: 'problem'; problems: readonly Problem[] }>
  );

/** The rows of a bulk add, the school's category ids by folded name, and the names of the categories to create. */
export type Plan = Readonly<{
  rows: readonly PlannedRow[];
  categories: ReadonlyMap<string, number>;
  newCategories: readonly string[];
}>;

/** Returns the outcome of each row without writing. The same name on the same first day is a duplicate. */
export async function planBulk(db: Db, viewer: Viewer, input: BulkInput): Promise<Plan> {
  const categories = await findCategoryIds(db, input.schoolId);
  const existing = new Set(
    (await listActivityNames(db, input.schoolId)).map((one) => keyOf(one.name, one.activeFrom)),
  );
  const canCreateCategories = canAt(viewer, 'edit categories', input.schoolId);
  const added = new Map<string, number>();
  const missing = new Map<string, string>();
  const rows = input.activities.map((given, at): PlannedRow => {
    const row = { row: at + 1, name: textOf(given['name']), category: textOf(given['category']) };
    const read = readRow(given);
    if ('problems' in read) return { ...row, outcome: 'problem', problems: read.problems };
    const { activity } = read;
    const key = keyOf(activity.name, activity.activeFrom ?? null);
    const same = added.get(key);
    if (existing.has(key)) return { ...row, outcome: 'duplicate', note: bulkMessages.alreadyHere };
    if (same !== undefined) return { ...row, outcome: 'duplicate', note: bulkMessages.sameAsRow(same) };
    const category = foldForSearch(activity.category);
    if (!categories.has(category)) {
      if (!canCreateCategories) {
        const text = bulkMessages.mayNotMakeCategory(activity.category);
        return { ...row, outcome: 'problem', problems: [{ field: 'category', text }] };
      }
      if (!missing.has(category)) missing.set(category, activity.category);
    }
    added.set(key, row.row);
    return { ...row, outcome: 'new', activity };
  });
  return { rows, categories, newCategories: [...missing.values()] };
}

// The duplicate key: the folded name and the first day.
function keyOf(name: string, activeFrom: CalendarDate | null): string {
  return `${activeFrom ?? ''} ${foldForSearch(name)}`;
}

function readRow(given: unknown): { activity: BulkActivity } | { problems: Problem[] } {
  const read = z.safeParse(BulkActivity, blanksAsNull(BulkActivity, given));
  if (!read.success) return { problems: problemsIn(read.error.issues) };
  const { data } = read;
  const problem = activityProblem({
    activeFrom: data.activeFrom ?? null,
    activeUntil: data.activeUntil ?? null,
    requiresDescription: data.requiresDescription ?? false,
    descriptionPrompt: data.descriptionPrompt ?? null,
  });
  if (problem === undefined) return { activity: data };
  return { problems: [{ field: problem.field, text: problem.message }] };
}

// Keeps the first problem of each field. Fields whose schema has no message of ours (such as a boolean) report Zod's own text,
// which is replaced by a generic message.
function problemsIn(issues: readonly z.core.$ZodIssue[]): Problem[] {
  const found = new Map<string, Problem>();
  for (const { path, message } of issues) {
    const field = String(path[0] ?? 'name');
    const text = readMessage(message) === undefined ? commonMessages.invalidRequest : (message as Message);
    if (!found.has(field)) found.set(field, { field, text });
  }
  return [...found.values()];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? normalizeText(value).slice(0, 200) : '';
}

const DAY_MS = 86_400_000;

/** Returns the outcome of each row without writing. 404 for a school outside the viewer's scope. */
export async function previewBulk(deps: Deps, viewer: Viewer, input: BulkInput): Promise<BulkPreview> {
  const { db } = deps.database;
  await findRequestedSchools(db, viewer, input.schoolId);
  const plan = await planBulk(db, viewer, input);
  const rows = plan.rows.map((planned) => {
    const { row, name, category, outcome } = planned;
    const note = planned.outcome === 'duplicate' ? translate(deps, planned.note) : null;
    const problems = planned.outcome === 'problem' ? planned.problems : [];
    const texts = problems.map((problem) => ({ field: problem.field, text: translate(deps, problem.text) }));
    return { row, name, category, outcome, note, problems: texts };
  });
  return { rows, newCategories: [...plan.newCategories] };
}

/**
 * Adds activities and their missing categories, all or none. Throws 400 with the fields of the invalid rows and, unless
 * `leaveOutDuplicates` is set, of the duplicates; 409 if every row is a duplicate.
 */
export async function createActivities(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  input: BulkInput,
): Promise<BulkDone> {
  const { schoolId } = input;
  await findRequestedSchools(trx, viewer, schoolId);
  // Serializes bulk adds to a school, so a list sent twice at the same time is checked against what the first request
  // added.
  await lockSchool(trx, schoolId);
  const plan = await planBulk(trx, viewer, input);
  rejectInvalidPlan(plan, input);
  const newActivities = plan.rows.flatMap((row) => (row.outcome === 'new' ? [row.activity] : []));
  const counts = { activities: newActivities.length, categories: plan.newCategories.length };
  const batchId = await insertBatch(trx, { schoolId, at: request.at, ...counts });
  const categories = await createMissingCategories(trx, deps, { viewer, request }, { input, plan, batchId });
  const values = newActivities.map(({ category, ...activity }) =>
    newActivityValues({ ...activity, schoolId, categoryId: categories.get(foldForSearch(category)) ?? 0 }),
  );
  const created = await insertActivities(trx, values, { batchId, at: request.at }).catch(
    rejectChangedCategories,
  );
  await recordEvents(trx, actorOf(viewer, request), [
    ...created.map((activity) => auditEventOf(activity, { action: 'activity.create', batchId })),
  ]);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'activities.add',
    subject: 'school',
    subjectId: schoolId,
    schoolId,
    after: { ...counts, batchId },
  });
  return {
    created: created.length,
    leftOut: plan.rows.length - created.length,
    batch: await requireBatch(trx, { viewer, request }, batchId),
    message: translate(deps, bulkMessages.created(created.length)),
  };
}

/** Lists the latest 50 batches of the last 30 days. */
export async function listRecentBatches(
  deps: Deps,
  { viewer, request }: Acting,
  query: { schoolId?: number | undefined },
) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  return { batches: await listBatches(db, schools, undoableSince(request)) };
}

/**
 * Undoes a batch, which is possible once and within 30 days. Deletes unused activities and returns the others with the reason.
 */
export function undoActivityBatch(deps: Deps, { viewer, request }: Acting, id: number) {
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    await lockRow(trx, 'activity_batches', id);
    const before = await requireBatch(trx, { viewer, request }, id);
    if (before.undoneAt !== null) throw errors.conflict(bulkMessages.undoneAlready);
    await rejectIfSchoolUnderLegalHold(trx, before.schoolId);
    if (!before.canUndo) throw errors.conflict(bulkMessages.tooOld);
    const { removed, kept } = await removeUnused(trx, deps, id);
    const categories = await deleteEmptyCategories(trx, { viewer, request }, id);
    await markUndone(trx, id, request.at);
    const actor = actorOf(viewer, request);
    await recordEvents(
      trx,
      actor,
      removed.map((activity) => auditEventOf(activity, { action: 'activity.delete', batchId: id })),
    );
    await recordEvent(trx, actor, {
      action: 'activities.undo',
      subject: 'school',
      subjectId: before.schoolId,
      schoolId: before.schoolId,
      after: { activities: removed.length, categories, kept: kept.length, batchId: id },
    });
    const texts = removed.length === 0 ? bulkMessages.undoneNothing : bulkMessages.undone(removed.length);
    return {
      batch: await requireBatch(trx, { viewer, request }, id),
      removed: removed.length,
      kept,
      message: translate(deps, texts),
    };
  });
}

function rejectInvalidPlan(plan: Plan, input: BulkInput): void {
  const at = ({ row }: { row: number }, field: string) => `activities.${row - 1}.${field}`;
  const invalidRows = plan.rows.filter((row) => row.outcome === 'problem');
  if (invalidRows.length > 0) {
    const fields = invalidRows.flatMap((row) =>
      row.problems.map((problem) => [at(row, problem.field), problem.text] as const),
    );
    throw errors.invalid(bulkMessages.hasProblems(invalidRows.length), Object.fromEntries(fields));
  }
  const same = plan.rows.filter((row) => row.outcome === 'duplicate');
  if (same.length > 0 && input.leaveOutDuplicates !== true) {
    const fields = same.map((row) => [at(row, 'name'), row.note] as const);
    throw errors.invalid(bulkMessages.hasDuplicates(same.length), Object.fromEntries(fields));
  }
  if (same.length === plan.rows.length) throw errors.conflict(bulkMessages.nothingNew);
}

// Returns category ids by folded name after creating the missing categories.
async function createMissingCategories(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { input, plan, batchId }: { input: BulkInput; plan: Plan; batchId: number },
): Promise<ReadonlyMap<string, number>> {
  const { schoolId } = input;
  const all = new Map(plan.categories);
  const looks = new Map((input.categories ?? []).map((look) => [foldForSearch(look.name), look]));
  const used = new Set((await listCategoryColors(trx, schoolId)).map((color) => color.toLowerCase()));
  const free = PALETTE.filter((color) => !used.has(color));
  for (const name of plan.newCategories) {
    const look = looks.get(foldForSearch(name));
    const color = look?.color ?? free.shift();
    const added = { ...look, name, schoolId, color, batchId };
    const { category } = await addCategory(trx, deps, acting, added).catch(rejectChangedCategories);
    all.set(foldForSearch(name), category.id);
  }
  return all;
}

async function removeUnused(trx: Trx, deps: Deps, batchId: number) {
  const ids = await lockBatchActivities(trx, batchId);
  const uses = await findUses(trx, ids);
  const activities = await listBatchActivities(trx, batchId);
  const removed = activities.filter(({ id }) => !uses.has(id));
  const kept = activities.flatMap(({ id, name }): KeptActivity[] => {
    const use = uses.get(id);
    return use === undefined ? [] : [{ id, name, reason: translate(deps, inUseReason(use)) }];
  });
  await deleteUnusedActivities(
    trx,
    removed.map(({ id }) => id),
  );
  return { removed, kept };
}

function inUseReason(use: Use): Message {
  if (use.hours) return bulkMessages.keptHours;
  return use.photos ? bulkMessages.keptPhotos : bulkMessages.keptTrash;
}

function auditEventOf(
  activity: AdminActivity,
  { action, batchId }: { action: 'activity.create' | 'activity.delete'; batchId: number },
): AuditEvent {
  const values = { ...fieldsOf(ACTIVITY_FIELDS, activity), batchId };
  const { id, schoolId } = activity;
  const side = action === 'activity.create' ? { after: values } : { before: values };
  return { action, subject: 'activity', subjectId: id, schoolId, ...side };
}

async function requireBatch(trx: Trx, { viewer, request }: Acting, id: number): Promise<Batch> {
  const batch = await findBatch(trx, viewer.schools, id, undoableSince(request));
  if (batch === undefined) throw errors.notFound(bulkMessages.batchNotFound);
  return batch;
}

// Throws 409 if another user added or deleted a category between the plan and the write.
function rejectChangedCategories(error: unknown): never {
  const failure = databaseFailure(error);
  const isNameTaken = error instanceof HttpError && error.text === categoryMessages.nameTaken;
  if (isNameTaken || failure === 'unique' || failure === 'foreignKey') {
    throw errors.conflict(bulkMessages.changed);
  }
  throw error;
}

function undoableSince({ at }: Pick<Request, 'at'>): Instant {
  return plusMilliseconds(at, -BULK.undoDays * DAY_MS);
}
