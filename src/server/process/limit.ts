/** Concurrency and queue limits, in total and per key, and the longest wait in milliseconds. */
export type Limits = Readonly<{
  atOnce: number;
  atOnceEach?: number;
  waiting: number;
  waitingEach?: number;
  waitMs: number;
}>;

/** Limits how much work runs concurrently and how much may queue. */
export type Limit = Readonly<{
  /**
   * Runs `work` once a slot is free. `key` identifies the requester, such as a network. Throws the error from `createError` if
   * the queue is full, the wait was too long, or `gone` aborted before the start.
   */
  run: <Result>(key: string, work: () => Promise<Result>, gone?: AbortSignal) => Promise<Result>;
}>;

type QueuedJob = Readonly<{ start: () => void; reject: () => void }>;

// Long because the queue, the turns and the eviction rule share state.
/**
 * Keys take turns, so a key with a hundred jobs does not starve the others. When the queue is full, the last job of the key
 * with the most jobs is rejected, which may be the new job. `createError` receives whether only this key exceeded its share.
 */
export function openLimit(
  { atOnce, atOnceEach = atOnce, waiting, waitingEach = waiting, waitMs }: Limits,
  createError: (isOwn: boolean) => Error,
): Limit {
  const running = new Map<string, number>();
  let runningInAll = 0;
  // In turn order: a key moves to the end after each turn.
  const queues = new Map<string, readonly QueuedJob[]>();

  const mayRun = (key: string) => runningInAll < atOnce && (running.get(key) ?? 0) < atOnceEach;
  const count = (key: string, by: 1 | -1) => {
    const now = (running.get(key) ?? 0) + by;
    if (now === 0) running.delete(key);
    else running.set(key, now);
    runningInAll += by;
  };
  const setQueue = (key: string, queue: readonly QueuedJob[]) => {
    if (queue.length === 0) queues.delete(key);
    else queues.set(key, queue);
  };

  const evictFor = (key: string) => {
    const all = [...queues.values()];
    if (all.reduce((sum, queue) => sum + queue.length, 0) < waiting) return;
    const longest = all.reduce((most, queue) => (queue.length > most.length ? queue : most), []);
    if ((queues.get(key)?.length ?? 0) + 1 >= longest.length) throw createError(false);
    longest.at(-1)?.reject();
  };

  const waitForSlot = (key: string, gone: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', one.reject);
        setQueue(
          key,
          (queues.get(key) ?? []).filter((other) => other !== one),
        );
      };
      const one: QueuedJob = {
        start: () => {
          leave();
          count(key, 1);
          resolve();
        },
        reject: () => {
          leave();
          reject(createError(false));
        },
      };
      const timer = setTimeout(one.reject, waitMs);
      gone?.addEventListener('abort', one.reject);
      setQueue(key, [...(queues.get(key) ?? []), one]);
    });

  const startNext = () => {
    const [key = '', [next] = []] = [...queues].find(([one]) => mayRun(one)) ?? [];
    if (next === undefined) return;
    next.start();
    const rest = queues.get(key) ?? [];
    queues.delete(key);
    setQueue(key, rest);
  };

  return {
    run: async (key, work, gone) => {
      if (gone?.aborted === true) throw createError(false);
      if (mayRun(key)) count(key, 1);
      else {
        if ((queues.get(key)?.length ?? 0) >= waitingEach) throw createError(true);
        evictFor(key);
        await waitForSlot(key, gone);
      }
      try {
        return await work();
      } finally {
        count(key, -1);
        startNext();
      }
    },
  };
}
