import { recordAll } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { type OutsideDecision, writeExternalDecision } from './external-decisions-store.ts';

/** A decision with whose hours it is about, and where. */
export type Chosen = OutsideDecision & Readonly<{ schoolId: number; userId: number }>;

/**
 * Decides about hours in the name of a supervisor without an account, and records who it was. Returns the decisions that
 * were taken; hours that were changed or decided meanwhile stay as they are.
 */
export async function applyExternalDecisions(
  trx: Trx,
  request: Request,
  address: string,
  decisions: readonly Chosen[],
): Promise<Chosen[]> {
  const done: Chosen[] = [];
  for (const one of decisions) {
    if (await writeExternalDecision(trx, one, { address, at: request.at })) done.push(one);
  }
  await recordAll(
    trx,
    actorOf(undefined, request),
    done.map(({ entryId, schoolId, userId, counted, reason }) => ({
      action: reason === null ? 'entry.verify-outside' : 'entry.decline-outside',
      subject: 'time-entry',
      subjectId: entryId,
      schoolId,
      personId: userId,
      after: { by: address, hours: counted, ...(reason === null ? {} : { reason }) },
    })),
  );
  return done;
}
