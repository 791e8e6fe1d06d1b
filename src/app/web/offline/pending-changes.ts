import { isHours } from '#features/time-entries/web/offline-hours.ts';
import type { Waiting } from '#web/offline/pending-changes.ts';
import type { OfflineSession } from './offline-data.ts';

type Change = Partial<Pick<Waiting, 'what' | 'isEdited' | 'refusal'>>;

/** Changes something that waits, and tries to send it. */
export async function storeChange(
  session: OfflineSession,
  id: string | undefined,
  change: Change,
): Promise<void> {
  if (id === undefined) return;
  const store = await session.store;
  await store?.change(id, change);
  await session.changed();
}

export function removePending(session: OfflineSession, waiting: Waiting | undefined): Promise<void> {
  return session.store.then(async (store) => {
    if (waiting !== undefined) await store?.remove(waiting.id);
    await session.changed();
  });
}

/** Sends what was refused once more: what stood in the way may be gone. */
export function retryRejected(session: OfflineSession, { id }: Waiting): Promise<void> {
  return storeChange(session, id, { refusal: undefined });
}

/** Sends what was asked about. */
export function sendAnyway(session: OfflineSession, waiting: Waiting): Promise<void> {
  const sure = isHours(waiting) ? { what: { ...waiting.what, isSure: true } } : {};
  return storeChange(session, waiting.id, { ...sure, refusal: undefined });
}
