import pino from 'pino';
import { expect, test } from 'vitest';
import { endpoint } from '#base/endpoint.ts';
import { openLine } from './line.ts';

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

const turns = async (many: number) => {
  for (let turn = 0; turn < many; turn += 1) await new Promise((resume) => setImmediate(resume));
};

test('of one kind of request four are at work and 300 wait; one more is refused, and other kinds go on', async () => {
  const line = openLine({ log, atOnce: 4 });
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
  const line = openLine({ log, atOnce: undefined });
  let spins = 0;
  const report = line.guarding(getProfile, async () => {
    if (spins++ > 0) return;
    const until = performance.now() + 30;
    while (performance.now() < until);
  });
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
  await expect.poll(() => outcomes.filter((outcome) => outcome === 'done')).toHaveLength(301);
});
