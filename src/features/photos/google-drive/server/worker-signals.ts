import { EventEmitter, once } from 'node:events';
import type { Deps } from '#server/deps.ts';
import { serverSingleton } from '#server/process/server-singleton.ts';

const POLL_MS = 500;

const signalsOf = serverSingleton(() => ({
  events: new EventEmitter().setMaxListeners(0),
  isStopping: false,
}));

/** Wakes the worker of this process. */
export function wakeWorker(deps: Deps): void {
  signalsOf(deps).events.emit('work');
}

/** Waits until the worker is woken, but at most this many milliseconds. */
export async function waitForWakeUp(deps: Deps, milliseconds: number): Promise<void> {
  await waitFor(deps, 'work', milliseconds);
}

/** Notifies the waiting calls of this process that the worker has made progress. */
export function notifyDone(deps: Deps): void {
  signalsOf(deps).events.emit('done');
}

/**
 * Waits until the worker of this process makes progress, but only briefly, since a worker in another process may do the work.
 * Returns true if this process is shutting down.
 */
export async function waitForWork(deps: Deps): Promise<boolean> {
  const signals = signalsOf(deps);
  if (!signals.isStopping) await waitFor(deps, 'done', POLL_MS);
  return signals.isStopping;
}

/** Ends every `waitForWork`, because this process is shutting down. */
export function stopWaiting(deps: Deps): void {
  signalsOf(deps).isStopping = true;
  notifyDone(deps);
}

async function waitFor(deps: Deps, event: 'work' | 'done', milliseconds: number): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  await once(signalsOf(deps).events, event, { signal }).catch(() => undefined);
}
