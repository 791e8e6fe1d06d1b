import { expect, test, vi } from 'vitest';
import { deleteExpiredSessions } from '#features/auth/sessions/server/actions.ts';
import type { Trx } from '#server/db/database.ts';
import { deleteExpiredReplies } from '#server/http/idempotency.ts';
import { hashToken } from '#server/secrets.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { aPerson } from '#test/builders.ts';
import { atEnd, startApp, type TestApp } from '#test/harness.ts';
import { startCleanupJobs } from './cleanup-jobs.ts';

const EXPIRED_ROWS = [
  { name: 'sessions', run: deleteExpiredSessions },
  { name: 'replies', run: deleteExpiredReplies },
];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Rows that are kept for a time only, of different ages; each names its age. */
async function aPast(app: TestApp) {
  const { db } = app.deps.database;
  const { id } = await aPerson(app);
  const ago = (milliseconds: number): Instant => instantOf(millisecondsOf(app.clock.now()) - milliseconds);
  for (const days of [0, 29, 31]) {
    await db
      .insertInto('sessions')
      .values({
        token_hash: hashToken(`session of ${days} days`),
        user_id: id,
        created_at: ago(days * DAY),
        last_used_at: ago(0),
        address: '10.0.0.1',
        agent: `${days} days`,
      })
      .execute();
  }
  for (const hours of [0, 23, 25]) {
    await db
      .insertInto('idempotency_keys')
      .values({
        owner: 'user:1',
        key: `${hours} hours`,
        fingerprint: 'x',
        reply: null,
        made_id: null,
        created_at: ago(hours * HOUR),
      })
      .execute();
  }
}

async function kept({ deps: { database } }: TestApp) {
  const sessions = await database.db
    .selectFrom('sessions')
    .select('agent')
    .where('agent', 'like', '%days')
    .execute();
  const keys = await database.db.selectFrom('idempotency_keys').select('key').execute();
  return {
    sessions: sessions.map((session) => session.agent).toSorted(),
    keys: keys.map((key) => key.key).toSorted(),
  };
}

test('cleanup jobs delete expired rows at startup', async () => {
  const app = await startApp();
  await aPast(app);
  atEnd(startCleanupJobs(app.deps, EXPIRED_ROWS).stop);
  await expect
    .poll(() => kept(app))
    .toEqual({
      sessions: ['0 days', '29 days'],
      keys: ['0 hours', '23 hours'],
    });
});

test('cleanup jobs run every hour until they are stopped', async () => {
  const app = await startApp();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const runs: Instant[] = [];
    const { stop } = startCleanupJobs(app.deps, [
      { name: 'note the time', run: async (_trx, now) => void runs.push(now) },
    ]);
    await expect.poll(() => runs).toHaveLength(1);
    app.clock.advance(HOUR);
    // In steps, because the timer of the next run starts only after the transaction of this one.
    await expect
      .poll(() => {
        vi.advanceTimersByTime(HOUR / 4);
        return runs;
      })
      .toHaveLength(2);
    expect(runs).toEqual([instantOf(millisecondsOf(app.clock.now()) - HOUR), app.clock.now()]);
    await stop();
    vi.advanceTimersByTime(5 * HOUR);
    expect(runs).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('stopping the cleanup during a job starts no further job', async () => {
  const app = await startApp();
  const ran: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const cleanup = startCleanupJobs(
    app.deps,
    [],
    [
      {
        name: 'first',
        run: async () => {
          ran.push('first');
          stopped.resolve(cleanup.stop());
        },
      },
      { name: 'second', run: async () => void ran.push('second') },
    ],
  );
  await stopped.promise;
  expect(ran).toEqual(['first']);
});

test('a failed cleanup job is rolled back, does not stop the others, and is reported until it succeeds', async () => {
  const app = await startApp();
  await aPast(app);
  const { db } = app.deps.database;
  const noted = async () => {
    const rows = await db
      .selectFrom('server_state')
      .select(['name', 'value'])
      .where('name', 'like', 'failed:%')
      .execute();
    return rows.map(({ name, value }) => `${name} ${value}`).toSorted();
  };
  let isBroken = true;
  const failingCleanup = {
    name: 'failing cleanup',
    run: async (trx: Trx) => {
      await trx.deleteFrom('sessions').execute();
      if (isBroken) throw new TypeError('out of order');
    },
  };
  const failingRemoval = {
    name: 'failing removal',
    run: async () => {
      if (isBroken) throw new Error('no such folder');
    },
  };
  const last = Promise.withResolvers<void>();
  atEnd(
    startCleanupJobs(
      app.deps,
      [failingCleanup, ...EXPIRED_ROWS],
      [failingRemoval, { name: 'last', run: async () => last.resolve() }],
    ).stop,
  );
  await last.promise;
  expect(await kept(app)).toEqual({
    sessions: ['0 days', '29 days'],
    keys: ['0 hours', '23 hours'],
  });
  expect(await noted()).toEqual(['failed:failing cleanup TypeError', 'failed:failing removal Error']);
  isBroken = false;
  atEnd(startCleanupJobs(app.deps, [failingCleanup], [failingRemoval]).stop);
  await expect.poll(noted).toEqual([]);
});
