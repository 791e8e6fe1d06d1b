import { expect, test } from 'vitest';
import { dayIn, plusMilliseconds } from '#shared/calendar-date.ts';
import { HttpError } from '#shared/errors.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { transaction } from '../db/database.ts';
import {
  checkRateLimit,
  clearCounters,
  consumeAttempt,
  countFailure,
  deleteCountersByPrefix,
  deleteCountersOf,
  EMAILS_PER_ACCOUNT,
  expiredCounters,
  PER_ACCOUNT,
  PER_ADDRESS,
  throwWhilePaused,
} from './rate-limit.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let shared: Promise<TestApp> | undefined;
let number = 0;

/** A counter of its own for each test, on a shared database; `tryAt` returns the pause in seconds, 0 when let through. */
async function aCounter(policy = PER_ACCOUNT) {
  shared ??= startApp();
  const app = await shared;
  const key = `account:person${++number}@maplegrove.example`;
  const tryOnce = async (...others: { key: string; policy: typeof PER_ACCOUNT }[]): Promise<number> => {
    try {
      await consumeAttempt(app.deps.database, [{ key, policy }, ...others], app.clock.now());
      return 0;
    } catch (error) {
      if (!(error instanceof HttpError) || error.kind !== 'tooManyTries') throw error;
      return error.details.retryAfterSeconds ?? -1;
    }
  };
  const tries = async (count: number) => {
    const pauses: number[] = [];
    for (let i = 0; i < count; i++) pauses.push(await tryOnce());
    return pauses;
  };
  const failures = async (of = key) => {
    const row = await app.deps.database.db
      .selectFrom('rate_limits')
      .select('failures')
      .where('key', '=', of)
      .executeTakeFirst();
    return row?.failures;
  };
  return { app, key, tryOnce, tries, failures };
}

test('the limit per account allows five failures in a minute, then pauses for a minute', async () => {
  const { app, tries } = await aCounter();
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 60]);
  app.clock.advance(20 * SECOND);
  expect(await tries(2)).toEqual([40, 40]);
});

test('the limit per account never pauses after slow failures', async () => {
  const { app, tries } = await aCounter();
  for (let minute = 0; minute < 20; minute++) {
    expect(await tries(5)).toEqual([0, 0, 0, 0, 0]);
    app.clock.advance(MINUTE);
  }
  for (let quarter = 0; quarter < 20; quarter++) {
    expect(await tries(1)).toEqual([0]);
    app.clock.advance(MINUTE / 4);
  }
  app.clock.advance(MINUTE);
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 60]);
});

test('a limit counts from zero after a pause, even one shorter than its window', async () => {
  const { app, tries } = await aCounter(EMAILS_PER_ACCOUNT);
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 900]);
  app.clock.advance(900 * SECOND);
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 900]);
});

test('pauses grow to 15 minutes, and attempts during a pause do not extend it', async () => {
  const { app, tries } = await aCounter();
  for (const pause of [60, 120, 240, 480, 900, 900, 900]) {
    expect(await tries(7)).toEqual([0, 0, 0, 0, 0, pause, pause]);
    app.clock.advance(pause * SECOND - SECOND);
    expect(await tries(1)).toEqual([1]);
    app.clock.advance(SECOND);
  }
});

test('pauses are short again after a day without attempts', async () => {
  const { app, tries } = await aCounter();
  expect(await tries(6)).toContain(60);
  app.clock.advance(MINUTE);
  expect(await tries(6)).toContain(120);
  app.clock.advance(24 * HOUR - SECOND);
  expect(await tries(6)).toContain(240);
  app.clock.advance(24 * HOUR);
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 60]);
});

test('a limit allows no more simultaneous attempts than sequential ones', async () => {
  const { tryOnce } = await aCounter();
  const pauses = await Promise.all(Array.from({ length: 30 }, () => tryOnce()));
  expect(pauses.filter((pause) => pause === 0)).toHaveLength(5);
  expect(pauses.filter((pause) => pause === 60)).toHaveLength(25);
});

test('simultaneous attempts that name two counters in opposite orders do not deadlock', async () => {
  const one = await aCounter();
  const two = await aCounter();
  // The counters are named in opposite orders.
  const pauses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      i % 2 === 0
        ? one.tryOnce({ key: two.key, policy: PER_ADDRESS })
        : two.tryOnce({ key: one.key, policy: PER_ADDRESS }),
    ),
  );
  expect(pauses).toHaveLength(10);
});

test("a success resets the account's counter and refunds the attempt to the address", async () => {
  const { app, key, tries, tryOnce, failures } = await aCounter();
  const address = { key: `address:10.1.1.${number}`, policy: PER_ADDRESS };
  await tries(4);
  await tryOnce(address);
  expect([await failures(), await failures(address.key)]).toEqual([5, 1]);
  await transaction(app.deps.database, (trx) => clearCounters(trx, [key], [address.key]));
  expect([await failures(), await failures(address.key)]).toEqual([undefined, 0]);
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 60]);
  // Giving back an attempt that was never counted does not allow extra ones.
  await transaction(app.deps.database, (trx) => clearCounters(trx, [], [address.key]));
  expect(await failures(address.key)).toBe(0);
});

test('a clock that is set back restarts the window, and no pause exceeds 15 minutes', async () => {
  const { app, tries } = await aCounter();
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 60]);
  app.clock.advance(-24 * HOUR);
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 120]);
  app.clock.advance(-30 * SECOND);
  expect(await tries(1)).toEqual([150]);
  app.clock.advance(HOUR);
  expect(await tries(4)).toEqual([0, 0, 0, 0]);
  app.clock.advance(-24 * HOUR);
  expect(await tries(5)).toEqual([0, 0, 0, 0, 0]);
  expect(Math.max(...(await tries(30)))).toBeLessThanOrEqual(900);
});

test('attempts that arrive out of order are counted', async () => {
  const { app, tries, failures } = await aCounter();
  const pauses: number[] = [];
  for (let i = 0; i < 8; i++) {
    pauses.push(...(await tries(1)));
    app.clock.advance(i % 2 === 0 ? -SECOND : SECOND);
  }
  expect(pauses.map((pause) => pause > 0)).toEqual([false, false, false, false, false, true, true, true]);
  expect(await failures()).toBe(6);
});

test('a pause applies to an attempt that arrived before it began', async () => {
  const { app, key } = await aCounter();
  const counter = { key, policy: { ...PER_ADDRESS, tries: 1 } };
  await transaction(app.deps.database, (trx) => countFailure(trx, counter, app.clock.now()));
  app.clock.advance(-SECOND);
  const tried = throwWhilePaused(app.deps.database, counter, app.clock.now());
  await expect(tried).rejects.toMatchObject({ details: { retryAfterSeconds: 60 } });
});

test('the limit per address counts failures, not checks, and pauses after 300', async () => {
  const { app, key } = await aCounter();
  const counter = { key, policy: PER_ADDRESS };
  const fail = () => transaction(app.deps.database, (trx) => countFailure(trx, counter, app.clock.now()));
  const pause = () =>
    throwWhilePaused(app.deps.database, counter, app.clock.now()).then(
      () => 'let through',
      (error: HttpError) => error.details.retryAfterSeconds,
    );
  expect(await pause()).toBe('let through');
  for (let i = 0; i < 299; i++) await fail();
  expect(await pause()).toBe('let through');
  await Promise.all([fail(), fail(), fail()]);
  expect(await pause()).toBe(60);
  app.clock.advance(MINUTE);
  expect(await pause()).toBe('let through');
  for (let i = 0; i < 300; i++) await fail();
  expect(await pause()).toBe(60);
});

test('a success resets the length of the next pause', async () => {
  const { app, key, tries } = await aCounter();
  await tries(6);
  app.clock.advance(MINUTE);
  await tries(6);
  await transaction(app.deps.database, (trx) => clearCounters(trx, [key], []));
  expect(await tries(6)).toEqual([0, 0, 0, 0, 0, 60]);
});

test('the limit per address allows 300 failures, because a school shares one address', async () => {
  const { tries } = await aCounter(PER_ADDRESS);
  const pauses = await tries(301);
  expect(pauses.slice(0, 300).every((pause) => pause === 0)).toBe(true);
  expect(pauses[300]).toBe(60);
});

test("deleting a user's counters leaves those of users with a similar name or number", async () => {
  const { app } = await aCounter();
  const {
    clock,
    deps: { database },
  } = app;
  const [gone, kept] = [
    ['account:a_n%n@x.example', 'known:5 abc', 'known:5 def'],
    ['account:abnn@x.example', 'account:b.a_n%n@x.example', 'known:51 abc', 'unknown:5 abc'],
  ];
  for (const key of [...gone, ...kept])
    await consumeAttempt(database, [{ key, policy: PER_ACCOUNT }], clock.now());
  await transaction(database, async (trx) => {
    await deleteCountersOf(trx, ['nobody@x.example', 'a_n%n@x.example']);
    await deleteCountersByPrefix(trx, 'known:5 ');
  });
  const rows = await database.db
    .selectFrom('rate_limits')
    .select('key')
    .where('key', 'in', [...gone, ...kept])
    .execute();
  expect(rows.map(({ key }) => key).toSorted()).toEqual(kept.toSorted());
});

test('checkRateLimit allows five attempts, and a counter is deleted after a day without attempts', async () => {
  const { app, key, failures } = await aCounter();
  const {
    clock,
    deps: { database },
  } = app;
  const ask = () => checkRateLimit(database, [{ key, policy: PER_ACCOUNT }], clock.now());
  for (let i = 0; i < 5; i++) expect(await ask()).toBe(true);
  expect(await ask()).toBe(false);
  const cleanUp = () => {
    const moment = plusMilliseconds(clock.now(), -24 * HOUR);
    const until = { moment, day: dayIn('UTC', moment) };
    return transaction(database, (trx) =>
      expiredCounters.remove(trx, { until, after: undefined, limit: 100 }),
    );
  };
  clock.advance(24 * HOUR);
  await cleanUp();
  expect(await failures()).toBe(6);
  clock.advance(SECOND);
  await cleanUp();
  expect(await failures()).toBeUndefined();
});
