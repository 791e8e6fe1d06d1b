import type { Deps } from '#server/deps.ts';

const LOOK_EVERY_MS = 500;

type Turns = { isStopping: boolean; wake: () => void; waiting: Set<() => void> };

const turns = new WeakMap<Deps, Turns>();

/** Has this process look for work at once, rather than at its next look. */
export function nudge(deps: Deps): void {
  turnsOf(deps).wake();
}

/** Hands in how the work of this process is woken. */
export function wakeWith(deps: Deps, wake: () => void): void {
  turnsOf(deps).wake = wake;
}

/** Tells whoever waits in this process that some work is done. */
export function tellDone(deps: Deps): void {
  for (const look of turnsOf(deps).waiting) look();
}

/** Waits until some work is done in this process, or a moment: it may be done in another. Whether this one is to end. */
export async function stopping(deps: Deps): Promise<boolean> {
  const here = turnsOf(deps);
  if (here.isStopping) return true;
  await new Promise<void>((resolve) => {
    const look = () => {
      clearTimeout(timer);
      here.waiting.delete(look);
      resolve();
    };
    const timer = setTimeout(look, LOOK_EVERY_MS);
    here.waiting.add(look);
  });
  return here.isStopping;
}

/** Lets nobody wait any longer, since this process is about to end. */
export function stopWaiting(deps: Deps): void {
  turnsOf(deps).isStopping = true;
  tellDone(deps);
}

function turnsOf(deps: Deps): Turns {
  const known = turns.get(deps) ?? { isStopping: false, wake: () => undefined, waiting: new Set() };
  turns.set(deps, known);
  return known;
}
