import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage.ts';
import { onSessionEnd } from './session.ts';

const GIVEN = 'proofGiven';
const listeners = new Set<() => void>();
let pending: Readonly<{ result: Promise<boolean>; settle: (isAuthenticated: boolean) => void }> | undefined;

/** Asks the user to authenticate again. Resolves to false if they cancel. Concurrent calls share one prompt. */
export function requestRecentAuth(): Promise<boolean> {
  if (pending !== undefined) return pending.result;
  let settle: (isAuthenticated: boolean) => void = () => {};
  const result = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  change({ result, settle });
  return result;
}

/** Resolves all waiting calls. A success also counts in this browser's other tabs. */
export function resolveRecentAuth(isAuthenticated: boolean): void {
  if (isAuthenticated) writeStored(GIVEN, readStored(GIVEN) === '1' ? '2' : '1');
  settle(isAuthenticated);
}

/** Subscribes to requests to authenticate again. Returns the unsubscribe function. */
export function onRecentAuthRequested(listener: () => void): () => void {
  const notice = () => {
    if (pending !== undefined) listener();
  };
  listeners.add(notice);
  return () => listeners.delete(notice);
}

/** Whether the user is being asked to authenticate again. */
export function useRecentAuthRequested(): boolean {
  return useSyncExternalStore(subscribe, () => pending !== undefined);
}

function settle(isAuthenticated: boolean): void {
  const previous = pending;
  change(undefined);
  previous?.settle(isAuthenticated);
}

function change(next: typeof pending): void {
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const fromElsewhere = ({ key }: StorageEvent) => {
    if (key === GIVEN) settle(true);
  };
  window.addEventListener('storage', fromElsewhere);
  const stopWaiting = onSessionEnd(() => settle(false));
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromElsewhere);
    stopWaiting();
  };
}
