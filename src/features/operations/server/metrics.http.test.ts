import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storeBackupResult, storeLogReplicationState } from '#server/backup/backup-status.ts';
import { runJobAttempt } from '#server/jobs/job-attempt.ts';
import { anActivity, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

const NOT_COPIED = { to: '/l', copiedAt: null, failure: 'it ended', failingSince: null };
const TOKEN = 'maple-lantern-42-orchard';
const DEPLOY = join(import.meta.dirname, '../../../../deploy/monitoring');

const ask = (app: TestApp, token?: string) => app.call('GET /metrics', { token });

describe('Prometheus metrics', () => {
  test('return 404 if no token is configured', async () => {
    const app = await startApp();
    expect((await ask(app)).status).toBe(404);
    expect((await ask(app, TOKEN)).status).toBe(404);
  });

  test('require the token', async () => {
    const app = await startApp({ METRICS_TOKEN: TOKEN });
    const { token } = await aPerson(app);
    for (const wrong of [undefined, `${TOKEN}x`, TOKEN.slice(1), 'x', token]) {
      const reply = await ask(app, wrong);
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    const right = await ask(app, TOKEN);
    expect([right.status, right.headers['content-type'], right.headers['cache-control']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
  });

  test('include hours, backup age, failed jobs and requests by route, without personal data', async () => {
    const app = await startApp({ METRICS_TOKEN: TOKEN });
    const school = await aSchool(app);
    const person = await aPerson(app, { schools: [school] });
    await anEntry(app, { by: person, activity: await anActivity(app, { school }), hours: 2.5 });
    await storeBackupResult(app.deps.database.db, { to: '/b', bytes: 1, milliseconds: 1 }, app.clock.now());
    await storeLogReplicationState(app.deps.database.db, NOT_COPIED, app.clock.now());
    app.clock.advance(60_000);
    await runJobAttempt(app.deps, 'failing-job', async () => Promise.reject(new Error('no')));
    await app.call('GET /api/photos/123456?search=apricot', { token: person.token });
    await app.call('GET /apricot');
    const { text } = await ask(app, TOKEN);
    const figure = (start: string) => text.split('\n').find((line) => line.startsWith(`${start} `));
    expect(figure('vtt_hours_logged')).toBe('vtt_hours_logged 2.5');
    expect(figure('vtt_time_entries')).toBe('vtt_time_entries 1');
    expect(figure('vtt_backup_age_seconds')).toBe('vtt_backup_age_seconds 60');
    expect(figure('vtt_log_copy_failing')).toBe('vtt_log_copy_failing 1');
    expect(figure('vtt_queue_length{queue="jobs_failed"}')).toMatch(/ 1$/);
    expect(figure('vtt_job_failed{job="failing-job"}')).toMatch(/ 1$/);
    expect(figure('vtt_database_up')).toBe('vtt_database_up 1');
    const counted = 'vtt_http_request_duration_seconds_count';
    expect(figure(`${counted}{method="GET",route="/api/photos/:id",status="404"}`)).toMatch(/ 1$/);
    expect(figure(`${counted}{method="GET",route="(none)",status="404"}`)).toMatch(/ 1$/);
    expect(text).not.toMatch(/apricot|123456|maplegrove/);
    expect(namesIn(text).every((name) => name.startsWith('vtt_'))).toBe(true);
  });

  test('omit the backup age and the totals check until there is a value', async () => {
    const { text } = await ask(await startApp({ METRICS_TOKEN: TOKEN }), TOKEN);
    expect(text).not.toMatch(/^vtt_backup_age_seconds /m);
    expect(text).not.toMatch(/^vtt_sums_wrong_schools /m);
  });

  test('include the process metrics while the database is down', async () => {
    const app = await startApp({ METRICS_TOKEN: TOKEN });
    await app.deps.database.db.schema.dropTable('emails').execute();
    const { status, text } = await ask(app, TOKEN);
    expect([status, /^vtt_database_up 0$/m.test(text), /^vtt_memory_resident_bytes \d/m.test(text)]).toEqual([
      200,
      true,
      true,
    ]);
    expect(text).not.toMatch(/^vtt_hours_logged /m);
  });

  test('are computed fewer than five times for 400 simultaneous requests', async () => {
    const app = await startApp({ METRICS_TOKEN: TOKEN });
    const replies = await Promise.all(Array.from({ length: 400 }, () => ask(app, TOKEN)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBeLessThan(5);
  });
});

describe('the monitoring files', () => {
  test.each(['alerts.yml', 'dashboard.json'])('use only existing metric names: %s', async (file) => {
    const { text } = await ask(await startApp({ METRICS_TOKEN: TOKEN }), TOKEN);
    const known = new Set(namesIn(text).flatMap((name) => [name, ...parts(name)]));
    const used = readFileSync(join(DEPLOY, file), 'utf8').match(/\bvtt_[a-z_]+/g) ?? [];
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  test('include a dashboard with a query in every panel', () => {
    const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'dashboard.json'), 'utf8'));
    expect(panels.length).toBeGreaterThan(8);
    for (const { title, targets } of panels)
      expect([title, targets[0].expr]).toEqual([title, expect.stringMatching(/vtt_/)]);
  });
});

// From the line that says each one's type: it is there even when there is no figure yet.
function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
}

function parts(name: string): string[] {
  return ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`);
}
