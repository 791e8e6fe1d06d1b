import { expect, test, vi } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createJobs } from './start-jobs.ts';

test('stopping the jobs waits at most five seconds for one that does not stop', async () => {
  const app = await startApp();
  const jobs = createJobs(app.deps, {});
  jobs.alsoStop(() => new Promise(() => {}));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let isStopped = false;
    const stopped = jobs.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(isStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await stopped;
  } finally {
    vi.useRealTimers();
  }
});
