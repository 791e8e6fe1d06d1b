import type { Deps } from '../deps.ts';

/** A failed run is repeated after at least this time, so that an outage does not fill the log. */
const AGAIN_AFTER_MS = 10_000;

/** Work that repeats until `stop`, which waits for the current run. */
export type BackgroundJob = Readonly<{ stop: () => Promise<void> }>;

/**
 * Runs `work` now, and again `everyMs` after each run. A failure is logged as `failure`. `work` should return
 * soon after its signal aborts; the next start resumes from there.
 */
export function startBackgroundJob(
  { log }: Pick<Deps, 'log'>,
  { everyMs, failure }: Readonly<{ everyMs: number; failure: string }>,
  work: (signal: AbortSignal) => Promise<unknown>,
): BackgroundJob {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    let pauseMs = everyMs;
    try {
      await work(ending.signal);
    } catch (error) {
      log.error({ err: error }, failure);
      pauseMs = Math.max(everyMs, AGAIN_AFTER_MS);
    }
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      running = run();
    }, pauseMs).unref();
  };
  let running = run();
  return {
    stop: async () => {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
