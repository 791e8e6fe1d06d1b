import type { Terms } from '#features/activities/server/actions.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import type { Trx } from '#server/db/database.ts';
import { isStopped } from '#server/email/unsubscribed-address-store.ts';
import { canAt, type Viewer } from '#server/http/viewer.ts';
import { refuse } from '#shared/errors.ts';
import { verificationMessages } from '../verification-contract.ts';
import { lastNamedVerifier } from './external-verifiers-store.ts';

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
