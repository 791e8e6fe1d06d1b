import { startTransition, useEffect, useState } from 'react';

/**
 * How many of a list's rows to draw: `step` at first, then as many more each time that the browser has drawn those, until all
 * are there. Drawn at once, a long list would keep a slow phone from answering a touch.
 */
export function useGrowing(total: number, step: number): number {
  const [drawn, setDrawn] = useState(step);
  useEffect(() => {
    if (drawn >= total) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + step)));
    return () => clearTimeout(timer);
  }, [drawn, total, step]);
  return Math.min(drawn, total);
}
