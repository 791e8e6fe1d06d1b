import { rm, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { SERVER_JOBS } from '#app/server/job-list.ts';
import { trackRunningImport } from '#features/imports/people/server/actions.ts';
import { storeBackupFailure, storeBackupResult } from '#server/backup/backup-status.ts';
import { transaction } from '#server/db/database.ts';
import { emailFolder } from '#server/email/email-files.ts';
import { leaseDueEmails, markEmailFailed, queueEmail } from '#server/email/outbox.ts';
import { deleteOldFailedRequests, openFailedRequests } from '#server/http/failed-requests.ts';
import { runJobAttempt } from '#server/jobs/job-attempt.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo, sendMail } from '#test/sent-emails.ts';
import { emailBackupStatus } from './emails.ts';
import { JOB_TITLES } from './job-titles.ts';

let app: TestApp;
let token: string;
beforeEach(async () => {
  app = await startApp();
  ({ token } = await aPerson(app, { role: 'admin', email: 'ada@maplegrove.example' }));
});

const call = (methodAndPath: string, body?: unknown) => app.call(methodAndPath, { token, body });
const warnings = async () =>
  (await call('GET /api/admin/system')).body.warnings.map(({ name }: { name: string }) => name);

/** A letter with a link in the outbox; returns its id. */
async function aLetter(to = 'ann@maplegrove.example'): Promise<number> {
  const at = app.clock.now();
  await transaction(app.deps.database, (trx) =>
    queueEmail(trx, app.deps, {
      kind: 'reset-link',
      userId: null,
      at,
      expiresAt: plusMilliseconds(at, 3_600_000),
      letter: {
        to: { name: 'Ann', address: to },
        language: 'en',
        subject: 'Apricot',
        paragraphs: ['https://example.org/?token=apricot'],
        footnotes: [],
      },
    }),
  );
  const row = await app.deps.database.db
    .selectFrom('emails')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The same, refused for good by a mail server. */
async function aRefusedLetter(): Promise<number> {
  const id = await aLetter();
  const [taken] = await leaseDueEmails(app.deps, 1);
  if (taken?.id !== id) throw new Error('another letter was due');
  await markEmailFailed(app.deps, taken, 'EENVELOPE 550');
  return id;
}

describe('the System screen', () => {
  test('returns its data to administrators only', async () => {
    const { status, body } = await call('GET /api/admin/system');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      startedAt: app.clock.now(),
      engine: app.deps.database.engine,
      photos: { count: 0, bytes: 0, store: 'disk' },
      mail: { waiting: 0, failed: 0, oldestAt: null },
      mailFolder: { files: 0 },
      backup: { lastAt: null, lastError: null, to: null, lastRestoreTestAt: null },
      exports: [],
      syncs: [],
      imports: [],
      hoursImports: [],
      failures: [],
    });
    expect(body.database.bytes).toBeGreaterThan(10_000);
    expect(body.database.migrations).toBe(1);
    expect(body.disk.freeBytes).toBeGreaterThan(0);
    expect(body.jobs.map(({ name }: { name: string }) => name)).toEqual(SERVER_JOBS.map(({ name }) => name));
    expect((await app.call('GET /api/admin/system', { token: (await aPerson(app)).token })).status).toBe(403);
  });

  test('counts emails in the folder only while no mail server is set', async () => {
    await aLetter();
    const system = async () => (await call('GET /api/admin/system')).body;
    expect(await system()).toMatchObject({ mail: { waiting: 1 }, mailFolder: { files: 0 } });
    await sendMail(app);
    expect(await system()).toMatchObject({ mail: { waiting: 0 }, mailFolder: { files: 1 } });
    await rm(emailFolder(app.deps), { recursive: true });
    await writeFile(emailFolder(app.deps), '');
    expect((await system()).mailFolder).toEqual({ files: null });

    const sending = await startApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
    const ada = await anAdministrator(sending);
    const { body } = await sending.call('GET /api/admin/system', { token: ada.token });
    expect(body.mail).toEqual({ waiting: 0, failed: 0, oldestAt: null });
    expect(body).not.toHaveProperty('mailFolder');
    const test = await sending.call('POST /api/admin/system/test-mail', { token: ada.token, body: {} });
    expect(test.body.message).toBe(`A test email to ${ada.email} is on its way`);
  });

  test('warns about a missing, old or failed backup, with a remedy for each', async () => {
    const { db } = app.deps.database;
    const [access, none] = (await call('GET /api/admin/system')).body.warnings;
    expect(access).toMatchObject({ name: 'access', remedy: expect.stringContaining('Settings') });
    expect(none).toEqual({
      name: 'backup',
      message: 'There is no backup',
      remedy:
        'Set BACKUP_TO to a folder on another disk or to a bucket. The server then backs up every night.',
    });
    await storeBackupResult(db, { to: '/backups', bytes: 7, milliseconds: 9 }, app.clock.now());
    expect(await warnings()).not.toContain('backup');
    app.clock.advance(49 * 3_600_000);
    ({ token } = await anAdministrator(app));
    expect(await warnings()).toContain('backup');
    await storeBackupResult(db, { to: '/backups', bytes: 7, milliseconds: 9 }, app.clock.now());
    app.clock.advance(1_000);
    await storeBackupFailure(db, 'no space', app.clock.now());
    const { body } = await call('GET /api/admin/system');
    expect(body.backup).toMatchObject({ to: '/backups', lastError: 'no space' });
    const failed = body.warnings.find(({ name }: { name: string }) => name === 'backup');
    expect(failed).toMatchObject({
      message: 'The last backup failed: no space',
      remedy: expect.stringMatching(/^Check that the location exists and has space,/),
    });
  });

  test('groups failed requests by route and shows the last one', async () => {
    await app.deps.database.db.schema.dropTable('password_links').execute();
    await app.call(`GET /api/auth/verify-reset-token/${'a'.repeat(43)}`);
    const last = await app.call(`GET /api/auth/verify-reset-token/${'b'.repeat(43)}`);
    await call('GET /api/nothing');
    expect((await call('GET /api/admin/system')).body.failures).toEqual([
      {
        method: 'GET',
        route: '/api/auth/verify-reset-token/:token',
        status: 500,
        count: 2,
        lastAt: app.clock.now(),
        lastId: last.body.requestId,
      },
    ]);
  });
});

test('the System screen lists running work with its owner and progress', async () => {
  const ann = await aPerson(app, { role: 'admin', firstName: 'Ann' });
  const school = await aSchool(app);
  const at = app.clock.now();
  const { db } = app.deps.database;
  const exported = {
    user_id: ann.id,
    format: 'csv',
    asked: '{}',
    done: 4,
    total: 9,
    created_at: at,
    expires_at: at,
  } as const;
  await db
    .insertInto('exports')
    .values([
      { ...exported, token_hash: 'a'.repeat(64), done: 4, started_at: at, seen_at: at },
      { ...exported, token_hash: 'b'.repeat(64), started_at: at, seen_at: at, outcome: 'done' },
      { ...exported, token_hash: 'c'.repeat(64) },
    ])
    .execute();
  const activity = await anActivity(app, { school });
  const [{ id: sync_id } = expect.fail('there is one')] = await db
    .insertInto('drive_syncs')
    .values([
      { kind: 'manual', requested_by: ann.id, requested_at: at },
      { kind: 'nightly', requested_by: null, requested_at: at },
      { kind: 'nightly', requested_by: null, requested_at: at, finished_at: at },
    ])
    .returning('id')
    .execute();
  const of = { sync_id, activity_id: activity.id };
  await db
    .insertInto('drive_sync_activities')
    .values({ ...of, position: 1, name: 'Fair', state: 'running' })
    .execute();
  const states = ['waiting', 'stored', 'skipped'] as const;
  await db
    .insertInto('drive_sync_photos')
    .values(states.map((state, photo_id) => ({ ...of, photo_id, state })))
    .execute();
  const elsewhere = await aSchool(app);
  const hours = {
    made: 0,
    left_out: 0,
    undone: 0,
    imported_by: ann.id,
    imported_at: at,
    counts_immediately: 0,
    reason: null,
    planned: 900,
  } as const;
  await db
    .insertInto('time_entry_imports')
    .values([
      { ...hours, school_id: school.id, state: 'running', made: 300, left_out: 2 },
      { ...hours, school_id: elsewhere.id, state: 'undoing', imported_by: null, made: 800, undone: 100 },
      { ...hours, school_id: elsewhere.id, state: 'done', made: 900 },
    ])
    .execute();
  const { body } = await trackRunningImport(app.deps, { by: ann.id, startedAt: at }, () =>
    call('GET /api/admin/system'),
  );
  expect(body).toMatchObject({
    exports: [{ format: 'csv', by: expect.stringMatching(/^Ann /), done: 4, total: 9, startedAt: at }],
    imports: [{ by: expect.stringMatching(/^Ann /), startedAt: at }],
    hoursImports: [
      { by: expect.stringMatching(/^Ann /), startedAt: at, isUndone: false, done: 302, total: 900 },
      { by: null, startedAt: at, isUndone: true, done: 100, total: 800 },
    ],
    syncs: [
      { id: sync_id, kind: 'manual', by: expect.stringMatching(/^Ann /), done: 2, total: 3 },
      { kind: 'nightly', by: null, done: 0, total: 0 },
    ],
  });
  expect((await call('GET /api/admin/system')).body.imports).toEqual([]);
});

describe('failed requests', () => {
  const failed = (route: string, id: string) => ({ method: 'GET', route, status: 500, id });
  const shown = async () =>
    (await call('GET /api/admin/system')).body.failures.map(
      ({ route, count, lastId }: { route: string; count: number; lastId: string }) => [route, count, lastId],
    );

  test('are counted across servers, including stopped ones', async () => {
    const [one, other] = [openFailedRequests(app.deps), openFailedRequests(app.deps)];
    one.note(failed('/api/plum', 'a'), app.clock.now());
    one.note(failed('/api/pear', 'b'), app.clock.now());
    await one.flush();
    app.clock.advance(1_000);
    other.note(failed('/api/plum', 'c'), app.clock.now());
    await other.flush();
    expect(await shown()).toEqual([
      ['/api/plum', 2, 'c'],
      ['/api/pear', 1, 'b'],
    ]);
  });

  test('are grouped across days and deleted after a week', async () => {
    const failures = openFailedRequests(app.deps);
    failures.note(failed('/api/plum', 'a'), app.clock.now());
    failures.note(failed('/api/pear', 'b'), app.clock.now());
    await failures.flush();
    app.clock.advance(6 * 86_400_000);
    failures.note(failed('/api/plum', 'c'), app.clock.now());
    expect(await failures.list()).toMatchObject([
      { route: '/api/plum', count: 2, lastId: 'c', lastAt: app.clock.now() },
      { route: '/api/pear', count: 1 },
    ]);
    app.clock.advance(86_400_000);
    await transaction(app.deps.database, (trx) => deleteOldFailedRequests(trx, app.clock.now()));
    expect(await failures.list()).toMatchObject([{ route: '/api/plum', count: 1, lastId: 'c' }]);
    const { db } = app.deps.database;
    expect(await db.selectFrom('failed_requests').selectAll().execute()).toHaveLength(1);
  });

  test('stay in memory while the database fails, up to 200 groups', async () => {
    const failures = openFailedRequests(app.deps);
    const { db } = app.deps.database;
    await sql`alter table failed_requests rename to plums`.execute(db);
    failures.note(failed('/api/plum', 'a'), app.clock.now());
    await failures.flush();
    for (let at = 0; at < 201; at += 1) failures.note(failed(`/api/${at}`, 'b'), app.clock.now());
    await failures.flush();
    failures.note(failed('/api/200', 'c'), app.clock.now());
    await sql`alter table plums rename to failed_requests`.execute(db);
    await failures.flush();
    const rows = await db.selectFrom('failed_requests').select(['route', 'count']).execute();
    expect(rows).toHaveLength(200);
    expect(rows).toContainEqual({ route: '/api/200', count: 2 });
    expect(rows.some(({ route }) => route === '/api/plum' || route === '/api/0')).toBe(false);
  });
});

describe('a background job', () => {
  test('has a readable title', () => {
    expect(SERVER_JOBS.filter(({ name }) => JOB_TITLES[name] === undefined)).toEqual([]);
  });

  const named = async (name: string) =>
    (await call('GET /api/admin/system')).body.jobs.find((job: { name: string }) => job.name === name);

  test('runs on request and records the administrator in the audit log', async () => {
    expect(await named('checkSumsNightly')).toMatchObject({ lastRunAt: null, lastError: null });
    const { status, body } = await call('POST /api/admin/system/jobs/checkSumsNightly/run');
    expect([status, body.ok, body.message]).toEqual([200, true, 'The job is done']);
    expect(await named('checkSumsNightly')).toEqual({
      name: 'checkSumsNightly',
      title: 'Compare totals with entries',
      lastRunAt: app.clock.now(),
      lastMilliseconds: expect.any(Number),
      lastError: null,
      nextRunAt: plusMilliseconds(app.clock.now(), 3_600_000),
    });
    const record = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['action', 'after'])
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(record).toEqual({ action: 'system.job-run', after: '{"job":"checkSumsNightly"}' });
    expect((await call('POST /api/admin/system/jobs/apricot/run')).status).toBe(404);
  });

  test('shows the error class but not the message of a failure, until it succeeds', async () => {
    await runJobAttempt(app.deps, 'sweepReplies', async () => {
      throw new TypeError('ann@maplegrove.example');
    });
    expect(await named('sweepReplies')).toMatchObject({ lastError: 'TypeError', lastRunAt: app.clock.now() });
    expect(await warnings()).toContain('jobs');
    await call('POST /api/admin/system/jobs/sweepReplies/run');
    expect(await named('sweepReplies')).toMatchObject({ lastError: null });
    expect(await warnings()).not.toContain('jobs');
  });

  test('shows the time of its next daily run in the district’s time zone', async () => {
    // Noon in Chicago: the letter of seven o'clock is due, the sync of the night ran.
    await runJobAttempt(app.deps, 'suggestion-digest', async () => undefined);
    expect(await named('suggestion-digest')).toMatchObject({ nextRunAt: '2026-03-05T13:00:00.000Z' });
    app.clock.set('2026-03-07T18:00:00.000Z');
    ({ token } = await anAdministrator(app));
    await runJobAttempt(app.deps, 'suggestion-digest', async () => undefined);
    // The clocks change in that night.
    expect(await named('suggestion-digest')).toMatchObject({ nextRunAt: '2026-03-08T12:00:00.000Z' });
  });
});

test('the totals check reports totals that differ from their entries', async () => {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  await anEntry(app, { by: await aPerson(app, { schools: [school] }), activity });
  await call('POST /api/admin/system/jobs/checkSumsNightly/run');
  expect(await warnings()).not.toContain('sums');
  const sums = app.deps.database.db.updateTable('school_sums').where('school_id', '=', school.id);
  await sums.set({ hours_hundredths: 1 }).execute();
  await call('POST /api/admin/system/jobs/checkSumsNightly/run');
  expect(await warnings()).toContain('sums');
});

describe('the email queue', () => {
  const queue = async () => (await call('GET /api/admin/mail-queue')).body.letters;

  test('lists recipients and failures, but never the content', async () => {
    const refused = await aRefusedLetter();
    const waiting = await aLetter('bo@maplegrove.example');
    const reply = await call('GET /api/admin/mail-queue');
    expect(reply.body).toEqual({
      letters: [
        {
          id: waiting,
          kind: 'reset-link',
          to: 'bo@maplegrove.example',
          createdAt: app.clock.now(),
          attempts: 0,
          dueAt: app.clock.now(),
          state: 'waiting',
          reason: null,
        },
        expect.objectContaining({
          id: refused,
          to: 'ann@maplegrove.example',
          attempts: 1,
          state: 'failed',
          reason: 'EENVELOPE 550',
        }),
      ],
      nextCursor: null,
    });
    expect(reply.text).not.toMatch(/apricot/i);
    expect((await call('GET /api/admin/system')).body.mail).toEqual({
      waiting: 1,
      failed: 1,
      oldestAt: app.clock.now(),
    });
    expect(await warnings()).toContain('mail');
  });

  test('returns pages by cursor', async () => {
    const ids = [await aLetter(), await aLetter(), await aLetter()];
    const first = await call('GET /api/admin/mail-queue?limit=2');
    const second = await call(`GET /api/admin/mail-queue?limit=2&cursor=${first.body.nextCursor}`);
    const idsOf = ({ body }: typeof first) => body.letters.map(({ id }: { id: number }) => id);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    expect(second.body.nextCursor).toBeNull();
  });

  test('does not retry a rejected email, but an administrator can resend it', async () => {
    const id = await aRefusedLetter();
    app.clock.advance(1_800_000);
    ({ token } = await anAdministrator(app));
    expect(await leaseDueEmails(app.deps, 5)).toEqual([]);
    expect((await call(`POST /api/admin/mail-queue/${id}/retry`)).status).toBe(200);
    expect((await leaseDueEmails(app.deps, 5)).map((mail) => mail.id)).toEqual([id]);
    const busy = await call(`POST /api/admin/mail-queue/${id}/retry`);
    expect([busy.status, busy.body.error]).toEqual([409, 'This email is being sent right now']);
    expect((await call(`DELETE /api/admin/mail-queue/${id}`)).status).toBe(409);
  });

  test('cannot resend an expired email, only drop it', async () => {
    const id = await aRefusedLetter();
    app.clock.advance(3_600_001);
    ({ token } = await anAdministrator(app));
    expect((await call(`POST /api/admin/mail-queue/${id}/retry`)).status).toBe(409);
    expect(await leaseDueEmails(app.deps, 5)).toEqual([]);
    expect(await queue()).toMatchObject([{ id, to: null, state: 'failed', reason: 'expired' }]);
    expect((await call(`DELETE /api/admin/mail-queue/${id}`)).status).toBe(200);
    expect(await queue()).toEqual([]);
  });

  test('deletes the content of a dropped email and never sends it', async () => {
    const id = await aLetter();
    expect((await call(`DELETE /api/admin/mail-queue/${id}`)).status).toBe(200);
    expect([await queue(), await leaseDueEmails(app.deps, 5)]).toEqual([[], []]);
    const { db } = app.deps.database;
    const row = await db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row).toMatchObject({ sealed: null, failure: 'dropped' });
    for (const again of [`DELETE /api/admin/mail-queue/${id}`, `POST /api/admin/mail-queue/${id}/retry`]) {
      expect((await call(again)).status).toBe(404);
    }
    const actions = await db
      .selectFrom('audit_events')
      .select(['action', 'after'])
      .orderBy('id', 'desc')
      .execute();
    expect(actions[0]).toEqual({ action: 'system.mail-drop', after: '{"letter":"reset-link"}' });
  });
});

test('a test email goes to the administrator or a given address, and is rate limited', async () => {
  const own = await call('POST /api/admin/system/test-mail', {});
  expect(own.body.message).toBe(
    "Email isn't set up, so the test email to ada@maplegrove.example was not sent. It is in the “outbox” folder on the server",
  );
  const other = await call('POST /api/admin/system/test-mail', { to: 'post@maplegrove.example' });
  expect(other.status).toBe(200);
  const letters = await leaseDueEmails(app.deps, 5);
  expect(letters.map(({ letter }) => [letter.to.address, letter.subject])).toEqual([
    ['ada@maplegrove.example', 'Test email'],
    ['post@maplegrove.example', 'Test email'],
  ]);
  expect((await call('POST /api/admin/system/test-mail', { to: 'nobody' })).body.fields).toHaveProperty('to');
  const statuses = [];
  for (let time = 0; time < 10; time++) {
    statuses.push((await call('POST /api/admin/system/test-mail', {})).status);
  }
  expect(statuses.at(-1)).toBe(429);
});

test('an administrator can turn off backup emails without affecting others', async () => {
  const other = await anAdministrator(app);
  const read = async (whose = token) =>
    (await app.call('GET /api/admin/system/backup-mail', { token: whose })).body.mail;
  const tell = (reason: string | null) =>
    transaction(app.deps.database, (trx) => emailBackupStatus(trx, app.deps, reason));
  expect(await read()).toEqual({ isWanted: true });
  await tell('the disk is full');
  const [letter] = await emailsSentTo(app, 'ada@maplegrove.example');
  expect(letter?.text).toContain(
    'To stop emails about backups, clear “Email me when a backup fails” in Settings',
  );
  for (const isWanted of [false, false]) {
    expect(await call('PUT /api/admin/system/backup-mail', { isWanted })).toMatchObject({
      status: 200,
      body: { mail: { isWanted }, message: 'Your choice was saved' },
    });
  }
  expect([await read(), await read(other.token)]).toEqual([{ isWanted: false }, { isWanted: true }]);
  await tell('the disk is full');
  await tell(null);
  expect(await emailsSentTo(app, 'ada@maplegrove.example')).toHaveLength(1);
  expect(await emailsSentTo(app, other.email)).toHaveLength(3);
  await call('PUT /api/admin/system/backup-mail', { isWanted: true });
  await tell('the disk is full');
  expect(await emailsSentTo(app, 'ada@maplegrove.example')).toHaveLength(2);
  for (const isWanted of ['no', null, 1]) {
    expect((await call('PUT /api/admin/system/backup-mail', { isWanted })).status).toBe(400);
  }
});
