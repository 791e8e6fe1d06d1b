import { findClosingTerms, requireReasonIfClosed } from '#features/time-entries/server/imported-hours.ts';
import { record } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { refuse } from '#shared/errors.ts';
import { fromHundredths } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { IMPORT, type KeptEntry, messages, type TimeEntryImport } from '../contract.ts';
import { requireImport } from './actions.ts';
import { ENTRIES_AT_ONCE, processNextPiece } from './jobs.ts';
import { dropPieces, findEntriesKeptByUndo, firstDayOf, holdImport, setImportState } from './store.ts';

type Shown = { timeEntryImport: TimeEntryImport; kept: KeptEntry[]; keptCount: number };

/** An import with what its undo kept. */
export async function showImport(deps: Deps, viewer: Viewer, request: Request, id: number): Promise<Shown> {
  return shown(deps.database.db, deps, { viewer, request }, id);
}

/**
 * Takes an import back, once and within thirty days: its entries go to the trash, but for those that somebody changed or
 * decided about since. One that is still at work ends.
 */
export function undoTimeEntryImport(
  deps: Deps,
  acting: Acting,
  id: number,
  reason: string | null | undefined,
): Promise<Shown & { message: string }> {
  return transaction(deps.database, async (trx) => {
    const { viewer, request } = acting;
    await holdImport(trx, id);
    const before = await requireImport(trx, viewer, request, id);
    if (before.undoneAt !== null) throw refuse.conflict(messages.undoneAlready);
    if (!before.canUndo) throw refuse.conflict(messages.tooOld);
    const why = await whyUndone(trx, deps, acting, { before, reason });
    await dropPieces(trx, id);
    const undo = { at: request.at, by: viewer.userId, reason: why.reason ?? null };
    await setImportState(trx, id, 'undoing', undo);
    await record(trx, actorOf(viewer, request), {
      action: 'hours.import-undo',
      subject: 'time-entry-import',
      subjectId: id,
      schoolId: before.school.id,
      before: { entries: before.made, hours: before.hours },
      after: why,
    });
    if (before.made <= ENTRIES_AT_ONCE) while (await processNextPiece(trx, id));
    const now = await shown(trx, deps, acting, id);
    const { state, undone } = now.timeEntryImport;
    return { ...now, message: text(deps, state === 'undone' ? messages.undone(undone) : messages.undoBegun) };
  });
}

async function whyUndone(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { before, reason }: { before: TimeEntryImport; reason: string | null | undefined },
): Promise<{ reason?: string }> {
  const first = await firstDayOf(trx, before.id);
  if (first === undefined) return {};
  return requireReasonIfClosed(deps, acting, await findClosingTerms(trx, before.school.id), {
    dates: [first],
    reason,
  });
}

async function shown(db: Db, deps: Deps, { viewer, request }: Acting, id: number): Promise<Shown> {
  const timeEntryImport = await requireImport(db, viewer, request, id);
  const { rows, count } = await findEntriesKeptByUndo(db, id, IMPORT.listed);
  const kept = rows.map((row) => ({
    user: { id: row.id, firstName: row.first_name, lastName: row.last_name },
    activity: row.activity,
    entryDate: row.entry_date,
    hours: fromHundredths(row.hours_hundredths),
    reason: text(deps, whyKept(row)),
  }));
  return { timeEntryImport, kept, keptCount: count };
}

function whyKept({ version }: { version: number }): Message {
  return version > 1 ? messages.keptEdited : messages.keptDecided;
}
