import { usePart } from '#web/lib/use-part.ts';

/** The longest wait for a quiet moment. */
const PATIENCE_MS = 2_000;

/** What keeps hours while there is no signal. It is loaded once the first screen stands. */
export function useOfflinePart(isWanted = true) {
  return usePart('offline', load, isWanted).data;
}

async function load() {
  await new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: PATIENCE_MS });
    else setTimeout(resolve, PATIENCE_MS / 4);
  });
  return import('./offline-part.tsx');
}
