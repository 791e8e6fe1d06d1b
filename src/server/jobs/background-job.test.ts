import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startBackgroundJob } from './background-job.ts';

const PACE = { everyMs: 1_000, failure: 'out of order' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a background job runs immediately and again after each pause, until it is stopped', async () => {
  let runs = 0;
  const job = startBackgroundJob({ log: pino({ enabled: false }) }, PACE, async () => {
    runs += 1;
  });
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(runs).toBe(3);
  await job.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(3);
});

test('a background job that fails is logged, and tried again after ten seconds', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  let runs = 0;
  const job = startBackgroundJob({ log }, PACE, async () => {
    runs += 1;
    if (runs === 1) throw new Error('no database');
  });
  await vi.advanceTimersByTimeAsync(9_900);
  expect([runs, lines]).toEqual([1, [expect.stringContaining('"msg":"out of order"')]]);
  await vi.advanceTimersByTimeAsync(1_200);
  expect(runs).toBe(3);
  await job.stop();
});

test('stopping a background job aborts the current run, waits for it, and starts no other', async () => {
  let hasEnded = false;
  let runs = 0;
  const job = startBackgroundJob({ log: pino({ enabled: false }) }, PACE, async (signal) => {
    runs += 1;
    await new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 5_000)));
    hasEnded = true;
  });
  const stopped = job.stop().then(() => hasEnded);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await stopped, runs]).toEqual([true, 1]);
});
