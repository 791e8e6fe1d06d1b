import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/connect.ts';
import { standbyNow } from '#server/db/standby.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { ask, type Pair, startPair } from './servers.ts';

// Two people's sessions of a minute ago, so that a standby may answer them.
const MINUTE = 60_000;

let pair: Pair;
let app: TestApp;
let school: { id: number; name: string };
let activity: { id: number };

beforeAll(async () => {
  pair = await startPair();
  app = await startApp({
    DATABASE_URL: pair.leader,
    DATABASE_READ_URL: pair.standby,
    DATABASE_READ_LAG_SECONDS: '60',
    METRICS_TOKEN: 'metrics-token-of-the-test',
  });
  school = await aSchool(app);
  activity = await anActivity(app, { school });
  await used();
});

afterEach(() => pair.replay('resume'));

const standby = () => app.deps.database.standby();
const used = () => vi.waitFor(() => expect(standby()?.is).toBe('used'), { timeout: 15_000, interval: 50 });

async function someoneSignedIn() {
  const person = await aPerson(app, { schools: [school] });
  app.clock.advance(2 * MINUTE);
  return person;
}

async function log(token: string, notes: string, headers: Record<string, string> = {}) {
  const reply = await app.call('POST /api/time-entries', {
    token,
    headers,
    body: { activityId: activity.id, hours: 1, notes },
  });
  expect(reply.status).toBe(201);
}

async function notesSeenBy(token: string) {
  const { status, body } = await app.call('GET /api/time-entries', { token });
  expect(status).toBe(200);
  return (body.timeEntries as { notes: string }[]).map(({ notes }) => notes);
}

/** How many queries the standby answers while something runs. */
async function readsThere(run: () => Promise<unknown>): Promise<number> {
  const before = standby()?.reads ?? 0;
  await run();
  return (standby()?.reads ?? 0) - before;
}

const caughtUp = async () => {
  const [at] = await ask<{ lsn: string }>(pair.leader, 'select pg_current_wal_flush_lsn() as lsn');
  await expect
    .poll(() => ask(pair.standby, `select pg_last_wal_replay_lsn() >= '${at?.lsn}' as is_there`))
    .toEqual([{ is_there: true }]);
};

test('lists, figures and the record of somebody who wrote nothing are read from the standby', async () => {
  const vera = await someoneSignedIn();
  const { token } = await anAdministrator(app);
  app.clock.advance(2 * MINUTE);
  await caughtUp();
  expect(await readsThere(() => notesSeenBy(vera.token))).toBeGreaterThan(0);
  for (const path of [
    `/api/admin/time-entries?schoolId=${school.id}`,
    `/api/admin/time-entries/summary?schoolId=${school.id}`,
    '/api/admin/analytics/overview',
    '/api/admin/audit',
  ]) {
    const there = await readsThere(async () =>
      expect([path, (await app.call(`GET ${path}`, { token })).status]).toEqual([path, 200]),
    );
    expect([path, there > 0]).toEqual([path, true]);
  }
});

test('while the standby waits, whoever wrote sees it at once on every server, and others see what was before', async () => {
  const [vera, mike] = [await someoneSignedIn(), await someoneSignedIn()];
  const other = await startApp({
    DATABASE_URL: pair.leader,
    DATABASE_READ_URL: pair.standby,
    DATABASE_READ_LAG_SECONDS: '60',
  });
  await expect.poll(() => other.deps.database.standby()?.is).toBe('used');
  await log(vera.token, 'before');
  await caughtUp();
  await pair.replay('pause');
  await log(vera.token, 'while it waits');
  expect(await notesSeenBy(vera.token)).toEqual(['while it waits', 'before']);
  const { body } = await other.call('GET /api/time-entries', { token: vera.token });
  expect(body.timeEntries).toHaveLength(2);
  await other.close();
  // Nothing is written by him: the standby answers, though it waits.
  expect(await readsThere(() => notesSeenBy(mike.token))).toBeGreaterThan(0);
  expect(await readsThere(() => notesSeenBy(vera.token))).toBe(0);
  await pair.replay('resume');
  await caughtUp();
  expect(await readsThere(() => notesSeenBy(vera.token))).toBeGreaterThan(0);
  expect(await notesSeenBy(vera.token)).toEqual(['while it waits', 'before']);
});

test('a session that was ended is refused at once, and a right that was taken away is gone, though the standby waits', async () => {
  const vera = await someoneSignedIn();
  const ada = await anAdministrator(app);
  app.clock.advance(2 * MINUTE);
  await caughtUp();
  await pair.replay('pause');
  expect((await app.call('GET /api/admin/analytics/overview', { token: ada.token })).status).toBe(200);
  await app.deps.database.db.updateTable('users').set({ role: 'user' }).where('id', '=', ada.id).execute();
  expect((await app.call('GET /api/admin/analytics/overview', { token: ada.token })).status).toBe(403);
  await app.call('POST /api/auth/logout', { token: vera.token });
  expect((await app.call('GET /api/time-entries', { token: vera.token })).status).toBe(401);
  await pair.replay('resume');
});

test('an export shows what was confirmed before its link was opened, wherever it is read', async () => {
  const vera = await someoneSignedIn();
  const { token } = await anAdministrator(app);
  await caughtUp();
  await pair.replay('pause');
  await log(vera.token, 'to be exported');
  const asked = await app.call('POST /api/admin/time-entries/export', {
    token,
    body: { format: 'csv', schoolId: school.id },
  });
  const { text, status } = await app.call(`GET ${asked.body.url}`);
  await pair.replay('resume');
  expect([status, text.includes('to be exported')]).toEqual([200, true]);
});

test('a standby that lags too far is not read from, and the metrics and the System screen say so', async () => {
  const near = await startApp({
    DATABASE_URL: pair.leader,
    DATABASE_READ_URL: pair.standby,
    DATABASE_READ_LAG_SECONDS: '1',
    METRICS_TOKEN: 'metrics-token-of-the-test',
  });
  const state = () => near.deps.database.standby()?.is;
  await expect.poll(state).toBe('used');
  const vera = await someoneSignedIn();
  const { token } = await anAdministrator(near);
  await caughtUp();
  await pair.replay('pause');
  await log(vera.token, 'not there yet');
  await expect.poll(state).toBe('behind');
  const before = near.deps.database.standby()?.reads;
  const { body } = await near.call('GET /api/time-entries', { token: vera.token });
  expect([body.timeEntries.length, near.deps.database.standby()?.reads]).toEqual([1, before]);
  expect((await near.call('GET /readyz')).status).toBe(200);
  const metrics = await near.call('GET /metrics', {
    headers: { authorization: 'Bearer metrics-token-of-the-test' },
  });
  expect(metrics.text).toMatch(/^vtt_standby_used 0$/m);
  expect(metrics.text).toMatch(/^vtt_standby_lag_seconds [1-9]/m);
  const system = await near.call('GET /api/admin/system', { token });
  expect(system.body.warnings.map(({ name }: { name: string }) => name)).toContain('standby');
  await pair.replay('resume');
  await expect.poll(state).toBe('used');
  await near.close();
});

test('while the standby is gone the leader answers, the server stays ready, and it is read from again by itself', async () => {
  const vera = await someoneSignedIn();
  await log(vera.token, 'kept');
  await pair.tell('stop');
  // Before anybody has noticed, and after.
  expect(await notesSeenBy(vera.token)).toEqual(['kept']);
  await expect.poll(() => standby()?.is).toBe('gone');
  expect(await notesSeenBy(vera.token)).toEqual(['kept']);
  expect((await app.call('GET /readyz')).status).toBe(200);
  await pair.tell('start');
  await used();
  await caughtUp();
  expect(await readsThere(() => notesSeenBy(vera.token))).toBeGreaterThan(0);
});

test('connections that break before they are set up are given back, so that others can be made', async () => {
  const database = await openDatabase({ databaseUrl: pair.leader, dataDir: '' }, { requestSeconds: 5 });
  const reports = database.lane('reports').db;
  const { query } = pg.Client.prototype;
  const broken = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given
  ) {
    if (String(given[0]).startsWith('set time zone')) void this.end();
    return Reflect.apply(query, this, given);
  });
  const asked = () => sql<{ one: number }>`select 1 as one`.execute(reports);
  // More of them than there are connections.
  for (let times = 0; times < 5; times += 1) await expect(asked()).rejects.toThrow();
  broken.mockRestore();
  expect((await asked()).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('another database than a standby of this one is never read from', async () => {
  const { db } = app.deps.database;
  await caughtUp();
  expect(await standbyNow(pair.standby, db)).toBe('used');
  expect(await standbyNow(pair.standby.replace('/postgres?', '/template1?'), db)).toBe('gone');
});

test('a server whose address leads to a standby does not start, and does once that one leads', async () => {
  await expect(startApp({ DATABASE_URL: pair.standby })).rejects.toThrow('leads to a standby');
  await pair.tell('promote');
  const promoted = await startApp({ DATABASE_URL: pair.standby });
  expect((await promoted.call('GET /readyz')).status).toBe(200);
  await promoted.close();
});
