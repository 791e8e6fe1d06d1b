import type { QueryClient } from '@tanstack/react-query';
import type { ComponentProps, ComponentType } from 'react';
import { isRejected } from '#web/api/call.ts';
import { useIsIdle } from '#web/api/network-idle.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

// The offline code is not part of the first load; it loads after the first data.
type Session = typeof import('./offline-session.tsx');
let session: Session | undefined;
const load = async () => {
  session = await import('./offline-session.tsx');
  return session;
};

/** A notice while there is no connection. */
export const Signal = later<ComponentProps<Session['Signal']>>(async () => (await load()).Signal);

/** Stores hours while there is no connection, and shows pending ones. */
export const Offline = later<ComponentProps<Session['Offline']>>(async () => (await load()).Offline);

/** Shows how many pending hours the total does not include yet. */
export const PendingHoursNote = later(async () => (await load()).PendingHoursNote);

/** The section of Account Settings about stored data on this device. */
export const StoredOnDevice = later(async () => (await load()).StoredOnDevice);

function later<Props extends object>(get: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazyScreen(get);
  return (props) => useIsIdle() && <Loaded {...props} />;
}

/** Signs out, but asks first if there are pending changes. */
export function signOut(onLogout: () => void): void {
  if (session === undefined) onLogout();
  else session.signOutBy(onLogout);
}

/**
 * Starts storing hours if a request at the start gets no response. If it is the profile request, also shows this
 * device's cached lists of the session.
 */
export function showCachedDataWhenOffline(client: QueryClient, token: string): void {
  const stop = client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
    // Public queries are excluded: lazily loaded code that fails here retries by itself.
    if (queryKey[0] === 'public' || state.fetchFailureCount === 0 || isRejected(state.fetchFailureReason))
      return;
    // The screen must not be blank for as long as requests are retried.
    void load().catch(() => undefined);
    if (queryKey[0] !== 'profile') return;
    stop();
    void load().then(({ showCachedData }) => showCachedData(client, token));
  });
}
