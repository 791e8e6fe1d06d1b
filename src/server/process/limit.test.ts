import { afterEach, expect, test, vi } from 'vitest';
import { type Limits, openLimit } from './limit.ts';

afterEach(() => {
  vi.useRealTimers();
});

const LIMITS = { atOnce: 1, waiting: 10, waitMs: 30_000 };

/** A limit with a job of `first` in each place; what is asked for afterwards is noted in order when it runs. */
function crowded(limits: Partial<Limits>) {
  const all = { ...LIMITS, ...limits };
  const limit = openLimit(all, (isOwn) => new Error(isOwn ? 'own' : 'all'));
  const [ran, refused]: [string[], string[]] = [[], []];
  const first = Promise.withResolvers<void>();
  const jobs = Array.from({ length: all.atOnce }, (_, at) => limit.run(`first ${at}`, () => first.promise));
  const ask = (key: string, name: string, gone?: AbortSignal) => {
    const asked = limit.run(key, async () => void ran.push(name), gone);
    jobs.push(asked.catch((error: Error) => void refused.push(`${name} ${error.message}`)));
  };
  const finish = async () => {
    first.resolve();
    await Promise.all(jobs);
  };
  return { limit, ask, ran, refused, finish };
}

test('a key with one job does not wait for all jobs of a key with many', async () => {
  const { ask, ran, finish } = crowded({});
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name);
  for (const name of ['b1', 'b2']) ask('b', name);
  ask('c', 'c1');
  await finish();
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a full queue rejects the newest job of the largest key, which cannot displace others', async () => {
  const { ask, ran, refused, finish } = crowded({ waiting: 4 });
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  ask('b', 'b1');
  ask('c', 'c1');
  ask('a', 'a4');
  ask('a', 'a5');
  await finish();
  expect(refused.toSorted()).toEqual(['a3 all', 'a4 all', 'a5 all']);
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('a key that reaches its limit leaves slots free for other keys', async () => {
  const { limit, ask, ran, finish } = crowded({ atOnce: 3, atOnceEach: 2 });
  await finish();
  const held = Promise.withResolvers<void>();
  const mine = [1, 2].map(() => limit.run('a', () => held.promise));
  ask('a', 'a3');
  ask('b', 'b1');
  ask('b', 'b2');
  await expect.poll(() => ran).toEqual(['b1', 'b2']);
  held.resolve();
  await Promise.all(mine);
  await expect.poll(() => ran).toEqual(['b1', 'b2', 'a3']);
});

test('a key that exceeds its own queue limit is rejected with that reason, and others are not', async () => {
  const { ask, ran, refused, finish } = crowded({ waitingEach: 2 });
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  ask('b', 'b1');
  await finish();
  expect([refused, ran]).toEqual([['a3 own'], ['a1', 'b1', 'a2']]);
});

test('a job that waits too long is rejected, and the others continue', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask, ran, refused, finish } = crowded({ waiting: 2 });
  ask('a', 'a1');
  await vi.advanceTimersByTimeAsync(20_000);
  ask('a', 'a2');
  await vi.advanceTimersByTimeAsync(10_000);
  ask('b', 'b1');
  await finish();
  expect([refused, ran]).toEqual([['a1 all'], ['a2', 'b1']]);
});

test('an aborted job is removed from the queue', async () => {
  const { ask, ran, refused, finish } = crowded({ waiting: 1 });
  const leaving = new AbortController();
  ask('a', 'a1', leaving.signal);
  leaving.abort();
  ask('a', 'a2', leaving.signal);
  ask('b', 'b1');
  await finish();
  expect([refused.toSorted(), ran]).toEqual([['a1 all', 'a2 all'], ['b1']]);
});

test('a job that fails frees its slot', async () => {
  const { run } = openLimit(LIMITS, () => new Error('refused'));
  const failing = run('a', () => Promise.reject(new Error('failed')));
  const next = run('a', async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
});
