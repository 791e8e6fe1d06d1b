import type { Deps } from '../deps.ts';

const LOOK_EVERY_MS = 1_000;
const AGAIN_AFTER_MS = 10_000;

/** Work that a server does a piece at a time, for as long as it runs. */
export type BackgroundJob = Readonly<{ stop: () => Promise<void> }>;

/**
 * Looks every second for work that is waiting in the database, and does all of it; after a failure, which is logged as
 * `failure`, it looks again 10 seconds later. `stop` waits for the piece that is being done: the next start goes on there.
 */
export function startBackgroundJob(
  deps: Deps,
  failure: string,
  work: (signal: AbortSignal) => Promise<void>,
): BackgroundJob {
  const ending = new AbortController();
  const working = lookForWork(deps, failure, work, ending.signal);
  return {
    stop: async () => {
      ending.abort();
      await working;
    },
  };
}

async function lookForWork(
  { clock, log }: Deps,
  failure: string,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const failed = await work(signal).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failed !== undefined) log.error({ err: failed.error }, failure);
    await clock.sleep(failed === undefined ? LOOK_EVERY_MS : AGAIN_AFTER_MS, signal);
  }
}
