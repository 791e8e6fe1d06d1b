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
   * Runs `work` once a slot is free. `key` identifies the requester, such as a network. Aborting `gone`
   * removes the job from the queue. Throws the error that `refused` creates when the queue is full or the
   * wait was too long.
   */
  run: <Result>(key: string, work: () => Promise<Result>, gone?: AbortSignal) => Promise<Result>;
}>;

type Waiting = Readonly<{ goOn: () => void; refuse: () => void }>;

// Long because the queue, the turns and the eviction rule share state.
/**
 * Keys take turns, so a key with a hundred jobs does not starve the others. When the queue is full, the last
 * job of the key with the most jobs is rejected. `refused` receives whether only this key exceeded its share.
 */
export function openLimit(
  { atOnce, atOnceEach = atOnce, waiting, waitingEach = waiting, waitMs }: Limits,
  refused: (isOwn: boolean) => Error,
): Limit {
  const running = new Map<string, number>();
  let runningInAll = 0;
  // In turn order: a key moves to the end after each turn.
  const queues = new Map<string, readonly Waiting[]>();

  const mayRun = (key: string) => runningInAll < atOnce && (running.get(key) ?? 0) < atOnceEach;
  const count = (key: string, by: 1 | -1) => {
    const now = (running.get(key) ?? 0) + by;
    if (now === 0) running.delete(key);
    else running.set(key, now);
    runningInAll += by;
  };
  const requeue = (key: string, queue: readonly Waiting[]) => {
    if (queue.length === 0) queues.delete(key);
    else queues.set(key, queue);
  };

  const makeRoomFor = (key: string) => {
    const all = [...queues.values()];
    if (all.reduce((sum, queue) => sum + queue.length, 0) < waiting) return;
    const longest = all.reduce((most, queue) => (queue.length > most.length ? queue : most), []);
    if ((queues.get(key)?.length ?? 0) + 1 >= longest.length) throw refused(false);
    longest.at(-1)?.refuse();
  };

  const turnOf = (key: string, gone: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', one.refuse);
        requeue(
          key,
          (queues.get(key) ?? []).filter((other) => other !== one),
        );
      };
      const one: Waiting = {
        goOn: () => {
          leave();
          count(key, 1);
          resolve();
        },
        refuse: () => {
          leave();
          reject(refused(false));
        },
      };
      const timer = setTimeout(one.refuse, waitMs);
      gone?.addEventListener('abort', one.refuse);
      requeue(key, [...(queues.get(key) ?? []), one]);
    });

  const letNext = () => {
    const [key = '', [next] = []] = [...queues].find(([one]) => mayRun(one)) ?? [];
    if (next === undefined) return;
    next.goOn();
    const rest = queues.get(key) ?? [];
    queues.delete(key);
    requeue(key, rest);
  };

  return {
    run: async (key, work, gone) => {
      if (gone?.aborted === true) throw refused(false);
      if (mayRun(key)) count(key, 1);
      else {
        if ((queues.get(key)?.length ?? 0) >= waitingEach) throw refused(true);
        makeRoomFor(key);
        await turnOf(key, gone);
      }
      try {
        return await work();
      } finally {
        count(key, -1);
        letNext();
      }
    },
  };
}
