import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { messages as categoryMessages } from '#features/activities/categories/contract.ts';
import { addCategory, findCategoryIds } from '#features/activities/categories/server/actions.ts';
import { createActivity } from '#features/activities/server/actions.ts';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { messages as entryMessages } from '#features/time-entries/contract.ts';
import { rejectClosedPeriod } from '#features/time-entries/server/entry-rules.ts';
import { findClosingTerms } from '#features/time-entries/server/imported-hours.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import { lockRow } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { readTable } from '#server/export/read-csv-table.ts';
import { type Acting, actorOf, type Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { mapYielding } from '#server/process/event-loop.ts';
import { sign } from '#server/secrets.ts';
import { dayIn, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors, HttpError, httpErrorMessage } from '#shared/errors.ts';
import { formatHours, fromHundredths, toHundredths } from '#shared/hours.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import {
  IMPORT,
  type ImportFile,
  type ImportInput,
  type ImportPreview,
  type KeptEntry,
  messages,
  type TimeEntryImport,
} from '../contract.ts';
import { detectDayOrder } from './cell-parsers.ts';
import { applyChosenColumns, findMissingColumns, guessColumns } from './column-mapping.ts';
import {
  activityKey,
  type Plan,
  type PlannedRow,
  planImport,
  type ReadyEntry,
  readyEntries,
  toPreview,
} from './import-plan.ts';
import { CHUNK_SIZE, processNextChunk } from './jobs.ts';
import type { NewActivity } from './name-matching.ts';
import { parseRow } from './row-parser.ts';
import {
  deleteChunks,
  findEntriesKeptByUndo,
  findFirstDay,
  findImport,
  findLatestImport,
  insertChunks,
  insertImport,
  lockImport,
  type PlannedEntry,
  pageOfImports,
  setImportState,
} from './store.ts';

const LIST = 'time-entry-imports';
const DAY_MS = 86_400_000;

/** Returns what an import would do, row by row, and writes nothing. 404 for a school outside the viewer's scope. */
export async function previewEntryImport(
  deps: Deps,
  acting: Acting,
  file: ImportFile,
): Promise<{ preview: ImportPreview }> {
  const plan = await prepareImport(deps, acting, file);
  return { preview: toPreview(deps, plan, closedPeriodMessage(deps, acting, plan)) };
}

// The message that asks for a reason when hours are in a closed period.
function closedPeriodMessage(deps: Deps, acting: Acting, { rows, closing }: Plan): string | null {
  const dates = readyEntries(rows).map(({ entryDate }) => entryDate);
  const message = httpErrorMessage(() =>
    rejectClosedPeriod(deps, acting, { ...closing, dates, reason: null }),
  );
  return message === undefined ? null : translate(deps, message);
}

/** Starts an import of what the preview showed; a small one is finished immediately. */
export async function runImport(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  { input, plan }: { input: ImportInput; plan: Plan },
): Promise<{ timeEntryImport: TimeEntryImport; message: string }> {
  // Of two concurrent imports at a school, the second sees the first's entries.
  await lockRow(trx, 'schools', input.schoolId);
  const entries = await requireReadyEntries(trx, plan, input);
  const dates = entries.map(({ entryDate }) => entryDate);
  const affected = { ...plan.closing, dates, reason: input.reason };
  const why = rejectClosedPeriod(deps, { viewer, request }, affected);
  const ids = await createActivities(trx, deps, { viewer, request }, { schoolId: input.schoolId, entries });
  const planned = toPlannedEntries(entries, ids);
  const id = await insertImport(trx, {
    schoolId: input.schoolId,
    by: viewer.userId,
    at: request.at,
    countsAtOnce: input.areVerified === true,
    reason: why.reason ?? null,
    planned: planned.length,
  }).catch(rejectWhileRunning);
  await insertChunks(trx, id, planned, CHUNK_SIZE);
  const hours = fromHundredths(planned.reduce((sum, [, , , one]) => sum + toHundredths(one), 0));
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'hours.import',
    subject: 'time-entry-import',
    subjectId: id,
    schoolId: input.schoolId,
    after: { entries: planned.length, hours, activities: ids.size, ...why },
  });
  // A small import is finished before the reply.
  if (planned.length <= CHUNK_SIZE) await processNextChunk(trx, id);
  return startedReply(deps, await requireImport(trx, { viewer, request }, id));
}

function toPlannedEntries(entries: readonly ReadyEntry[], ids: ReadonlyMap<string, number>): PlannedEntry[] {
  return entries.map(({ member, activity, entryDate, hours, notes }) => {
    const activityId = 'id' in activity ? activity.id : (ids.get(activityKey(activity)) ?? 0);
    return [member.id, activityId, entryDate, hours, notes];
  });
}

function startedReply(deps: Deps, timeEntryImport: TimeEntryImport) {
  const { state, made, hours, planned } = timeEntryImport;
  const isDone = state === 'done';
  const message = isDone
    ? messages.imported(made, formatHours(hours, deps.translator.language))
    : messages.begun(planned);
  return { timeEntryImport, message: translate(deps, message) };
}

/** A page of imports, latest first. 404 for a school outside the viewer's scope. */
export async function listTimeEntryImports(
  deps: Deps,
  { viewer, request }: Acting,
  query: { schoolId?: number | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfImports(db, schools, page, undoableSince(request)),
    keyOf: (row) => [row.id],
  });
  return { timeEntryImports: rows, nextCursor };
}

/** The current state of an import; 404 when there is none that the viewer may see. */
async function requireImport(db: Db, { viewer, request }: Acting, id: number): Promise<TimeEntryImport> {
  const found = await findImport(db, viewer.schools, id, undoableSince(request));
  if (found === undefined) throw errors.notFound(messages.notFound);
  return found;
}

/** Plans an import before its transaction, because planning is slow and the transaction blocks all other writers. */
export async function prepareImport(
  deps: Deps,
  { viewer, request }: Acting,
  file: ImportFile,
): Promise<Plan> {
  const { db } = deps.database;
  const { schoolId } = file;
  await findRequestedSchools(db, viewer, schoolId);
  const table = await readTable(file.csv, { ...messages, rows: IMPORT.rows });
  const { header } = table;
  const columns =
    file.columns === undefined ? guessColumns(header) : applyChosenColumns(header, file.columns);
  const dates = columns.indexOf(columns.includes('date') ? 'date' : 'checkIn');
  const dayOrder = file.dayOrder ?? detectDayOrder(table.rows.map(({ cells }) => cells[dates] ?? ''));
  const today = dayIn(deps.config.timeZone, request.at);
  const { language } = deps.translator;
  const { id: after } = await findLatestImport(db, schoolId);
  const closing = await findClosingTerms(db, schoolId);
  const isWhole = findMissingColumns(columns, table.rows).length === 0;
  const read = await mapYielding(isWhole ? table.rows : [], (row) =>
    parseRow(row, { columns, dayOrder, today, zone: deps.config.timeZone, language }),
  );
  const defaultPrompt = translate(deps, entryMessages.defaultPrompt);
  const rows = await planImport(db, read, { schoolId, answers: file, defaultPrompt });
  const key = await signPlan(deps, schoolId, rows);
  return { table, columns, dayOrder, rows, closing, after, key };
}

// Signed with a key, so that it reveals nothing about people.
async function signPlan(deps: Deps, schoolId: number, rows: readonly PlannedRow[]): Promise<string> {
  const lines = await mapYielding(rows, ({ read, outcome, entry }) =>
    entry === undefined
      ? `${read.row} ${outcome}`
      : [
          read.row,
          outcome,
          entry.member.id,
          activityKey(entry.activity),
          read.entryDate,
          read.hours,
          read.notes,
        ]
          .map(String)
          .join('\u0001'),
  );
  await yieldToEventLoop();
  const whole = `${schoolId}\n${lines.join('\n')}`;
  return sign(deps.secretKey, 'time-entry-import', whole).slice(0, 22);
}

async function requireReadyEntries(trx: Trx, plan: Plan, input: ImportInput): Promise<ReadyEntry[]> {
  const latest = await findLatestImport(trx, input.schoolId);
  if (latest.isRunning) throw errors.conflict(messages.atWork);
  if (plan.key !== input.key || latest.id !== plan.after) throw errors.conflict(messages.changed);
  const isOpen = ({ outcome }: PlannedRow) => outcome === 'problem' || outcome === 'question';
  const open = plan.rows.filter(isOpen).length;
  if (open > 0 && input.leaveOutOpen !== true) {
    throw errors.invalid(messages.hasOpen(open), { csv: messages.hasOpen(open) });
  }
  const entries = readyEntries(plan.rows);
  if (entries.length === 0) throw errors.invalid(messages.nothing, { csv: messages.nothing });
  return entries;
}

// Creates the new activities, and their categories where the school has none of that name.
async function createActivities(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { schoolId, entries }: { schoolId: number; entries: readonly ReadyEntry[] },
): Promise<ReadonlyMap<string, number>> {
  const made = new Map<string, NewActivity>();
  for (const { activity } of entries) if (!('id' in activity)) made.set(activityKey(activity), activity);
  const ids = new Map<string, number>();
  if (made.size === 0) return ids;
  const categories = await findCategoryIds(trx, schoolId);
  for (const [key, { name, category }] of made) {
    const categoryKey = foldForSearch(category);
    const known =
      categories.get(categoryKey) ??
      (await addCategory(trx, deps, acting, { name: category, schoolId }).catch(rejectNewCategory(category)))
        .category.id;
    categories.set(categoryKey, known);
    ids.set(key, (await createActivity(trx, acting, { name, schoolId, categoryId: known })).id);
  }
  return ids;
}

// Another request gave a category this name after `findCategoryIds`, so a repeated import uses that category.
const rejectNewCategory =
  (category: string) =>
  (error: unknown): never => {
    const isNameTaken = error instanceof HttpError && error.text === categoryMessages.nameTaken;
    if (isNameTaken) throw errors.conflict(messages.categoryTaken(category));
    throw error;
  };

function rejectWhileRunning(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(messages.atWork);
  throw error;
}

/** Returns the earliest start of an import that can still be undone. */
export function undoableSince({ at }: Pick<Request, 'at'>) {
  return plusMilliseconds(at, -IMPORT.undoDays * DAY_MS);
}

type ImportWithKept = { timeEntryImport: TimeEntryImport; kept: KeptEntry[]; keptCount: number };

/**
 * Undoes an import, once and within thirty days: soft-deletes its entries, except those that were changed or decided
 * since. A running import stops.
 */
export function undoTimeEntryImport(
  deps: Deps,
  acting: Acting,
  id: number,
  reason: string | null | undefined,
): Promise<ImportWithKept & { message: string }> {
  return transaction(deps.database, async (trx) => {
    const { viewer, request } = acting;
    await lockImport(trx, id);
    const before = await requireImport(trx, acting, id);
    if (before.undoneAt !== null) throw errors.conflict(messages.undoneAlready);
    if (!before.canUndo) throw errors.conflict(messages.tooOld);
    const why = await undoReason(trx, deps, acting, { before, reason });
    await deleteChunks(trx, id);
    const undo = { at: request.at, by: viewer.userId, reason: why.reason ?? null };
    await setImportState(trx, id, 'undoing', undo);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'hours.import-undo',
      subject: 'time-entry-import',
      subjectId: id,
      schoolId: before.school.id,
      before: { entries: before.made, hours: before.hours },
      after: why,
    });
    if (before.made <= CHUNK_SIZE) while (await processNextChunk(trx, id));
    const now = await readImportWithKept(trx, deps, acting, id);
    const { state, undone } = now.timeEntryImport;
    return {
      ...now,
      message: translate(deps, state === 'undone' ? messages.undone(undone) : messages.undoBegun),
    };
  });
}

async function undoReason(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { before, reason }: { before: TimeEntryImport; reason: string | null | undefined },
): Promise<{ reason?: string }> {
  const first = await findFirstDay(trx, before.id);
  if (first === undefined) return {};
  const closing = await findClosingTerms(trx, before.school.id);
  return rejectClosedPeriod(deps, acting, { ...closing, dates: [first], reason });
}

/** An import with the entries that its undo did not remove. */
export async function readImportWithKept(
  db: Db,
  deps: Deps,
  acting: Acting,
  id: number,
): Promise<ImportWithKept> {
  const timeEntryImport = await requireImport(db, acting, id);
  const { rows, count } = await findEntriesKeptByUndo(db, id, IMPORT.listed);
  const kept = rows.map((row) => ({
    user: { id: row.id, firstName: row.first_name, lastName: row.last_name },
    activity: row.activity,
    entryDate: row.entry_date,
    hours: fromHundredths(row.hours_hundredths),
    reason: translate(deps, row.version > 1 ? messages.keptEdited : messages.keptDecided),
  }));
  return { timeEntryImport, kept, keptCount: count };
}
