import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { atEnd, ENGINE, emptyPlace, startApp } from '#test/harness.ts';
import { openDatabase, SQLITE_FILE } from '../database.ts';
import { openReadWorkers, type ReaderLimits } from './read-workers.ts';

const LIMITS = { atOnce: 2, seconds: 30 };

/** Readers of a new file with one table of numbers that is still written to. */
async function opened(limits: ReaderLimits, module?: URL) {
  const { dataDir } = await emptyPlace();
  const { db, close } = await openDatabase({ databaseUrl: undefined, dataDir });
  await sql`create table numbers (n integer)`.execute(db);
  const readers = openReadWorkers(join(dataDir, SQLITE_FILE), limits, {}, module);
  atEnd(async () => {
    await readers.destroy();
    await close();
  });
  return { db, readers, pids: () => readerPidsOf(dataDir) };
}

const ENDLESS = sql`with recursive n (n) as (select 1 union all select n + 1 from n) select count(*) from n`;
const LONG = sql<{ many: number }>`with recursive n (n) as (
  select 1 union all select n + 1 from n limit 2000000) select count(*) as many from n`;
const SHORT = sql<{ one: number }>`select 1 as one`;

/** The processes of this one that have a file of this folder open. */
function readerPidsOf(dataDir: string): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' '))
    .map(Number)
    .filter((pid) => pid > 0 && openFilesOf(pid).some((path) => path.startsWith(dataDir)));
}

function openFilesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

test('a long query does not block others, and ends at its time limit', async () => {
  const { readers } = await opened({ ...LIMITS, seconds: 2 });
  // The time of the first query includes the start of its process.
  await Promise.all([1, 2].map(() => SHORT.execute(readers)));
  const long = ENDLESS.execute(readers).catch((error: unknown) => error);
  for (let times = 0; times < 3; times += 1)
    expect((await SHORT.execute(readers)).rows).toEqual([{ one: 1 }]);
  expect(await long).toMatchObject({ kind: 'unavailable', text: 'shared:tooSlow' });
  expect((await SHORT.execute(readers)).rows).toEqual([{ one: 1 }]);
});

test('a query is rejected with a retry time if all readers are busy for too long', async () => {
  const { readers } = await opened({ atOnce: 1, seconds: 30, waiting: 1, waitSeconds: 0.3 });
  const busy = { kind: 'busy', text: 'shared:reportsBusy', details: { retryAfterSeconds: 5 } };
  const long = ENDLESS.execute(readers).catch(() => undefined);
  const waits = SHORT.execute(readers).catch((error: unknown) => error);
  await expect(SHORT.execute(readers)).rejects.toMatchObject(busy);
  expect(await waits).toMatchObject(busy);
  await readers.destroy();
  await long;
});

test('a reader that is killed during a query is replaced, and the query is repeated', async () => {
  const { readers, pids } = await opened({ ...LIMITS, atOnce: 1 });
  await SHORT.execute(readers);
  const [pid = 0, ...others] = pids();
  expect(others).toEqual([]);
  const answer = LONG.execute(readers);
  await pause(5);
  process.kill(pid, 'SIGKILL');
  expect((await answer).rows).toEqual([{ many: 2_000_000 }]);
  expect(pids()).not.toContain(pid);
});

test('a reader that is killed while idle is replaced, and the query sent to it is repeated', async () => {
  const { readers, pids } = await opened({ ...LIMITS, atOnce: 1 });
  await SHORT.execute(readers);
  const [pid = 0] = pids();
  process.kill(pid, 'SIGKILL');
  // The server has not noticed the end yet, so this query goes to the killed process.
  expect((await SHORT.execute(readers)).rows).toEqual([{ one: 1 }]);
  expect(pids()).not.toContain(pid);
});

test('queries are rejected as unavailable if no reader can start', async () => {
  const { readers } = await opened(LIMITS, new URL('data:text/javascript,process.exit(1)'));
  for (let times = 0; times < 2; times += 1) {
    await expect(SHORT.execute(readers)).rejects.toMatchObject({
      kind: 'unavailable',
      text: 'shared:unavailable',
    });
  }
});

test('idle readers end, except the last', async () => {
  const { readers, pids } = await opened({ ...LIMITS, atOnce: 3, idleMs: 1_500 });
  const running = Promise.all([1, 2, 3].map(() => LONG.execute(readers)));
  await expect.poll(() => pids().length).toBe(3);
  await running;
  await expect.poll(() => pids().length).toBe(1);
  expect((await SHORT.execute(readers)).rows).toEqual([{ one: 1 }]);
});

test('an invalid query fails alone, and its reader continues', async () => {
  const { readers } = await opened(LIMITS);
  await expect(sql`select 1 from nowhere`.execute(readers)).rejects.toMatchObject({
    message: 'no such table: nowhere',
    code: 'SQLITE_ERROR',
  });
  await expect(sql`insert into numbers values (1) returning n`.execute(readers)).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  });
  expect((await SHORT.execute(readers)).rows).toEqual([{ one: 1 }]);
});

test('a query sees every earlier commit', async () => {
  const { db, readers } = await opened(LIMITS);
  for (let n = 1; n <= 50; n += 1) {
    await sql`insert into numbers values (${n})`.execute(db);
    const { rows } = await sql<{ most: number }>`select max(n) as most from numbers`.execute(readers);
    expect(rows).toEqual([{ most: n }]);
  }
});

test('the next statistics request includes newly logged hours', async () => {
  const app = await startApp();
  const ada = await anAdministrator(app);
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const ann = await aPerson(app, { schools: [school] });
  for (let logged = 1; logged <= 5; logged += 1) {
    const body = { userId: ann.id, activityId: activity.id, hours: 1, entryDate: '2026-02-01' };
    await app.call('POST /api/admin/time-entries', { token: ada.token, body });
    for (const path of ['analytics/activities', 'time-entries/summary']) {
      const of = `?schoolId=${school.id}&startDate=2026-01-15&endDate=2026-02-15`;
      const { body: figures } = await app.call(`GET /api/admin/${path}${of}`, { token: ada.token });
      const { totalEntries } = figures.summary ?? figures.activities[0];
      expect([path, totalEntries]).toEqual([path, logged]);
    }
  }
});

test('totals for one school and a period need no reader process; district totals need one', async () => {
  const app = await startApp();
  const ada = await anAdministrator(app);
  const school = await aSchool(app);
  const summaryOf = (query: string) =>
    app.call(`GET /api/admin/time-entries/summary?${query}startDate=2026-01-15&endDate=2026-02-15`, {
      token: ada.token,
    });
  const readers = () => readerPidsOf(app.deps.config.dataDir).length;
  expect([(await summaryOf(`schoolId=${school.id}&`)).status, readers()]).toEqual([200, 0]);
  // PostgreSQL has connections for reports.
  expect([(await summaryOf('')).status, readers()]).toEqual([200, ENGINE === 'sqlite' ? 1 : 0]);
});
