import { useEffect, useState } from 'react';
import { queryClient } from './query-client.ts';

/**
 * The first screen counts as ready after this time without requests, because rendering its data can take one long task.
 */
const QUIET_MS = 200;

let quiet: Promise<void> | undefined;
/** Number of screens being loaded. */
let loading = 0;
let look = () => {};

/** Runs `load`. The first screen does not count as idle until it is done. */
export async function trackLoading<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  loading += 1;
  look();
  try {
    return await load();
  } finally {
    loading -= 1;
    look();
  }
}

/** Resolves once the first screen has its data. Everything that screen doesn't need waits for it. */
export function whenIdle(): Promise<void> {
  quiet ??= new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    look = () => {
      if (loading > 0 || queryClient.isFetching() > 0) {
        clearTimeout(timer);
        timer = undefined;
      } else
        timer ??= setTimeout(() => {
          stop();
          look = () => {};
          resolve();
        }, QUIET_MS);
    };
    const stop = queryClient.getQueryCache().subscribe(() => look());
    look();
  });
  return quiet;
}

/** Whether the first screen has its data. */
export function useIsIdle(): boolean {
  const [isQuiet, setIsQuiet] = useState(false);
  useEffect(() => void whenIdle().then(() => setIsQuiet(true)), []);
  return isQuiet;
}

/** Whether the browser is in data-saver mode. If so, nothing is preloaded. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
