import { afterEach, expect, test, vi } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

afterEach(() => {
  vi.useRealTimers();
});

const refused = () => new Error('too many wait');

/** A line of one place with somebody in it; what is asked for afterwards is noted in order when it runs. */
function crowdedLine(waiting: number) {
  const line = createFairQueue({ atOnce: 1, waiting, waitMs: 30_000 }, refused);
  const [ran, turnedAway]: [string[], string[]] = [[], []];
  const first = Promise.withResolvers<void>();
  const all = [line.inTurn('first', () => first.promise)];
  const ask = (from: string, name: string) => {
    const asked = line.inTurn(from, async () => void ran.push(name));
    all.push(asked.catch(() => void turnedAway.push(name)));
  };
  const finish = async () => {
    first.resolve();
    await Promise.all(all);
  };
  return { ask, ran, turnedAway, finish };
}

test('whoever asks for one thing does not wait for all of somebody who asked for many', async () => {
  const { ask, ran, finish } = crowdedLine(10);
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name);
  for (const name of ['b1', 'b2']) ask('b', name);
  ask('c', 'c1');
  await finish();
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('in a full line the last one of whoever has most gives way, and they cannot push out others', async () => {
  const { ask, ran, turnedAway, finish } = crowdedLine(4);
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  ask('b', 'b1');
  ask('c', 'c1');
  ask('a', 'a4');
  ask('a', 'a5');
  await finish();
  expect(turnedAway.toSorted()).toEqual(['a3', 'a4', 'a5']);
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('who waits too long is refused and leaves room, and the others go on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask, ran, turnedAway, finish } = crowdedLine(2);
  ask('a', 'a1');
  await vi.advanceTimersByTimeAsync(20_000);
  ask('a', 'a2');
  await vi.advanceTimersByTimeAsync(10_000);
  ask('b', 'b1');
  await finish();
  expect([turnedAway, ran]).toEqual([['a1'], ['a2', 'b1']]);
});

test('a job that fails gives its place to the next', async () => {
  const line = createFairQueue({ atOnce: 1, waiting: 2, waitMs: 30_000 }, refused);
  const failing = line.inTurn('a', () => Promise.reject(new Error('failed')));
  const next = line.inTurn('a', async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
});
