import type { QueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { isRefusal } from '#web/lib/call.ts';
import { partOf, usePart, useStands } from '#web/lib/use-part.ts';

/** What keeps hours while there is no signal. It is no part of the first load, and comes after its data. */
export function useOfflinePart() {
  return usePart('offline', load, useStands()).data;
}

type Part = Awaited<ReturnType<typeof load>>;

// Each of these is drawn by itself when the part comes, and not the screen around it.

/** Says that there is no signal. */
export function Signal(props: ComponentProps<Part['Signal']>) {
  const part = useOfflinePart();
  return part && <part.Signal {...props} />;
}

/** Keeps hours while there is no signal, and shows those that wait. */
export function Offline(props: ComponentProps<Part['Offline']>) {
  const part = useOfflinePart();
  return part && <part.Offline {...props} />;
}

/** Says which hours that wait are not counted yet. */
export function NotCounted() {
  const part = useOfflinePart();
  return part && <part.NotCounted />;
}

/** Signs out; asks first when hours wait. */
export function signOut(client: QueryClient, onLogout: () => void): void {
  const part = client.getQueryData(partOf('offline', load).queryKey);
  if (part === undefined) onLogout();
  else part.signOutBy(onLogout);
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
