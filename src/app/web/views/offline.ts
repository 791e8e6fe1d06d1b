import type { QueryClient } from '@tanstack/react-query';
import { isRefusal } from '#web/lib/call.ts';
import { partOf, usePart, useStands } from '#web/lib/use-part.ts';

/** What keeps hours while there is no signal. It is no part of the first load, and comes after its data. */
export function useOfflinePart() {
  return usePart('offline', load, useStands()).data;
}

/**
 * When something gets no answer at the start, keeps hours from then on; when it is the profile, also shows the lists that
 * this device keeps of the session.
 */
export function showKeptWhenLost(client: QueryClient, token: string): void {
  const stop = client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
    // Parts are public: the one that fails here would ask for itself.
    if (queryKey[0] === 'public' || state.fetchFailureCount === 0 || isRefusal(state.fetchFailureReason))
      return;
    // The screen may not stand for as long as things are tried again.
    void client.prefetchQuery(partOf('offline', load));
    if (queryKey[0] !== 'profile') return;
    stop();
    void load().then(({ showKept }) => showKept(client, token));
  });
}

const load = () => import('./offline-part.tsx');
