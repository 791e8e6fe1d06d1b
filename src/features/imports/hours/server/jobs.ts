import { addImportedEntries, undoImportedEntries } from '#features/time-entries/server/imported-hours.ts';
import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { currentAccountIds } from '#features/users/server/accounts.ts';
import type { Actor } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type BackgroundJob, startBackgroundJob } from '#server/jobs/background-job.ts';
import { toHundredths } from '#shared/hours.ts';
import { schoolsWhereAllowed } from '#shared/permissions.ts';
import {
  addProgress,
  claimChunk,
  deleteChunks,
  findActiveImports,
  findStillExisting,
  insertCreatedEntries,
  listEntriesToUndo,
  lockImport,
  type PlannedEntry,
  setImportState,
  settleUndoneEntries,
} from './store.ts';

/** How many entries are created or removed in one transaction, which blocks other writers on SQLite. */
export const CHUNK_SIZE = 100;
/** The pause between two chunks, so that waiting writes get their turn. */
const PAUSE_MS = 15;
const PACE = { everyMs: 1_000, failure: 'an import of hours failed and will be retried' };

type Import = Row<'time_entry_imports'>;

/** Processes imports and undos until stopped; the next start continues them. */
export function startHoursImportWorker(deps: Deps): BackgroundJob {
  return startBackgroundJob(deps, PACE, (signal) => processAllImports(deps, signal));
}

/** Processes all active imports, chunk by chunk. */
export async function processAllImports(deps: Deps, signal?: AbortSignal): Promise<void> {
  for (const { id } of await findActiveImports(deps.database.db)) {
    let hasMore = true;
    while (hasMore && signal?.aborted !== true) {
      hasMore = await transaction(deps.database, (trx) => processNextChunk(trx, id));
      await deps.clock.sleep(PAUSE_MS, signal);
    }
  }
}

/** Processes the next chunk of an import or undo; false when nothing is left to do. */
export async function processNextChunk(trx: Trx, id: number): Promise<boolean> {
  const one = await lockImport(trx, id);
  if (one?.state === 'running') return importChunk(trx, one);
  if (one?.state === 'undoing') return undoChunk(trx, one);
  return false;
}

async function importChunk(trx: Trx, one: Import): Promise<boolean> {
  const { id, school_id: schoolId } = one;
  if (!(await mayStillImport(trx, one))) {
    await deleteChunks(trx, id);
    await setImportState(trx, id, 'stopped');
    return false;
  }
  const chunk = await claimChunk(trx, id);
  if (chunk === undefined) {
    await setImportState(trx, id, 'done');
    return false;
  }
  const entries = await skipMissing(trx, schoolId, chunk);
  const made = entries.length === 0 ? [] : await createEntries(trx, one, entries);
  const ids = made.map((entry) => entry.id);
  await insertCreatedEntries(trx, id, ids);
  const hundredths = made.reduce((sum, entry) => sum + toHundredths(entry.hours), 0);
  await addProgress(trx, id, { made: made.length, hundredths, leftOut: chunk.length - made.length });
  const isLast = one.made + one.left_out + chunk.length >= one.planned;
  if (isLast) await setImportState(trx, id, 'done');
  return !isLast;
}

function createEntries(trx: Trx, one: Import, entries: readonly PlannedEntry[]) {
  const { id: importId, school_id: schoolId, reason } = one;
  const newEntries = entries.map(([userId, activityId, entryDate, hours, notes]) => ({
    userId,
    schoolId,
    activityId,
    entryDate,
    hours,
    notes,
  }));
  const verifiedBy = one.counts_immediately === 1 ? one.imported_by : null;
  return addImportedEntries(trx, toActor(one), newEntries, { importId, verifiedBy, reason });
}

// The importer may have lost the role meanwhile.
async function mayStillImport(trx: Trx, { imported_by: by, school_id: schoolId }: Import): Promise<boolean> {
  const importer = by === null ? undefined : await rightsHolderOf(trx, by);
  if (importer === undefined) return false;
  const scope = schoolsWhereAllowed(importer, 'import hours');
  return scope === 'all' || scope.includes(schoolId);
}

// Leaves out people who have left the school since the preview, and deleted activities; merged accounts become the
// account they were merged into.
async function skipMissing(
  trx: Trx,
  schoolId: number,
  chunk: readonly PlannedEntry[],
): Promise<readonly PlannedEntry[]> {
  if (chunk.length === 0) return [];
  const merged = await currentAccountIds(trx, [...new Set(chunk.map(([userId]) => userId))]);
  const planned = chunk.map(([userId, ...rest]): PlannedEntry => [merged.get(userId) ?? userId, ...rest]);
  const { people, activities } = await findStillExisting(trx, schoolId, {
    userIds: [...new Set(planned.map(([userId]) => userId))],
    activityIds: [...new Set(planned.map(([, activityId]) => activityId))],
  });
  return planned.filter(([userId, activityId]) => people.has(userId) && activities.has(activityId));
}

async function undoChunk(trx: Trx, one: Import): Promise<boolean> {
  const { id, undone_at: at } = one;
  const ids = await listEntriesToUndo(trx, id, CHUNK_SIZE);
  if (ids.length === 0 || at === null) {
    await setImportState(trx, id, 'undone');
    return false;
  }
  const actor = { ...toActor(one), userId: one.undone_by, at };
  const { imported_at: importedAt, reason } = one;
  const { removed, kept } = await undoImportedEntries(trx, actor, ids, { importId: id, importedAt, reason });
  const isKept = new Set(kept);
  await settleUndoneEntries(trx, id, { removed: ids.filter((one) => !isKept.has(one)), kept });
  await addProgress(trx, id, { undone: removed.length });
  const isLast = ids.length < CHUNK_SIZE;
  if (isLast) await setImportState(trx, id, 'undone');
  return !isLast;
}

// The request has ended by now. Its address is in the import's own audit event.
function toActor(one: Import): Actor {
  return { userId: one.imported_by, at: one.imported_at, address: null, requestId: null };
}
