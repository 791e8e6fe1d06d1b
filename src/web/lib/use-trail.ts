import { useState } from 'react';
import { useBackSteps } from './use-back-closes.ts';

const STORED = 'trail';

type Trail<Place> = readonly [Place, ...Place[]];

/** Calls back with what a step leads to, once nothing that is begun would be lost. */
type Guard<Place> = (from: Place, to: Place, go: () => void) => void;

/**
 * Where a person is and was before, each place once. Back goes to the place before; a reload stays where it is. Nothing
 * of this stands in the address (specification section 2).
 */
export function useTrail<Place extends string>(
  first: Place,
  isPlace: (text: string) => text is Place,
  guard: Guard<Place>,
) {
  const [trail, setTrail] = useState<Trail<Place>>(() => keptTrail(isPlace) ?? [first]);
  const place = trail.at(-1) ?? first;

  function follow(next: readonly Place[], then?: () => void) {
    const [start = first, ...rest] = next;
    const to = rest.at(-1) ?? start;
    guard(place, to, () => {
      keep([start, ...rest]);
      setTrail([start, ...rest]);
      then?.();
    });
  }
  const back = () => follow(trail.slice(0, -1));
  useBackSteps(trail.length - 1, back, 'place');

  return {
    place,
    /** `then` runs in the same step, once nothing keeps the person here. */
    go: (to: Place, then?: () => void) => follow([...trail.filter((other) => other !== to), to], then),
    /** To the last of certain places, or else to the first of all. */
    backTo: (isWanted: (place: Place) => boolean) => follow(trail.filter(isWanted)),
    back,
  } as const;
}

/** The next person on this computer begins at the beginning. */
export function forgetTrail(): void {
  keep(undefined);
}

function keep(trail: readonly string[] | undefined): void {
  try {
    if (trail === undefined) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, JSON.stringify(trail));
  } catch {
    // Storage is switched off: a reload begins at the beginning.
  }
}

function keptTrail<Place extends string>(isPlace: (text: string) => text is Place): Trail<Place> | undefined {
  // Whoever opens the product anew, from a bookmark or by its address, wants to log hours.
  const [visit] = performance.getEntriesByType?.('navigation') ?? [];
  if ((visit as PerformanceNavigationTiming | undefined)?.type === 'navigate') return undefined;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    const places = Array.isArray(kept) ? kept.map(String).filter(isPlace) : [];
    const [start, ...rest] = places;
    return start === undefined ? undefined : [start, ...rest];
  } catch {
    return undefined;
  }
}
