import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage.ts';
import { createExternalStore } from './external-store.ts';
import { onSessionEnd } from './session.ts';

const GIVEN = 'proofGiven';

type Prompt = Readonly<{ result: Promise<boolean>; settle: (isAuthenticated: boolean) => void }>;

const pending = createExternalStore<Prompt | undefined>(undefined);

/** Asks the user to authenticate again. Resolves to false if they cancel. Concurrent calls share one prompt. */
export function requestRecentAuth(): Promise<boolean> {
  const current = pending.get();
  if (current !== undefined) return current.result;
  let settle: (isAuthenticated: boolean) => void = () => {};
  const result = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  pending.set({ result, settle });
  return result;
}

/** Resolves all waiting calls. A success also counts in this browser's other tabs. */
export function resolveRecentAuth(isAuthenticated: boolean): void {
  if (isAuthenticated) writeStored(GIVEN, readStored(GIVEN) === '1' ? '2' : '1');
  settle(isAuthenticated);
}

/** Subscribes to requests to authenticate again. Returns the unsubscribe function. */
export function onRecentAuthRequested(listener: () => void): () => void {
  return pending.subscribe(() => {
    if (pending.get() !== undefined) listener();
  });
}

/** Whether the user is being asked to authenticate again. */
export function useRecentAuthRequested(): boolean {
  return useSyncExternalStore(subscribe, () => pending.get() !== undefined);
}

function settle(isAuthenticated: boolean): void {
  const previous = pending.get();
  pending.set(undefined);
  previous?.settle(isAuthenticated);
}

function subscribe(listener: () => void): () => void {
  const stopListening = pending.subscribe(listener);
  const fromElsewhere = ({ key }: StorageEvent) => {
    if (key === GIVEN) settle(true);
  };
  window.addEventListener('storage', fromElsewhere);
  const stopWaiting = onSessionEnd(() => settle(false));
  return () => {
    stopListening();
    window.removeEventListener('storage', fromElsewhere);
    stopWaiting();
  };
}
