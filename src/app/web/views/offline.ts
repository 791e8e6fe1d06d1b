import type { QueryClient } from '@tanstack/react-query';
import { isRefusal } from '#web/lib/call.ts';
import { usePart } from '#web/lib/use-part.ts';

/** The first screens have the line for themselves. */
const PAUSE_MS = 500;

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
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return import('./offline-part.tsx');
}
