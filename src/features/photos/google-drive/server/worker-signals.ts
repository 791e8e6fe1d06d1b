import type { Deps } from '#server/deps.ts';
import { serverSingleton } from '#server/process/server-singleton.ts';

const LOOK_EVERY_MS = 500;

const signalsOf = serverSingleton(() => ({
  isStopping: false,
  wakeUps: 0,
  resting: new Set<() => void>(),
  waiting: new Set<() => void>(),
}));

/** Wakes the worker of this process. */
export function wakeWorker(deps: Deps): void {
  const here = signalsOf(deps);
  here.wakeUps += 1;
  for (const wake of here.resting) wake();
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
  const here = signalsOf(deps);
  if (here.wakeUps !== known || signal.aborted) return;
  await pauseIn(here.resting, milliseconds, signal);
}

/** Notifies the waiting calls of this process that some work is done. */
export function tellDone(deps: Deps): void {
  for (const look of signalsOf(deps).waiting) look();
}

/**
 * Waits until this process has done some work, or for a moment, since another process may do it. True when this
 * process is ending.
 */
export async function stopping(deps: Deps): Promise<boolean> {
  const here = signalsOf(deps);
  if (!here.isStopping) await pauseIn(here.waiting, LOOK_EVERY_MS);
  return here.isStopping;
}

/** Ends every wait, because this process is about to end. */
export function stopWaiting(deps: Deps): void {
  signalsOf(deps).isStopping = true;
  tellDone(deps);
}

function pauseIn(ends: Set<() => void>, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      ends.delete(end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    ends.add(end);
    signal?.addEventListener('abort', end);
  });
}
