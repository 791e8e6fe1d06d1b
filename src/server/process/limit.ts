/** How much runs at once and how much waits, in all and for one key, and how long it waits. */
export type Limits = Readonly<{
  atOnce: number;
  atOnceEach?: number;
  waiting: number;
  waitingEach?: number;
  waitMs: number;
}>;

/** A bounded limit of work that runs at once. */
export type Limit = Readonly<{
  /**
   * Runs `work` when it is its turn; `key` is who asks, such as a network. Whoever is `gone` does not wait any more.
   * Throws what `refused` makes when too much waits, and when this waited too long.
   */
  run: <Result>(key: string, work: () => Promise<Result>, gone?: AbortSignal) => Promise<Result>;
}>;

type Waiting = Readonly<{ goOn: () => void; refuse: () => void }>;

// Long because the queue, whose turn it is and who gives way belong together.
/**
 * Keys take turns: whoever sent a hundred jobs waits for one of each of the others between two of their own. When the
 * queue is full, the last job of the key that has most in it is refused. `refused` gets whether the key alone has too many.
 */
export function openLimit(
  { atOnce, atOnceEach = atOnce, waiting, waitingEach = waiting, waitMs }: Limits,
  refused: (isOwn: boolean) => Error,
): Limit {
  const running = new Map<string, number>();
  let runningInAll = 0;
  // In the order of their turns: whoever had one goes to the end.
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
