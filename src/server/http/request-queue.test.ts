import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { endpoint } from '#shared/endpoint.ts';
import { openRequestQueue } from './request-queue.ts';

const log = pino({ level: 'silent' });
const [logHours, getProfile] = [endpoint('POST', '/hours', {}), endpoint('GET', '/profile', {})];

/** How each call ended so far: 'done', the kind of its refusal, or nothing yet. */
function outcomesOf(calls: readonly Promise<unknown>[]) {
  const outcomes: (string | undefined)[] = calls.map(() => undefined);
  calls.forEach((call, index) => {
    call.then(
      () => {
        outcomes[index] = 'done';
      },
      (error: { kind: string }) => {
        outcomes[index] = error.kind;
      },
    );
  });
  return outcomes;
}

afterEach(() => {
  vi.useRealTimers();
});

const turns = async (many: number) => {
  for (let turn = 0; turn < many; turn += 1) await new Promise((resume) => setImmediate(resume));
};

/** Takes so many milliseconds of this process. */
function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('of one kind of request four are at work and 300 wait; one more is refused, and other kinds go on', async () => {
  const line = openRequestQueue({ log, atOnce: 4 });
  const held = Promise.withResolvers<void>();
  const logging = line.guarding(logHours, () => held.promise);
  const outcomes = outcomesOf(Array.from({ length: 304 }, () => logging()));
  await turns(5);
  expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([]);
  await expect(logging()).rejects.toMatchObject({
    kind: 'busy',
    details: { retryAfterSeconds: expect.any(Number) },
  });
  await line.guarding(getProfile, async () => undefined)();
  held.resolve();
  await expect.poll(() => outcomes.every((outcome) => outcome === 'done')).toBe(true);
});

test('what takes long in this process itself lets the event loop go on between two requests', async () => {
  const line = openRequestQueue({ log, atOnce: undefined });
  let begun = 0;
  const report = line.guarding(getProfile, async () => spin(begun++ === 0 ? 30 : 5));
  const calls: Promise<unknown>[] = [];
  // All within one turn of the event loop, each begun before the next arrives, as Node delivers requests.
  for (let call = 0; call < 310; call += 1) {
    calls.push(report());
    for (let moment = 0; moment < 5; moment += 1) await null;
  }
  const outcomes = outcomesOf(calls);
  for (let moment = 0; moment < 5; moment += 1) await null;
  // The first one used up the time of this turn: 300 wait, and the rest is refused at once.
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(9);
  await turns(3);
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBeLessThan(20);
  await expect
    .poll(() => outcomes.filter((outcome) => outcome === 'done'), { timeout: 10_000 })
    .toHaveLength(301);
});

test('what else takes long, such as the parts of a large write, keeps requests waiting for one part, not for all', async () => {
  const line = openRequestQueue({ log, atOnce: undefined });
  const getOne = line.guarding(getProfile, async () => spin(2));
  const calls: Promise<unknown>[] = [];
  for (let part = 0; part < 10; part += 1) {
    // At first more than there is time for within one turn.
    for (let call = 0; call < (part === 0 ? 14 : 3); call += 1) {
      calls.push(getOne());
      for (let moment = 0; moment < 5; moment += 1) await null;
    }
    spin(30);
    await turns(1);
  }
  const outcomes = outcomesOf(calls);
  await turns(1);
  expect(outcomes.filter((outcome) => outcome !== 'done')).toEqual([]);
});

test('who waits five seconds for a place is told to come back, and makes room for others that wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const line = openRequestQueue({ log, atOnce: 4 });
  const held = Promise.withResolvers<void>();
  let begun = 0;
  const logging = line.guarding(logHours, () => {
    begun += 1;
    return held.promise;
  });
  const outcomes = outcomesOf(Array.from({ length: 304 }, () => logging()));
  vi.advanceTimersByTime(4999);
  await turns(2);
  expect([begun, outcomes.filter((outcome) => outcome !== undefined)]).toEqual([4, []]);
  vi.advanceTimersByTime(1);
  await turns(2);
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(300);
  const later = outcomesOf(Array.from({ length: 300 }, () => logging()));
  await turns(2);
  expect(later.filter((outcome) => outcome !== undefined)).toEqual([]);
  held.resolve();
  await expect.poll(() => later.filter((outcome) => outcome === 'done')).toHaveLength(300);
  vi.advanceTimersByTime(60_000);
  await turns(2);
  expect([begun, new Set(later)]).toEqual([304, new Set(['done'])]);
});

test('files, and what hashes a password or asks Google, are not held up by others of their kind', async () => {
  const line = openRequestQueue({ log, atOnce: 4 });
  const files = { field: 'photos', most: 1, bytes: 1, tooMany: 'x' as never, tooLarge: 'x' as never };
  for (const parts of [{ isLong: true }, { file: true }, { files }, {}] as const) {
    const held = Promise.withResolvers<void>();
    let begun = 0;
    const call = line.guarding(endpoint('POST', '/any', parts), () => {
      begun += 1;
      return held.promise;
    });
    const outcomes = outcomesOf(Array.from({ length: 10 }, () => call()));
    await turns(5);
    expect([parts, begun]).toEqual([parts, Object.keys(parts).length === 0 ? 4 : 10]);
    held.resolve();
    await expect.poll(() => outcomes.every((outcome) => outcome === 'done')).toBe(true);
  }
});

test('a call that fails gives its place to the next', async () => {
  const line = openRequestQueue({ log, atOnce: 4 });
  const failing = line.guarding(logHours, () =>
    Promise.reject(Object.assign(new Error(), { kind: 'failed' })),
  );
  const outcomes = outcomesOf(Array.from({ length: 20 }, () => failing()));
  await expect.poll(() => outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(20);
});

test.each([
  [20_000, 'done'],
  [20_001, 'busy'],
])('after %d ms of waiting for its turn a call is %s', async (waited, outcome) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const line = openRequestQueue({ log, atOnce: undefined });
  const call = line.guarding(getProfile, async () => undefined);
  const first = call();
  vi.advanceTimersByTime(20);
  const outcomes = outcomesOf([call()]);
  vi.advanceTimersByTime(waited);
  await first;
  await expect.poll(() => outcomes).toEqual([outcome]);
});

test('those who are told to come back come one to four seconds later, not all at once', async () => {
  const line = openRequestQueue({ log, atOnce: 4 });
  const held = Promise.withResolvers<void>();
  const logging = line.guarding(logHours, () => held.promise);
  const begun = Array.from({ length: 304 }, () => logging());
  const refused = await Promise.allSettled(Array.from({ length: 200 }, () => logging()));
  const seconds = refused.map((one) => one.status === 'rejected' && one.reason.details.retryAfterSeconds);
  expect([...new Set(seconds)].toSorted()).toEqual([1, 2, 3, 4]);
  held.resolve();
  await Promise.all(begun);
});
