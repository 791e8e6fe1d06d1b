import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a stable function that calls the latest `act`. For events only, not while rendering. */
export function useStable<Given extends unknown[], Result>(act: (...given: Given) => Result) {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
