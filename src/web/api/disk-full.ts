import { useSyncExternalStore } from 'react';
import { STORAGE_HEADER } from '#shared/endpoint.ts';

let isFull = false;
const listeners = new Set<() => void>();

/** Reads from a response whether the server's disk is full. */
export function noteStorage(response: Response): void {
  const next = response.headers.get(STORAGE_HEADER) === 'full';
  if (next === isFull) return;
  isFull = next;
  for (const listener of listeners) listener();
}

/** Whether the server's disk is full, according to the latest response. */
export function useDiskFull(): boolean {
  return useSyncExternalStore(subscribe, () => isFull);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
