import { useSyncExternalStore } from 'react';

// Where the administrators' rail stands beside the screen: Tailwind's `lg`.
const WIDE = '(min-width: 64rem)';

/** Whether the window is wide enough for two things side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
