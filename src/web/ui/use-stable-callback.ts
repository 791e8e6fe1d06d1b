import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same and does what `act` does in the latest render: for events only, not while rendering. */
export function useStable<Given extends unknown[], Result>(act: (...given: Given) => Result) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
