import { useState } from 'react';
import { storedNavigation, storeNavigation } from './stored-navigation.ts';
import { useBackSteps } from './use-back-closes.ts';

type Trail<Place> = readonly [Place, ...Place[]];

/** Calls `go` to make the step once no unsaved input would be lost. */
type Guard<Place> = (from: Place, to: Place, go: () => void) => void;

/**
 * Where a person is and was before, without repeats: at first in the last of some places. Back goes to the previous place; a reload stays where it is. None
 * of this is in the URL (specification section 2).
 */
export function useHistorySteps<Place extends string>(
  atFirst: Trail<Place>,
  isPlace: (text: string) => text is Place,
  guard: Guard<Place>,
) {
  const [first] = atFirst;
  const [trail, setTrail] = useState<Trail<Place>>(() => {
    // Whoever was led somewhere goes there, wherever they were before.
    const begun = (atFirst.length > 1 ? undefined : keptTrail(isPlace)) ?? atFirst;
    storeNavigation(begun);
    return begun;
  });
  const place = trail.at(-1) ?? first;

  function follow(next: readonly Place[], then?: () => void) {
    const [start = first, ...rest] = next;
    const to = rest.at(-1) ?? start;
    guard(place, to, () => {
      storeNavigation([start, ...rest]);
      setTrail([start, ...rest]);
      then?.();
    });
  }
  const back = () => follow(trail.slice(0, -1));
  useBackSteps(trail.length - 1, back, 'place');

  return {
    place,
    /** `then` runs in the same state update, once the guard allows the step. */
    go: (to: Place, then?: () => void) => follow([...trail.filter((other) => other !== to), to], then),
    /** Goes to the last matching place, or else to the first place of all. */
    backTo: (isWanted: (place: Place) => boolean) => follow(trail.filter(isWanted)),
    back,
  } as const;
}

/** The next person on this computer starts at the first place, and finds nothing that was begun. */
export function clearHistorySteps(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Storage is switched off: nothing is kept.
  }
}

function keptTrail<Place extends string>(isPlace: (text: string) => text is Place): Trail<Place> | undefined {
  const [start, ...rest] = storedNavigation().filter(isPlace);
  return start === undefined ? undefined : [start, ...rest];
}
