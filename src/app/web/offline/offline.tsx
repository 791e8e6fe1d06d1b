import type { QueryClient } from '@tanstack/react-query';
import type { ComponentProps, ComponentType } from 'react';
import { isRejected } from '#web/api/call.ts';
import { useIsIdle } from '#web/api/network-idle.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

// What keeps hours while there is no signal is no part of the first load, and comes after its data.
type Session = typeof import('./offline-session.tsx');
let session: Session | undefined;
const load = async () => {
  session = await import('./offline-session.tsx');
  return session;
};

/** Says that there is no signal. */
export const Signal = later<ComponentProps<Session['Signal']>>(async () => (await load()).Signal);

/** Keeps hours while there is no signal, and shows those that wait. */
export const Offline = later<ComponentProps<Session['Offline']>>(async () => (await load()).Offline);

/** Says which hours that wait are not counted yet. */
export const NotCounted = later(async () => (await load()).NotCounted);

/** The section of Account Settings about what is kept here. */
export const OnThisDevice = later(async () => (await load()).OnThisDevice);

function later<Props extends object>(get: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazyScreen(get);
  return (props) => useIsIdle() && <Loaded {...props} />;
}

/** Signs out; asks first when hours wait. */
export function signOut(onLogout: () => void): void {
  if (session === undefined) onLogout();
  else session.signOutBy(onLogout);
}

/**
 * When something gets no answer at the start, keeps hours from then on; when it is the profile, also shows the lists that
 * this device keeps of the session.
 */
export function showCachedDataWhenOffline(client: QueryClient, token: string): void {
  const stop = client.getQueryCache().subscribe(({ query: { queryKey, state } }) => {
    // Parts are public: the one that fails here would ask for itself.
    if (queryKey[0] === 'public' || state.fetchFailureCount === 0 || isRejected(state.fetchFailureReason))
      return;
    // The screen may not stand for as long as things are tried again.
    void load().catch(() => undefined);
    if (queryKey[0] !== 'profile') return;
    stop();
    void load().then(({ showKept }) => showKept(client, token));
  });
}
