import { CallError } from '../api/call.ts';
import { isUnanswered } from '../api/unanswered.ts';
import type { Store } from './offline-storage.ts';
import { ConfirmationNeeded, type PendingChange } from './pending-changes.ts';

/**
 * Sends one change; throws a CallError or ConfirmationNeeded. It calls `trying` before the request that stores something, so a
 * lost response is remembered.
 */
export type Send = (
  waiting: PendingChange,
  trying: () => Promise<void>,
  file: Blob | undefined,
) => Promise<void>;

/**
 * 'all': nothing is left to send; 'later': some must wait; 'ended': the session has ended; 'elsewhere': another tab is
 * sending.
 */
export type Sent = Readonly<{
  outcome: 'all' | 'later' | 'ended' | 'elsewhere';
  count: number;
  rejected: number;
}>;

/**
 * Sends pending changes in order, in one tab at a time. Rejected ones are stored with the server's message; those
 * without a response stay pending. `onStep` is called with the one being sent and after every change.
 */
export async function sendPendingChanges(
  store: Store,
  send: Send,
  onStep: (sendingId: string | undefined) => Promise<void>,
): Promise<Sent> {
  return navigator.locks.request(`kept-send-${store.account}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return { outcome: 'elsewhere', count: 0, rejected: 0 };
    let [count, rejected, isLeft] = [0, 0, false];
    for (const { id } of (await store.all()).filter(({ refusal }) => refusal === undefined)) {
      // It was changed or removed meanwhile.
      const waiting = (await store.all()).find((one) => one.id === id && one.refusal === undefined);
      if (waiting === undefined) continue;
      await onStep(id);
      const result = await sendOne(store, waiting, send);
      await onStep(undefined);
      if (result === 'ended' || result === 'no answer') {
        return { outcome: result === 'ended' ? 'ended' : 'later', count, rejected };
      }
      if (result === 'sent') count += 1;
      if (result === 'rejected') rejected += 1;
      isLeft ||= result === 'failed';
    }
    return { outcome: isLeft ? 'later' : 'all', count, rejected };
  });
}

async function sendOne(store: Store, waiting: PendingChange, send: Send) {
  const { id } = waiting;
  try {
    const file = waiting.kind === 'photo' ? await store.file(id) : undefined;
    await send(waiting, () => store.change(id, { isTried: true }), file);
    await store.remove(id);
    return 'sent';
  } catch (error) {
    if (error instanceof ConfirmationNeeded) {
      await store.change(id, { refusal: { said: error.message, isQuestion: true } });
      return 'rejected';
    }
    if (isUnanswered(error)) return 'no answer';
    if (!(error instanceof CallError)) throw error;
    const { status } = error;
    if (status === 401) return 'ended';
    if (status === 429 || status === 503) return 'no answer';
    // A change that makes the server fail must not block the others.
    if (status >= 500 || !error.isReadable) return 'failed';
    await store.change(id, { refusal: { said: error.message, isQuestion: false } });
    return 'rejected';
  }
}
