import type { Db } from '#server/db/database.ts';
import { stoppedAmong } from '#server/email/unsubscribed-address-store.ts';
import { OWN_REQUESTS, type OwnVerifierRequest, type VerifierRequest } from '../request-contract.ts';
import { findOwnPendingVerifications, findVerifierEmailsAbout } from './store.ts';

/** What became of asking somebody outside about entries, by id; those of whom nobody was asked are left out. */
export async function askedOutside(
  db: Db,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, VerifierRequest>> {
  const rows = await findVerifierEmailsAbout(db, entryIds);
  const stopped = await stoppedAmong(
    db,
    rows.map(({ address }) => address),
  );
  const found = new Map<number, VerifierRequest>();
  for (const { entryId, address: to, madeAt: at, hasFailed } of rows) {
    if (stopped.has(to)) found.set(entryId, { to, at, state: 'stopped' });
    else if (at !== null) found.set(entryId, { to, at, state: hasFailed ? 'failed' : 'sent' });
  }
  return found;
}

/** Who was asked, or will be, about somebody's own waiting entries, the newest first. */
export async function ownAsked(db: Db, userId: number): Promise<{ asked: OwnVerifierRequest[] }> {
  const asking = await findOwnPendingVerifications(db, userId, OWN_REQUESTS.entries);
  const found = await askedOutside(
    db,
    asking.map(({ entryId }) => entryId),
  );
  const asked = asking.map(({ entryId, address: to, fixed }) => ({
    ...(found.get(entryId) ?? { to, at: null, state: 'later' as const }),
    entryId,
    isNamedHere: fixed === null,
  }));
  return { asked };
}
