import type { Deps } from '#server/deps.ts';

const LOOK_EVERY_MS = 500;

type Turns = {
  isStopping: boolean;
  nudges: number;
  resting: Set<() => void>;
  waiting: Set<() => void>;
};

const turns = new WeakMap<Deps, Turns>();

/** Has this process look for work at once, rather than at its next look. */
export function nudge(deps: Deps): void {
  const here = turnsOf(deps);
  here.nudges += 1;
  for (const wake of here.resting) wake();
}

/** How many times this process was nudged: whoever rests says what it knew of. */
export function nudgesOf(deps: Deps): number {
  return turnsOf(deps).nudges;
}

/** Rests for so many milliseconds, until a signal, or until a nudge that is later than those `known`. */
export async function rest(
  deps: Deps,
  { milliseconds, known, signal }: { milliseconds: number; known: number; signal: AbortSignal },
): Promise<void> {
  const here = turnsOf(deps);
  if (here.nudges !== known || signal.aborted) return;
  await pauseIn(here.resting, milliseconds, signal);
}

/** Tells whoever waits in this process that some work is done. */
export function tellDone(deps: Deps): void {
  for (const look of turnsOf(deps).waiting) look();
}

/** Waits until some work is done in this process, or a moment: it may be done in another. Whether this one is to end. */
export async function stopping(deps: Deps): Promise<boolean> {
  const here = turnsOf(deps);
  if (!here.isStopping) await pauseIn(here.waiting, LOOK_EVERY_MS);
  return here.isStopping;
}

/** Lets nobody wait any longer, since this process is about to end. */
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
