import { setTimeout } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';

const LOOK_EVERY_MS = 250;

type Turns = { isStopping: boolean; wake: () => void };

const turns = new WeakMap<Deps, Turns>();

/** Has this process look for work at once, rather than at its next look. */
export function nudge(deps: Deps): void {
  turnsOf(deps).wake();
}

/** Hands in how the work of this process is woken. */
export function wakeWith(deps: Deps, wake: () => void): void {
  turnsOf(deps).wake = wake;
}

/** Whether this process is about to end, after a moment's wait. */
export async function stopping(deps: Deps): Promise<boolean> {
  if (!turnsOf(deps).isStopping) await setTimeout(LOOK_EVERY_MS);
  return turnsOf(deps).isStopping;
}

/** Lets nobody wait any longer, since this process is about to end. */
export function stopWaiting(deps: Deps): void {
  turnsOf(deps).isStopping = true;
}

function turnsOf(deps: Deps): Turns {
  const known = turns.get(deps) ?? { isStopping: false, wake: () => undefined };
  turns.set(deps, known);
  return known;
}
