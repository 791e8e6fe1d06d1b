import type { Deps } from '#server/deps.ts';

const LOOK_EVERY_MS = 500;

type Turns = {
  isStopping: boolean;
  nudges: number;
  resting: Set<() => void>;
  waiting: Set<() => void>;
};

const turns = new WeakMap<Deps, Turns>();

/** Wakes the worker of this process at once. */
export function nudge(deps: Deps): void {
  const here = turnsOf(deps);
  here.nudges += 1;
  for (const wake of here.resting) wake();
}

/**
 * How many times this process was woken. A worker passes the count it saw, so that a wake-up just before it rests is
 * not lost.
 */
export function nudgesOf(deps: Deps): number {
  return turnsOf(deps).nudges;
}

/** Rests for some milliseconds, until a signal, or until a wake-up after the `known` ones. */
export async function rest(
  deps: Deps,
  { milliseconds, known, signal }: { milliseconds: number; known: number; signal: AbortSignal },
): Promise<void> {
  const here = turnsOf(deps);
  if (here.nudges !== known || signal.aborted) return;
  await pauseIn(here.resting, milliseconds, signal);
}

/** Tells the waiting calls of this process that some work is done. */
export function tellDone(deps: Deps): void {
  for (const look of turnsOf(deps).waiting) look();
}

/**
 * Waits until this process has done some work, or for a moment, since another process may do it. True when this
 * process is ending.
 */
export async function stopping(deps: Deps): Promise<boolean> {
  const here = turnsOf(deps);
  if (!here.isStopping) await pauseIn(here.waiting, LOOK_EVERY_MS);
  return here.isStopping;
}

/** Ends every wait, because this process is about to end. */
export function stopWaiting(deps: Deps): void {
  turnsOf(deps).isStopping = true;
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

function turnsOf(deps: Deps): Turns {
  const known = turns.get(deps) ?? {
    isStopping: false,
    nudges: 0,
    resting: new Set(),
    waiting: new Set(),
  };
  turns.set(deps, known);
  return known;
}
