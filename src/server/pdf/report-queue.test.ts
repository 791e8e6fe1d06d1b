import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openReportQueue } from './report-queue.ts';

const LIMITS = { atOnce: 2, waiting: 3, waitingOfOne: 2, waitMs: 60_000 };
const BUSY = expect.objectContaining({
  kind: 'tooManyTries',
  text: expect.stringContaining('reportsBusy'),
  details: { retryAfterSeconds: 5 },
});
const here = new AbortController().signal;

/** Work that ends when it is told to, and what of it has begun. */
function work() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    of: (name: string) => async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    },
    end: async (name: string) => {
      while (!ends.has(name)) await pause(0);
      ends.get(name)?.();
      await pause(0);
    },
  };
}

test('two reports are made at once, but one of each person, in the order they came', async () => {
  const line = openReportQueue(LIMITS);
  const { begun, of, end } = work();
  const made = [1, 1, 2, 3].map((person, at) => line(person, here, of(`${at} of ${person}`)));
  await pause(0);
  expect(begun).toEqual(['0 of 1', '2 of 2']);
  await end('2 of 2');
  expect(begun.at(-1)).toBe('3 of 3');
  await end('0 of 1');
  expect(begun.at(-1)).toBe('1 of 1');
  await end('1 of 1');
  await end('3 of 3');
  expect(await Promise.all(made)).toEqual(['0 of 1', '1 of 1', '2 of 2', '3 of 3']);
});

test('a person with too many waiting reports is refused, and everybody when too many wait in all', async () => {
  const line = openReportQueue(LIMITS);
  const { of, end, begun } = work();
  const made = [1, 1, 1].map((person, at) => line(person, here, of(String(at))));
  await expect(line(1, here, of('more'))).rejects.toMatchObject({
    kind: 'tooManyTries',
    text: expect.stringContaining('reportsOfYours'),
  });
  made.push(line(2, here, of('3')), line(3, here, of('4')));
  await expect(line(4, here, of('more'))).rejects.toEqual(BUSY);
  for (const name of ['0', '1', '2', '3', '4']) await end(name);
  expect(await Promise.all(made)).toEqual(['0', '1', '2', '3', '4']);
  expect(begun).not.toContain('more');
  const later = line(1, here, of('later'));
  await end('later');
  expect(await later).toBe('later');
});

test('a person who waits too long is asked to try again', async () => {
  const line = openReportQueue({ ...LIMITS, waitMs: 20 });
  const { of, end } = work();
  const first = line(1, here, of('first'));
  await expect(line(1, here, of('second'))).rejects.toEqual(BUSY);
  await end('first');
  expect(await first).toBe('first');
});

test('a person who leaves is removed from the queue, and a failed report frees its place', async () => {
  const line = openReportQueue({ ...LIMITS, atOnce: 1, waiting: 1 });
  const { of, end, begun } = work();
  const first = line(1, here, of('first'));
  const leaving = new AbortController();
  const left = expect(line(2, leaving.signal, of('left'))).rejects.toBeInstanceOf(Error);
  leaving.abort();
  await left;
  await expect(line(3, leaving.signal, of('left'))).rejects.toBeInstanceOf(Error);
  const third = line(3, here, async () => Promise.reject(new Error('broken')));
  await Promise.all([end('first'), expect(third).rejects.toThrow('broken')]);
  expect(await first).toBe('first');
  const last = line(3, here, of('last'));
  await end('last');
  expect(await last).toBe('last');
  expect(begun).toEqual(['first', 'last']);
});
