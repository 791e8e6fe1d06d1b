import type { QueryClient } from '@tanstack/react-query';
import { isRefusal } from '#web/lib/call.ts';
import { usePart } from '#web/lib/use-part.ts';

/** The longest wait for a quiet moment. */
const PATIENCE_MS = 2_000;

/** What keeps hours while there is no signal. It is loaded once the first screen stands. */
export function useOfflinePart() {
  return usePart('offline', load).data;
}

/** When the profile gets no answer at the start, shows the lists that this device keeps of the session. */
export function showKeptWhenLost(client: QueryClient, token: string): void {
  const stop = client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
    if (queryKey[0] !== 'profile' || state.fetchFailureCount === 0 || isRefusal(state.fetchFailureReason))
      return;
    stop();
    void import('./offline-part.tsx').then(({ showKept }) => showKept(client, token));
  });
}

async function load() {
  await new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: PATIENCE_MS });
    else setTimeout(resolve, PATIENCE_MS / 4);
  });
  return import('./offline-part.tsx');
}
