import { useSyncExternalStore } from 'react';

// From this width on, the admin rail is shown beside the screen: Tailwind's `lg`.
const WIDE = '(min-width: 64rem)';

/** Whether the window is wide enough for two columns. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
