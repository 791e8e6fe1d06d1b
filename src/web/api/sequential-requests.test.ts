import { expect, test, vi } from 'vitest';
import { CallError } from './call.ts';
import { runOneByOne } from './sequential-requests.ts';

const callError = (status: number) => new CallError(status, `refused ${status}`, true);

test('runOneByOne runs all items in order, and reports the progress after each', async () => {
  const done: number[] = [];
  const work = vi.fn(async () => undefined);
  expect(await runOneByOne(['a', 'b', 'c'], work, (count) => done.push(count))).toEqual([]);
  expect(work.mock.calls).toEqual([['a'], ['b'], ['c']]);
  expect(done).toEqual([1, 2, 3]);
});

test('runOneByOne returns a failed item and continues with the others', async () => {
  const failed = await runOneByOne(
    ['a', 'b', 'c'],
    async (item) => {
      if (item === 'b') throw callError(409);
    },
    () => undefined,
  );
  expect(failed).toEqual([{ item: 'b', error: callError(409) }]);
});

test.each([0, 401, 403, 429])(
  'runOneByOne stops after status %i, and returns the remaining items as failed',
  async (status) => {
    const work = vi.fn(async (item: string) => {
      if (item === 'b') throw callError(status);
    });
    const failed = await runOneByOne(['a', 'b', 'c', 'd'], work, () => undefined);
    expect(failed.map(({ item }) => item)).toEqual(['b', 'c', 'd']);
    expect(work).toHaveBeenCalledTimes(2);
  },
);

test('runOneByOne rethrows unexpected errors', async () => {
  await expect(
    runOneByOne(
      ['a'],
      async () => {
        throw new Error('broken');
      },
      () => undefined,
    ),
  ).rejects.toThrow('broken');
});
