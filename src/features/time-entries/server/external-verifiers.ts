import { findTerms, type Terms } from '#features/activities/server/actions.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { recordEvents } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnsubscribed } from '#server/email/unsubscribed-address-store.ts';
import { type Acting, actorOf, canAt, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { errors } from '#shared/errors.ts';
import { messages } from '../contract.ts';
import { verificationMessages } from '../verification-contract.ts';
import {
  type ExternalDecision,
  findLastNamedVerifier,
  lockEntriesWithSameVerifier,
  setExternalVerifier,
  writeExternalDecision,
} from './external-verifiers-store.ts';
import { findAndLockEntry } from './store.ts';

type Hours = Readonly<{ userId: number; schoolId: number; activityId: number; terms: Terms }>;

/**
 * Returns the external verifier of hours: the given one, or the one the volunteer last named for the activity. Null if
 * volunteers do not name the activity's verifier, or if an administrator logs hours and there is none. Throws 400 if a
 * volunteer must name a verifier, or if the address is a current or former one of the volunteer's, or is unsubscribed.
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
  const named = given ?? (await findLastNamedVerifier(trx, userId, activityId));
  if (named === null && userId === viewer.userId && !canAt(viewer, 'edit entries', schoolId)) {
    throw verifierError(verificationMessages.verifierNeeded);
  }
  if (named !== null && (await ownAddresses(trx, [userId]))(userId, named)) {
    throw verifierError(verificationMessages.verifierIsYou);
  }
  if (named !== null && (await isUnsubscribed(trx, named)))
    throw verifierError(verificationMessages.askedNotTo);
  return named;
}

function verifierError(message: Parameters<typeof errors.invalid>[0]) {
  return errors.invalid(message, { outsideVerifier: message });
}

/**
 * Changes the external verifier of the viewer's own waiting hours, for all entries of the activity that name the same
 * one as this entry.
 */
export function changeSupervisor(
  deps: Deps,
  { viewer, request }: Acting,
  { id, address }: { id: number; address: string },
): Promise<{ entryIds: number[]; message: string }> {
  return transaction(deps.database, async (trx) => {
    const { userId } = viewer;
    const entry = await findAndLockEntry(trx, viewer, { schools: viewer.schools, userId }, id);
    if (entry === undefined) throw errors.notFound(messages.notFound);
    const { activity, activityId, schoolId, verification } = entry;
    if (verification !== null && verification.status !== 'waiting') {
      throw errors.conflict(verificationMessages.locked(entry.school.name));
    }
    const terms = await findTerms(trx, activityId);
    const named = await findExternalVerifier(trx, viewer, { userId, schoolId, activityId, terms }, address);
    if (named === null) throw errors.conflict(verificationMessages.noSupervisor(activity.name));
    const { entryIds, before } = await lockEntriesWithSameVerifier(trx, { id, userId, activityId });
    const message = translate(deps, verificationMessages.supervisorChanged(named));
    if (before === named) return { entryIds: [], message };
    await setExternalVerifier(trx, entryIds, named);
    await recordEvents(
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

/** A decision with the volunteer and school of its entry. */
export type ChosenExternalDecision = ExternalDecision & Readonly<{ schoolId: number; userId: number }>;

/**
 * Applies an external verifier's decisions and audits them with the verifier's address. Returns those that were
 * applied; entries that have since been changed or decided about are skipped.
 */
export async function applyExternalDecisions(
  trx: Trx,
  request: Request,
  address: string,
  decisions: readonly ChosenExternalDecision[],
): Promise<ChosenExternalDecision[]> {
  const done: ChosenExternalDecision[] = [];
  for (const one of decisions) {
    if (await writeExternalDecision(trx, one, { address, at: request.at })) done.push(one);
  }
  await recordEvents(
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
