import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { atEnd, ENGINE, migratedPlace, startApp, type TestApp } from '#test/harness.ts';
import { sendWithRetry } from '#web/api/retry.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';

const TOO_SLOW = 'This took too long and was stopped. Please try again.';

/** A school with an activity and a volunteer. */
async function aDistrict(app: TestApp) {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  return { school, activity, vera: await aPerson(app, { schools: [school] }) };
}

/**
 * Another program that locks the entries until the test releases them. On SQLite it locks the whole file for
 * writing.
 */
async function aLocker(app: TestApp) {
  if (ENGINE === 'sqlite') {
    const other = new BetterSqlite(join(app.dataDir, 'volunteer-time.db'));
    atEnd(() => other.close());
    return {
      lock: async () => void other.exec('begin immediate'),
      free: async () => void other.exec('rollback'),
    };
  }
  const other = await openDatabase(app);
  const [locked, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let held = Promise.resolve();
  atEnd(() => other.close());
  return {
    lock: async () => {
      held = other.db.transaction().execute(async (trx) => {
        await sql`lock table time_entries in access exclusive mode`.execute(trx);
        locked.resolve();
        await freed.promise;
      });
      await locked.promise;
    },
    free: async () => {
      freed.resolve();
      await held;
    },
  };
}

describe('a table locked by another program', () => {
  test('delays only requests that need it, which are rejected in time', async () => {
    const app = await startApp({ DATABASE_TIMEOUT_SECONDS: '1' });
    const { activity, vera } = await aDistrict(app);
    const { token } = vera;
    const log = () =>
      app.call('POST /api/time-entries', { token, body: { activityId: activity.id, hours: 1 } });
    const locker = await aLocker(app);
    await locker.lock();
    const held = Array.from({ length: 12 }, log);
    let isOver = false;
    const all = Promise.all(held).finally(() => {
      isOver = true;
    });
    const others = await Promise.all(
      ['GET /api/profile', 'GET /api/activities', 'GET /api/schools/public', 'GET /healthz'].map((path) =>
        app.call(path, { token }),
      ),
    );
    expect([others.map(({ status }) => status), isOver]).toEqual([[200, 200, 200, 200], false]);
    if (ENGINE === 'postgres') {
      const login = await app.call('POST /api/auth/login', {
        body: { email: vera.email, password: PASSWORD },
      });
      expect([login.status, isOver]).toEqual([200, false]);
    }
    const refused = await all;
    const says = ENGINE === 'postgres' ? TOO_SLOW : 'Service temporarily unavailable. Please try again.';
    for (const reply of refused) {
      expect([reply.status, reply.body]).toEqual([503, { error: says }]);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
    await locker.free();
    expect((await log()).status).toBe(201);
  });

  test('delays a request that succeeds if the lock is released in time', async () => {
    const app = await startApp();
    const { activity, vera } = await aDistrict(app);
    const locker = await aLocker(app);
    await locker.lock();
    const logged = app.call('POST /api/time-entries', {
      token: vera.token,
      body: { activityId: activity.id, hours: 1 },
    });
    expect((await app.call('GET /api/profile', { token: vera.token })).status).toBe(200);
    await pause(50);
    await locker.free();
    expect((await logged).status).toBe(201);
  });
});

const TOGETHER = IS_LONG ? 200 : 60;

test(`${TOGETHER} people can sign in at the same moment`, async () => {
  const app = await startApp();
  const people = [];
  for (let number = 0; number < TOGETHER; number += 1) people.push(await aPerson(app, {}));
  const began = performance.now();
  const replies = await Promise.all(
    people.map(({ email }) => app.call('POST /api/auth/login', { body: { email, password: PASSWORD } })),
  );
  if (IS_LONG) {
    console.log(`${TOGETHER} sign-ins at once on ${ENGINE}: ${Math.round(performance.now() - began)} ms`);
  }
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
}, 120_000);

const AT_ONCE = IS_LONG ? 400 : 30;

test(`${AT_ONCE} people can sign in at once from one address, without being rate-limited`, async () => {
  const app = await startApp();
  const people = [];
  while (people.length < AT_ONCE) people.push(await aPerson(app, {}));
  const origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const began = performance.now();
  const answered = new Map<number, number>();
  const seen = await Promise.all(
    people.map(async ({ email }) => {
      // As the page does it.
      const reply = await sendWithRetry(async () => {
        const one = await fetch(`${origin}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: PASSWORD }),
        });
        answered.set(one.status, (answered.get(one.status) ?? 0) + 1);
        return one;
      }, undefined);
      await reply.arrayBuffer();
      return { status: reply.status, took: performance.now() - began };
    }),
  );
  if (IS_LONG) {
    const took = seen.map((one) => one.took).toSorted((a, b) => a - b);
    const counted = [...answered].map(([status, count]) => `${count} with ${status}`).join(', ');
    console.log(
      `${ENGINE}: ${AT_ONCE} sign-ins at once from one address: ${counted}; half were in after ` +
        `${((took[Math.floor(took.length / 2)] ?? 0) / 1000).toFixed(1)} s, the last after ${((took.at(-1) ?? 0) / 1000).toFixed(1)} s`,
    );
  }
  expect(seen.map(({ status }) => status)).toEqual(people.map(() => 200));
  expect(answered.has(429)).toBe(false);
}, 120_000);

const SECONDS = IS_LONG ? 60 : 2;
const IN_FLIGHT = 16;
const TIMES = 3;
const TICK_MS = 20;

test(
  `a server at ${TIMES} times its capacity answers or rejects every request, and health checks pass`,
  async () => {
    const child = await startChild(await migratedPlace(), ADMIN_SETTINGS);
    const { volunteer, activity, school } = await openDistrict(child);
    const statuses = new Map<number, number>();
    let sent = 0;
    const ask = async () => {
      sent += 1;
      const { status } = await (sent % 2 === 0
        ? child.call(`GET /api/activities?schoolId=${school.id}`, { token: volunteer })
        : child.call('POST /api/time-entries', {
            token: volunteer,
            body: { activityId: activity.id, hours: 0.25 },
          }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    const capacity = await answeredInASecond(ask);
    statuses.clear();

    const probe = new Worker(new URL('./probe-worker.ts', import.meta.url), {
      workerData: { address: `${child.origin}/healthz`, token: volunteer },
    });
    atEnd(() => probe.terminate());
    const asked: Promise<void>[] = [];
    const until = performance.now() + SECONDS * 1000;
    while (performance.now() < until) {
      for (let more = (capacity * TIMES * TICK_MS) / 1000; more > 0; more -= 1) asked.push(ask());
      await pause(TICK_MS);
    }
    await Promise.all(asked);
    probe.postMessage('so far');
    const [took]: number[][] = await once(probe, 'message');
    await probe.terminate();
    const memory = memoryOf(child.pid);
    expect((await child.call('GET /readyz')).status).toBe(200);
    await child.end('SIGTERM');

    expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(took?.length).toBeGreaterThan(0);
    expect(took?.every(Number.isFinite)).toBe(true);
    if (!IS_LONG || took === undefined) return;
    const sorted = took.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0);
    const counted = [...statuses].map(([status, count]) => `${count} with ${status}`).join(', ');
    console.log(
      `${ENGINE}: ${capacity} a second answered at ease, ${asked.length} sent in ${SECONDS} s: ${counted}; ` +
        `${took.length} health checks, all 200: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms; ${memory.toFixed(0)} MB`,
    );
  },
  IS_LONG ? 600_000 : 90_000,
);

async function answeredInASecond(ask: () => Promise<void>): Promise<number> {
  const seconds = IS_LONG ? 5 : 1;
  let answered = 0;
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < until) {
        await ask();
        answered += 1;
      }
    }),
  );
  return Math.ceil(answered / seconds);
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

test('a long report query does not block the process, and is canceled after the time limit', async () => {
  const app = await startApp({ DATABASE_TIMEOUT_SECONDS: '1' });
  const { db, engine } = app.deps.database;
  const reports = app.deps.database.withPool('reports').db;
  // Counts for many seconds.
  const endless =
    engine === 'sqlite'
      ? sql`with recursive n (n) as (select 1 union all select n + 1 from n) select count(*) from n`
      : sql`select pg_sleep(60)`;
  let isOver = false;
  const ended = endless.execute(reports).then(
    () => 'answered',
    (error: Error) => {
      isOver = true;
      return error;
    },
  );
  expect([(await app.call('GET /healthz')).status, isOver]).toEqual([200, false]);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  expect([rows, isOver]).toEqual([[{ one: 1 }], false]);
  expect(String(await ended)).toMatch(/tooSlow|statement timeout/);
  expect((await sql<{ two: number }>`select 2 as two`.execute(reports)).rows).toEqual([{ two: 2 }]);
});
