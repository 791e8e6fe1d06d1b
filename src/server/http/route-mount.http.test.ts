import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { emailDiskWarning } from '#features/operations/server/emails.ts';
import { watchDisk } from '#features/operations/server/monitoring.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { ENGINE, startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { commitsOf } from '#test/transactions.ts';
import { multipart } from '#test/upload.ts';

let app: TestApp;
let ann: Awaited<ReturnType<typeof aPerson>>;
let activity: Awaited<ReturnType<typeof anActivity>>;
beforeAll(async () => {
  app = await startApp();
  const school = await aSchool(app);
  ann = await aPerson(app, { schools: [school] });
  activity = await anActivity(app, { school });
});
afterEach(() => {
  vi.useRealTimers();
});

const logHours = (headers: Record<string, string> = {}, body: object = {}) =>
  app.call('POST /api/time-entries', {
    token: ann.token,
    body: { activityId: activity.id, hours: 1, ...body },
    headers,
  });

describe('a session token', () => {
  test.each([
    ['Bearer <token>', 200],
    ['bearer <token>', 200],
    ['<token>', 401],
    ['Basic <token>', 401],
    ['xBearer <token>', 401],
    ['Bearer <token>x', 401],
    ['Bearer <token> x', 401],
    ['Bearer  <token>', 401],
    ['Bearer', 401],
  ])('in the header "%s" returns %d', async (header, status) => {
    const authorization = header.replace('<token>', ann.token);
    expect((await app.call('GET /api/profile', { headers: { authorization } })).status).toBe(status);
  });
});

describe('an upload in progress', () => {
  test('is rejected if the user is deactivated before it has arrived', async () => {
    const school = await aSchool(app);
    const bob = await aPerson(app, { schools: [school] });
    const to = await anActivity(app, { school });
    const ada = await anAdministrator(app);
    const { body, headers } = await multipart('photos', [
      { name: 'a.jpg', content: Buffer.alloc(200_000, 1) },
    ]);
    const uploads = () => readdirSync(join(app.dataDir, 'uploads')).length;
    async function* slowly() {
      yield body.subarray(0, 100_000);
      await vi.waitFor(() => expect(uploads()).toBeGreaterThan(0));
      const gone = { token: ada.token, body: { isActive: false } };
      expect((await app.call(`PUT /api/admin/users/${bob.id}`, gone)).status).toBe(200);
      yield body.subarray(100_000);
    }
    const reply = await app.app.inject({
      method: 'POST',
      url: `/api/activities/${to.id}/photos`,
      headers: { ...headers, authorization: `Bearer ${bob.token}` },
      payload: Readable.from(slowly()),
    });
    expect(reply.statusCode).toBe(401);
  });
});

describe('an Idempotency-Key', () => {
  test.each(['!', '~'.repeat(200), 'a1b2-C3_d4'])(
    'of printable ASCII characters is accepted: %s',
    async (key) => {
      const [first, again] = [
        await logHours({ 'idempotency-key': key }),
        await logHours({ 'idempotency-key': key }),
      ];
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body.timeEntry.id).toBe(first.body.timeEntry.id);
    },
  );

  test.each(['', 'a b', 'ä', '~'.repeat(201), ' '])(
    'with other characters, or too long or empty, is rejected: %j',
    async (key) => {
      expect((await logHours({ 'idempotency-key': key })).status).toBe(400);
    },
  );

  test('returns 409 if it was used for another body', async () => {
    const key = { 'idempotency-key': 'used-twice' };
    expect((await logHours(key)).status).toBe(201);
    expect((await logHours(key, { hours: 2 })).status).toBe(409);
  });
});

describe('an edit of a changed record with the If-Match header', () => {
  test.each([
    ['"1"', 409],
    ['1', 409],
    ['W/"1"', 409],
    ['"999999999999999"', 409],
    ['x"1"', 200],
    ['"1"x', 200],
    ['"1000000000000000"', 200],
    ['*', 200],
  ])('%s returns %d', async (given, status) => {
    const [{ token }, school] = [await anAdministrator(app), await aSchool(app)];
    const bea = await aPerson(app, { schools: [school] });
    const change = (firstName: string, headers: Record<string, string> = {}) =>
      app.call(`PUT /api/admin/users/${bea.id}`, { token, body: { firstName }, headers });
    expect((await change('Once')).status).toBe(200);
    expect((await change('Twice', { 'if-match': given })).status).toBe(status);
  });
});

describe('the browser of a sign-in', () => {
  const places = async (key: string, agent = 'test') => {
    const bea = await aPerson(app);
    const body = { email: bea.email, password: PASSWORD };
    const headers = { 'x-device-key': key, 'user-agent': agent };
    const { body: said } = await app.call('POST /api/auth/login', { body, headers });
    const { db } = app.deps.database;
    const known = await db.selectFrom('known_devices').select('mark').where('user_id', '=', bea.id).execute();
    const sessions = await db
      .selectFrom('sessions')
      .select('agent')
      .where('user_id', '=', said.user.id)
      .orderBy('id', 'desc')
      .execute();
    return { known: known.length, agent: sessions[0]?.agent };
  };

  test.each([
    ['a'.repeat(20), 2],
    ['Az09_-'.repeat(10), 2],
    ['a'.repeat(100), 2],
    ['a'.repeat(19), 1],
    ['a'.repeat(101), 1],
    [`${'a'.repeat(20)} b`, 1],
    [`/${'a'.repeat(20)}`, 1],
  ])('with the device key %s leads to %d known devices after two sign-ins', async (key, known) => {
    expect((await places(key)).known).toBe(known);
  });

  test('is stored as the first 300 characters of its user agent', async () => {
    expect((await places('', 'x'.repeat(400))).agent).toBe('x'.repeat(300));
  });
});

test('an error names its field, or the row and field of a list', async () => {
  const { token } = await anAdministrator(app);
  const roster = await app.call('POST /api/admin/time-entries/roster', {
    token,
    body: {
      activityId: activity.id,
      entries: [
        { userId: ann.id, hours: 1 },
        { userId: ann.id, hours: 77 },
      ],
    },
  });
  expect([roster.status, Object.keys(roster.body.fields)]).toEqual([400, ['entries.1.hours']]);
  const invited = await app.call('POST /api/admin/invites', {
    token,
    body: { email: 'x@y.example', schoolIds: ['a'] },
  });
  expect([invited.status, Object.keys(invited.body.fields)]).toEqual([400, ['schoolIds']]);
});

test('a full disk allows only reads, deletions and sign-ins once the space reserve is used', async () => {
  const entry = await anEntry(app, { by: ann, activity });
  // The reserve is recreated after a second, once there is space.
  vi.useFakeTimers({ toFake: ['performance'] });
  expect(app.deps.diskReserve.release()).toBe(true);
  const logged = await logHours();
  const full = [503, '30', "The server's disk is full"];
  expect([logged.status, logged.headers['retry-after'], logged.body.error?.slice(0, 25)]).toEqual(
    ENGINE === 'sqlite' ? full : [201, undefined, undefined],
  );
  const seen = await app.call('GET /api/profile', { token: ann.token });
  const notice = ENGINE === 'sqlite' ? 'full' : undefined;
  expect([seen.status, seen.headers['x-storage']]).toEqual([200, notice]);
  const ready = await app.call('GET /readyz');
  expect([ready.status, ready.body.error]).toEqual(
    ENGINE === 'sqlite' ? [503, logged.body.error] : [200, undefined],
  );
  expect((await app.call(`DELETE /api/time-entries/${entry.id}`, { token: ann.token })).status).toBe(200);
  const body = { email: ann.email, password: PASSWORD };
  const { status, body: said } = await app.call('POST /api/auth/login', { body });
  expect(status).toBe(200);
  expect((await app.call('POST /api/auth/logout', { token: said.token })).status).toBe(204);
  vi.advanceTimersByTime(1000);
  expect((await logHours()).status).toBe(201);
  expect((await app.call('GET /readyz')).status).toBe(200);
});

test.runIf(ENGINE === 'sqlite')(
  'a full disk sends administrators one email, and another when there is space again',
  async () => {
    const own = await startApp();
    const admin = await anAdministrator(own);
    const subjects = async () => (await emailsSentTo(own, admin.email)).map(({ subject }) => subject);
    vi.useFakeTimers({ toFake: ['performance'] });
    own.deps.diskReserve.release();
    await watchDisk(own.deps, emailDiskWarning);
    await watchDisk(own.deps, emailDiskWarning);
    expect(await subjects()).toEqual(['The disk on the Maple Grove Schools server is full']);
    vi.advanceTimersByTime(1000);
    await watchDisk(own.deps, emailDiskWarning);
    expect((await subjects()).at(-1)).toBe('The Maple Grove Schools server has disk space again');
    vi.useRealTimers();
  },
);

test.runIf(ENGINE === 'sqlite')('a deletion on a full disk uses the reserve and succeeds', async () => {
  const own = await startApp();
  const school = await aSchool(own);
  const bea = await aPerson(own, { schools: [school] });
  const fair = await anActivity(own, { school });
  const entries = [];
  for (let i = 0; i < 40; i++) entries.push(await anEntry(own, { by: bea, activity: fair }));
  const seen = commitsOf();
  onTestFinished(() => void vi.restoreAllMocks());
  const room = vi.spyOn(own.deps.diskReserve, 'release').mockImplementation(() => {
    seen.connection?.pragma('max_page_count = 1000000');
    return true;
  });
  await sql`pragma max_page_count = 1`.execute(own.deps.database.db);
  const log = { token: bea.token, body: { activityId: fair.id, hours: 1 } };
  const statuses = new Set<number>();
  for (let i = 0; i < 200 && !statuses.has(503); i++) {
    statuses.add((await own.call('POST /api/time-entries', log)).status);
  }
  expect([statuses, room.mock.calls.length]).toEqual([new Set([201, 503]), 0]);
  for (const { id } of entries) {
    const reply = await own.call(`DELETE /api/time-entries/${id}`, { token: bea.token });
    expect(reply.status).toBe(200);
  }
  expect(room.mock.calls.length).toBe(1);
  expect((await own.call('DELETE /api/time-entries/999999', { token: bea.token })).status).toBe(404);
  expect(room.mock.calls.length).toBe(1);
});

test('a method that a path does not support returns 405 with an error message', async () => {
  const reply = await app.call('PUT /api/auth/login', { body: {} });
  expect([reply.status, Object.keys(reply.body), typeof reply.body.error]).toEqual([
    405,
    ['error'],
    'string',
  ]);
});
