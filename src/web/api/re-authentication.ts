import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage.ts';
import { onSessionEnd } from './session.ts';

const GIVEN = 'proofGiven';
const listeners = new Set<() => void>();
let asked: Readonly<{ given: Promise<boolean>; settle: (isGiven: boolean) => void }> | undefined;

/** Asks the user to authenticate again. Resolves to false if they cancel. Concurrent calls share one prompt. */
export function requestRecentAuth(): Promise<boolean> {
  if (asked !== undefined) return asked.given;
  let settle: (isGiven: boolean) => void = () => {};
  const given = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  change({ given, settle });
  return given;
}

/** Resolves all waiting calls. A success also counts in this browser's other tabs. */
export function resolveRecentAuth(isGiven: boolean): void {
  if (isGiven) writeStored(GIVEN, readStored(GIVEN) === '1' ? '2' : '1');
  settle(isGiven);
}

/** Subscribes to requests to authenticate again. Returns the unsubscribe function. */
export function onRecentAuthRequested(listener: () => void): () => void {
  const notice = () => {
    if (asked !== undefined) listener();
  };
  listeners.add(notice);
  return () => listeners.delete(notice);
}

/** Whether the user is being asked to authenticate again. */
export function useRecentAuthRequested(): boolean {
  return useSyncExternalStore(subscribe, () => asked !== undefined);
}

function settle(isGiven: boolean): void {
  const was = asked;
  change(undefined);
  was?.settle(isGiven);
}

function change(next: typeof asked): void {
  asked = next;
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
