import type { Deps } from '../deps.ts';

const LOOK_EVERY_MS = 1_000;
const AGAIN_AFTER_MS = 10_000;

/** A job that runs continuously, one item at a time. */
export type BackgroundJob = Readonly<{ stop: () => Promise<void> }>;

/**
 * Polls the database every second and processes all pending work. After an error, logged as `failure`, it
 * waits 10 seconds. `stop` waits for the current item; the next start resumes from there.
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
