import { useSyncExternalStore } from 'react';

/** Creates a value outside React, such as one that code without components sets. `useValue` renders again when it changes. */
export function createExternalStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return {
    get,
    set(next: Value): void {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe,
    useValue: (): Value => useSyncExternalStore(subscribe, get),
  } as const;
}
