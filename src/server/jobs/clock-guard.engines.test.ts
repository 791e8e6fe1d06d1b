import { expect, test, vi } from 'vitest';
import { createJobs } from '#app/server/start-jobs.ts';
import { emailClockWarning } from '#features/operations/server/emails.ts';
import { anAdministrator, PASSWORD } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { canRunJobs, clockJump } from './clock-guard.ts';
import { type DailyJob, runDueJobs } from './daily-jobs.ts';

const HOUR_MS = 3_600_000;

async function aRunningServer() {
  const app = await startApp();
  const admin = await anAdministrator(app);
  const may = () => canRunJobs(app.deps, emailClockWarning);
  expect(await may()).toBe(true);
  // A wrong clock also ends sessions, so each call signs in first.
  const call = async (path: string, body: object = {}) => {
    const login = { email: admin.email, password: PASSWORD };
    const { token } = (await app.call('POST /api/auth/login', { body: login })).body;
    return app.call(path, { token, body });
  };
  const subjects = async () => (await emailsSentTo(app, admin.email)).map(({ subject }) => subject);
  return { app, may, call, subjects };
}

test('a clock that jumps by more than a day pauses jobs, and administrators get one email', async () => {
  const { app, may, call, subjects } = await aRunningServer();
  app.clock.advance(23 * HOUR_MS);
  expect(await may()).toBe(true);
  app.clock.advance(9 * 365 * 24 * HOUR_MS);
  const log = vi.spyOn(app.deps.log, 'error');
  expect([await may(), await may()]).toEqual([false, false]);
  expect(log).toHaveBeenCalledTimes(1);
  expect(await subjects()).toEqual(['The clock on the Maple Grove Schools server jumped']);
  expect((await call('POST /api/admin/system/jobs/retention/run')).status).toBe(409);
});

test('a server whose clock jumped runs no job', async () => {
  const { app } = await aRunningServer();
  const { db } = app.deps.database;
  app.clock.set('2035-03-04T18:00:00.000Z');
  const jobs = createJobs(app.deps, {});
  await jobs.start();
  await vi.waitFor(async () => {
    const letters = await db.selectFrom('emails').select('kind').where('kind', '=', 'server').execute();
    expect(letters).toHaveLength(1);
  });
  await jobs.stop();
  const ran = await db.selectFrom('server_state').select('name').where('name', 'like', 'ran:%').execute();
  expect([ran, await db.selectFrom('daily_jobs').selectAll().execute()]).toEqual([[], []]);
});

test('jobs continue once the clock is right again', async () => {
  const { app, may, subjects } = await aRunningServer();
  app.clock.set('2035-03-04T18:00:00.000Z');
  expect([await may(), (await subjects()).length]).toEqual([false, 1]);
  app.clock.set('2026-03-04T18:05:00.000Z');
  expect([await may(), (await subjects()).length]).toEqual([true, 2]);
  app.clock.set('2035-03-05T18:00:00.000Z');
  expect([await may(), (await subjects()).length]).toEqual([false, 3]);
});

test('jobs continue only once an administrator confirms the date of the server', async () => {
  const { app, may, call } = await aRunningServer();
  app.clock.set('2026-06-01T18:00:00.000Z');
  expect(await may()).toBe(false);
  const confirm = (today: string) => call('POST /api/admin/system/clock/confirm', { today });
  expect((await confirm('2026-06-02')).status).toBe(409);
  expect(await may()).toBe(false);
  expect((await confirm('2026-06-01')).status).toBe(200);
  expect(await may()).toBe(true);
});

test('the clock is compared with the newest row if the database has no recorded server time', async () => {
  const app = await startApp();
  const { token } = await anAdministrator(app);
  await app.call('POST /api/admin/schools', { token, body: { name: 'Lincoln' } });
  expect(await clockJump(app.deps)).toBeUndefined();
  app.clock.advance(25 * HOUR_MS);
  expect(await clockJump(app.deps)).toEqual({
    from: '2026-03-04T18:00:00.000Z',
    to: '2026-03-05T19:00:00.000Z',
  });
});

test('a daily job that ran under a clock years ahead runs again on the right date', async () => {
  const app = await startApp();
  const runs: number[] = [];
  const job: DailyJob = { name: 'counted', fromHour: 0, run: async () => void runs.push(1) };
  app.clock.set('2035-03-04T18:00:00.000Z');
  await runDueJobs(app.deps, [job]);
  app.clock.set('2026-03-04T18:00:00.000Z');
  await runDueJobs(app.deps, [job]);
  await runDueJobs(app.deps, [job]);
  expect(runs).toHaveLength(2);
});
