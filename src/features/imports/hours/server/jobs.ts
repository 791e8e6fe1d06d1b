import { addImportedEntries, undoImportedEntries } from '#features/time-entries/server/imported-hours.ts';
import { currentAccountIds } from '#features/users/server/accounts.ts';
import type { Actor } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type BackgroundJob, startBackgroundJob } from '#server/jobs/background-job.ts';
import { toHundredths } from '#shared/hours.ts';
import { schoolsWhereAllowed } from '#shared/permissions.ts';
import {
  addDone,
  claimPiece,
  dropPieces,
  findActiveImports,
  findImporter,
  findStillExisting,
  insertMade,
  lockImport,
  nextToUndo,
  type PlannedEntry,
  setImportState,
  settleUndoneEntries,
} from './store.ts';

/** How many entries are created or removed in one transaction, which blocks other writers on SQLite. */
export const ENTRIES_AT_ONCE = 100;
/** The pause between two pieces, so that waiting writes get their turn. */
const PAUSE_MS = 15;
const PACE = { everyMs: 1_000, failure: 'an import of hours failed and will be retried' };

type Import = Row<'time_entry_imports'>;

/** Processes imports and undos until stopped; the next start continues them. */
export function startHoursImportWorker(deps: Deps): BackgroundJob {
  return startBackgroundJob(deps, PACE, (signal) => processAllImports(deps, signal));
}

/** Processes all active imports, piece by piece. */
export async function processAllImports(deps: Deps, signal?: AbortSignal): Promise<void> {
  for (const { id } of await findActiveImports(deps.database.db)) {
    let hasMore = true;
    while (hasMore && signal?.aborted !== true) {
      hasMore = await transaction(deps.database, (trx) => processNextPiece(trx, id));
      await deps.clock.sleep(PAUSE_MS, signal);
    }
  }
}

/** Processes the next piece of an import or undo; false when nothing is left to do. */
export async function processNextPiece(trx: Trx, id: number): Promise<boolean> {
  const one = await lockImport(trx, id);
  if (one?.state === 'running') return makePiece(trx, one);
  if (one?.state === 'undoing') return undoPiece(trx, one);
  return false;
}

async function makePiece(trx: Trx, one: Import): Promise<boolean> {
  const { id, school_id: schoolId } = one;
  if (!(await mayStillImport(trx, one))) {
    await dropPieces(trx, id);
    await setImportState(trx, id, 'stopped');
    return false;
  }
  const piece = await claimPiece(trx, id);
  if (piece === undefined) {
    await setImportState(trx, id, 'done');
    return false;
  }
  const entries = await skipGone(trx, schoolId, piece);
  const made = entries.length === 0 ? [] : await madeOf(trx, one, entries);
  const ids = made.map((entry) => entry.id);
  await insertMade(trx, id, ids);
  const hundredths = made.reduce((sum, entry) => sum + toHundredths(entry.hours), 0);
  await addDone(trx, id, { made: made.length, hundredths, leftOut: piece.length - made.length });
  const isLast = one.made + one.left_out + piece.length >= one.planned;
  if (isLast) await setImportState(trx, id, 'done');
  return !isLast;
}

function madeOf(trx: Trx, one: Import, entries: readonly PlannedEntry[]) {
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
  return addImportedEntries(trx, actorOfImport(one), newEntries, { importId, verifiedBy, reason });
}

// The importer may have lost the role meanwhile.
async function mayStillImport(trx: Trx, { imported_by: by, school_id: schoolId }: Import): Promise<boolean> {
  const importer = await findImporter(trx, by);
  if (importer === undefined || !importer.isActive) return false;
  const scope = schoolsWhereAllowed(importer, 'import hours');
  return scope === 'all' || scope.includes(schoolId);
}

// Leaves out people who have left the school since the preview, and deleted activities; merged accounts become the
// account they were merged into.
async function skipGone(
  trx: Trx,
  schoolId: number,
  piece: readonly PlannedEntry[],
): Promise<readonly PlannedEntry[]> {
  if (piece.length === 0) return [];
  const merged = await currentAccountIds(trx, [...new Set(piece.map(([userId]) => userId))]);
  const planned = piece.map(([userId, ...rest]): PlannedEntry => [merged.get(userId) ?? userId, ...rest]);
  const { people, activities } = await findStillExisting(trx, schoolId, {
    userIds: [...new Set(planned.map(([userId]) => userId))],
    activityIds: [...new Set(planned.map(([, activityId]) => activityId))],
  });
  return planned.filter(([userId, activityId]) => people.has(userId) && activities.has(activityId));
}

async function undoPiece(trx: Trx, one: Import): Promise<boolean> {
  const { id, undone_at: at } = one;
  const ids = await nextToUndo(trx, id, ENTRIES_AT_ONCE);
  if (ids.length === 0 || at === null) {
    await setImportState(trx, id, 'undone');
    return false;
  }
  const actor = { ...actorOfImport(one), userId: one.undone_by, at };
  const { imported_at: importedAt, reason } = one;
  const { removed, kept } = await undoImportedEntries(trx, actor, ids, { importId: id, importedAt, reason });
  const isKept = new Set(kept);
  await settleUndoneEntries(trx, id, { removed: ids.filter((one) => !isKept.has(one)), kept });
  await addDone(trx, id, { undone: removed.length });
  const isLast = ids.length < ENTRIES_AT_ONCE;
  if (isLast) await setImportState(trx, id, 'undone');
  return !isLast;
}

// The request is over by then; the import's own audit event has its address.
function actorOfImport(one: Import): Actor {
  return { userId: one.imported_by, at: one.imported_at, address: null, requestId: null };
}
