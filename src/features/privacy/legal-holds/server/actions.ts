import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { type LegalHold, type listHolds, messages, type NewHold } from '../../retention/contract.ts';
import { findHold, insertHold, isHoldSubjectPresent, markHoldLifted, pageOfHolds } from './store.ts';

const LIST = 'legal-holds';

/** Returns a page of legal holds, latest first. */
export async function listLegalHolds(deps: Deps, query: QueryOf<typeof listHolds>) {
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfHolds(deps.database.db, page),
    keyOf: ({ id }) => [id],
  });
  return { holds: rows, nextCursor };
}

/** Places a legal hold. Throws 409 if the person or school already has one, 400 if it does not exist. */
export async function placeLegalHold(trx: Trx, deps: Deps, { viewer, request }: Acting, hold: NewHold) {
  const [userId, schoolId] = [hold.userId ?? null, hold.schoolId ?? null];
  // Inserted before the check, because the insert waits for running deletions, and they wait for nothing that this transaction
  // locks.
  const id = await insertHold(trx, {
    userId,
    schoolId,
    reason: hold.reason,
    by: viewer.userId,
    at: request.at,
  }).catch((error: unknown) => {
    if (databaseFailure(error) === 'unique') throw errors.conflict(messages.heldAlready);
    throw error;
  });
  if (!(await isHoldSubjectPresent(trx, { userId, schoolId }))) {
    throw userId === null
      ? errors.invalid(messages.schoolGone, { schoolId: messages.schoolGone })
      : errors.invalid(messages.personGone, { userId: messages.personGone });
  }
  await recordHoldEvent(trx, { viewer, request }, 'hold.place', await requireHold(trx, id));
  return { hold: await requireHold(trx, id), message: translate(deps, messages.placed) };
}

/** Lifts a legal hold. Throws 404 if there is none, 409 if it was already lifted. */
export function liftLegalHold(deps: Deps, { viewer, request }: Acting, id: number) {
  return transaction(deps.database, async (trx) => {
    const hold = await requireHold(trx, id);
    if (!(await markHoldLifted(trx, id, { by: viewer.userId, at: request.at }))) {
      throw errors.conflict(messages.liftedAlready);
    }
    await recordHoldEvent(trx, { viewer, request }, 'hold.lift', hold);
    return { hold: await requireHold(trx, id), message: translate(deps, messages.lifted) };
  });
}

async function requireHold(trx: Trx, id: number): Promise<LegalHold> {
  const hold = await findHold(trx, id);
  if (hold === undefined) throw errors.notFound(messages.holdNotFound);
  return hold;
}

// The event is not recorded as one about the person, because their data export would reveal it. It omits the reason, which is
// stored with the hold.
function recordHoldEvent(
  trx: Trx,
  { viewer, request }: Acting,
  action: 'hold.place' | 'hold.lift',
  hold: LegalHold,
): Promise<void> {
  const about = { userId: hold.person?.id, schoolId: hold.school?.id };
  return recordEvent(trx, actorOf(viewer, request), {
    action,
    subject: 'legal-hold',
    subjectId: hold.id,
    ...(action === 'hold.place' ? { after: about } : { before: about }),
  });
}
