import { termsOf } from '#features/activities/server/actions.ts';
import { recordAll } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { refuse } from '#shared/errors.ts';
import { messages } from '../contract.ts';
import { verificationMessages } from '../verification-contract.ts';
import { findExternalVerifier } from './external-verifiers.ts';
import { lockEntriesWithSameVerifier, setExternalVerifier } from './external-verifiers-store.ts';
import { findAndLockEntry } from './store.ts';

/** Names another supervisor for the viewer's own waiting hours of an activity that named the same one as this entry. */
export function changeSupervisor(
  deps: Deps,
  { viewer, request }: Acting,
  { id, address }: { id: number; address: string },
): Promise<{ entryIds: number[]; message: string }> {
  return transaction(deps.database, async (trx) => {
    const { userId } = viewer;
    const entry = await findAndLockEntry(trx, viewer, { schools: viewer.schools, userId }, id);
    if (entry === undefined) throw refuse.notFound(messages.notFound);
    const { activity, activityId, schoolId, verification } = entry;
    if (verification !== null && verification.status !== 'waiting') {
      throw refuse.conflict(verificationMessages.locked(entry.school.name));
    }
    const terms = await termsOf(trx, activityId);
    const named = await findExternalVerifier(trx, viewer, { userId, schoolId, activityId, terms }, address);
    if (named === null) throw refuse.conflict(verificationMessages.noSupervisor(activity.name));
    const { entryIds, before } = await lockEntriesWithSameVerifier(trx, { id, userId, activityId });
    const message = text(deps, verificationMessages.supervisorChanged(named));
    if (before === named) return { entryIds: [], message };
    await setExternalVerifier(trx, entryIds, named);
    await recordAll(
      trx,
      actorOf(viewer, request),
      entryIds.map((subjectId) => ({
        action: 'entry.name-supervisor',
        subject: 'time-entry',
        subjectId,
        schoolId,
        personId: userId,
        before: { by: before },
        after: { by: named },
      })),
    );
    return { entryIds, message };
  });
}
