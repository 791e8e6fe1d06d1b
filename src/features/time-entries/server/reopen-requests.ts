import { record } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { sure } from '#shared/assert-defined.ts';
import { refuse } from '#shared/errors.ts';
import { messages, type TimeEntry } from '../contract.ts';
import { verificationMessages } from '../verification-contract.ts';
import { bumpEntryVersion, findAndLockEntry } from './store.ts';
import { setState } from './verification-status-store.ts';

/** Asks the school to reopen one's own hours that were decided about; once while it waits. */
export function createReopenRequest(
  deps: Deps,
  { viewer, request }: Acting,
  { id, note }: { id: number; note: string },
): Promise<{ timeEntry: TimeEntry; message: string }> {
  return transaction(deps.database, async (trx) => {
    const own = { schools: viewer.schools, userId: viewer.userId };
    const before = await findAndLockEntry(trx, viewer, own, id);
    if (before === undefined) throw refuse.notFound(messages.notFound);
    const { verification } = before;
    if (verification === null || verification.status === 'waiting') {
      throw refuse.conflict(verificationMessages.notLocked);
    }
    if (verification.reopenRequested) throw refuse.conflict(verificationMessages.alreadyAsked);
    await setState(trx, [id], { reopen_note: note, reopen_asked_at: request.at });
    await bumpEntryVersion(trx, id);
    await record(trx, actorOf(viewer, request), {
      action: 'entry.ask-reopening',
      subject: 'time-entry',
      subjectId: id,
      schoolId: before.schoolId,
      personId: viewer.userId,
      after: { reopenNote: note },
    });
    const entry = sure(await findAndLockEntry(trx, viewer, own, id));
    return { timeEntry: entry, message: text(deps, verificationMessages.reopenAsked(entry.school.name)) };
  });
}
