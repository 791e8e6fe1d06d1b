import type { QueryClient } from '@tanstack/react-query';
import { isRefusal } from '#web/lib/call.ts';
import { usePart } from '#web/lib/use-part.ts';

/** What keeps hours while there is no signal. It is no part of the first load. */
export function useOfflinePart() {
  return usePart('offline', load).data;
}

/** When the profile gets no answer at the start, shows the lists that this device keeps of the session. */
export function showKeptWhenLost(client: QueryClient, token: string): void {
  const stop = client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
    if (queryKey[0] !== 'profile' || state.fetchFailureCount === 0 || isRefusal(state.fetchFailureReason))
      return;
    stop();
    void load().then(({ showKept }) => showKept(client, token));
  });
}

const load = () => import('./offline-part.tsx');
