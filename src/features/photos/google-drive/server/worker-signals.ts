import type { Deps } from '#server/deps.ts';
import { serverSingleton } from '#server/process/server-singleton.ts';

const POLL_MS = 500;

const signalsOf = serverSingleton(() => ({
  isStopping: false,
  wakeUps: 0,
  resting: new Set<() => void>(),
  waiting: new Set<() => void>(),
}));

/** Wakes the worker of this process. */
export function wakeWorker(deps: Deps): void {
  const signals = signalsOf(deps);
  signals.wakeUps += 1;
  for (const wake of signals.resting) wake();
}

/**
 * How many times this process was woken. A worker passes the count it read, so that a wake-up just before it rests is
 * not lost.
 */
export function countWakeUps(deps: Deps): number {
  return signalsOf(deps).wakeUps;
}

/** Rests for some milliseconds, until a signal, or until a wake-up after the `known` ones. */
export async function rest(
  deps: Deps,
  { milliseconds, known, signal }: { milliseconds: number; known: number; signal: AbortSignal },
): Promise<void> {
  const signals = signalsOf(deps);
  if (signals.wakeUps !== known || signal.aborted) return;
  await waitIn(signals.resting, milliseconds, signal);
}

/** Notifies the waiting calls of this process that some work is done. */
export function notifyDone(deps: Deps): void {
  for (const resume of signalsOf(deps).waiting) resume();
}

/**
 * Waits until this process has done some work, or for a moment, since another process may do it. True when this
 * process is ending.
 */
export async function waitForWork(deps: Deps): Promise<boolean> {
  const signals = signalsOf(deps);
  if (!signals.isStopping) await waitIn(signals.waiting, POLL_MS);
  return signals.isStopping;
}

/** Ends every wait, because this process is about to end. */
export function stopWaiting(deps: Deps): void {
  signalsOf(deps).isStopping = true;
  notifyDone(deps);
}

function waitIn(waiters: Set<() => void>, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      waiters.delete(end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    waiters.add(end);
    signal?.addEventListener('abort', end);
  });
}
