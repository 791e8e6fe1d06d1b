import { useState } from 'react';
import { storedNavigation, storeNavigation } from './stored-navigation.ts';
import { useBackSteps } from './use-back-closes.ts';

type Trail<Place> = readonly [Place, ...Place[]];

/** Calls `go` once no unsaved input would be lost. */
type Guard<Place> = (from: Place, to: Place, go: () => void) => void;

/**
 * The current screen and the previous ones, without repeats. Back goes to the previous one, and a reload stays on the
 * current one. None of this is in the URL (specification section 2).
 */
export function useHistorySteps<Place extends string>(
  atFirst: Trail<Place>,
  isPlace: (text: string) => text is Place,
  guard: Guard<Place>,
) {
  const [first] = atFirst;
  const [trail, setTrail] = useState<Trail<Place>>(() => {
    // A link or shortcut decides the first screen, whatever was open before.
    const initial = (atFirst.length > 1 ? undefined : storedTrail(isPlace)) ?? atFirst;
    storeNavigation(initial);
    return initial;
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
    /** Goes to the last matching screen, or else to the first one. */
    backTo: (isWanted: (place: Place) => boolean) => follow(trail.filter(isWanted)),
    back,
  } as const;
}

function storedTrail<Place extends string>(
  isPlace: (text: string) => text is Place,
): Trail<Place> | undefined {
  const [start, ...rest] = storedNavigation().filter(isPlace);
  return start === undefined ? undefined : [start, ...rest];
}
