import { type Terms, termsOf } from '#features/activities/server/actions.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { recordAll } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isStopped } from '#server/email/unsubscribed-address-store.ts';
import { type Acting, actorOf, canAt, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { refuse } from '#shared/errors.ts';
import { messages } from '../contract.ts';
import { verificationMessages } from '../verification-contract.ts';
import {
  lastNamedVerifier,
  lockEntriesWithSameVerifier,
  type OutsideDecision,
  setExternalVerifier,
  writeExternalDecision,
} from './external-verifiers-store.ts';
import { findAndLockEntry } from './store.ts';

type Hours = Readonly<{ userId: number; schoolId: number; activityId: number; terms: Terms }>;

/**
 * The supervisor outside who is to verify hours, as the volunteer names them or named them last for this activity; null
 * where the activity has its own, or no supervisor. 400 when a volunteer names nobody, an address that they have or ever
 * had, or somebody who wants no letters.
 */
export async function findExternalVerifier(
  trx: Trx,
  viewer: Viewer,
  { userId, schoolId, activityId, terms }: Hours,
  given: string | null | undefined,
): Promise<string | null> {
  if (!terms.school.isVerifying || terms.verifiedBy !== 'outside' || terms.outsideVerifier !== null) {
    return null;
  }
  const named = given ?? (await lastNamedVerifier(trx, userId, activityId));
  if (named === null && userId === viewer.userId && !canAt(viewer, 'edit entries', schoolId)) {
    throw refuseVerifier(verificationMessages.verifierNeeded);
  }
  if (named !== null && (await ownAddresses(trx, [userId]))(userId, named)) {
    throw refuseVerifier(verificationMessages.verifierIsYou);
  }
  if (named !== null && (await isStopped(trx, named))) throw refuseVerifier(verificationMessages.askedNotTo);
  return named;
}

function refuseVerifier(message: Parameters<typeof refuse.invalid>[0]) {
  return refuse.invalid(message, { outsideVerifier: message });
}

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
    const message = translate(deps, verificationMessages.supervisorChanged(named));
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
