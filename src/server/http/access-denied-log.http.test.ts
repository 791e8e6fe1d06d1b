import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listUsers } from '#features/users/admin-contract.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aSchool,
  editOf,
  PASSWORD,
} from '#test/builders.ts';
import { failingInserts } from '#test/fault-injection.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { openAccessDenials } from './access-denied-log.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
let school: { id: number; name: string };
let ann: Awaited<ReturnType<typeof aPerson>>;
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app);
});
beforeEach(async () => {
  ann = await aPerson(app, { schools: [school] });
});

const recorded = async (by: { id: number }) =>
  (await recordOf(app, 'user', by.id)).map(({ action, after }) => [action, after?.request]);
const ask = (call: string, by = ann) => app.call(call, { token: by.token, from: '192.0.2.7' });

describe('denied access is logged', () => {
  test('when a volunteer calls an administrator endpoint', async () => {
    expect((await ask('GET /api/admin/users')).status).toBe(403);
    expect((await ask('DELETE /api/admin/users/1')).status).toBe(403);
    expect(await recorded(ann)).toEqual([
      ['access.refuse', 'GET /admin/users'],
      ['access.refuse', 'DELETE /admin/users/1'],
    ]);
    const [first] = await recordOf(app, 'user', ann.id);
    expect(first).toMatchObject({ actorId: ann.id, address: '192.0.2.7', at: app.clock.now() });
  });

  test("when a volunteer requests another volunteer's entry or school, existing or not", async () => {
    const other = await aPerson(app, { schools: [school] });
    const entry = await anEntry(app, { by: other, activity: await anActivity(app, { school }) });
    const elsewhere = await aSchool(app);
    expect((await ask(`DELETE /api/time-entries/${entry.id}`)).status).toBe(404);
    expect((await ask(`GET /api/activities?schoolId=${elsewhere.id}`)).status).toBe(404);
    expect((await ask('GET /api/photos/999999')).status).toBe(404);
    expect((await ask('GET /api/schools/tok_secret/photos')).status).toBe(404);
    expect(await recorded(ann)).toEqual([
      ['access.miss', `DELETE /time-entries/${entry.id}`],
      ['access.miss', `GET /activities?schoolId=${elsewhere.id}`],
      ['access.miss', 'GET /photos/999999'],
      ['access.miss', 'GET /schools/:id/photos'],
    ]);
  });

  test('once an hour for each user and endpoint, however often it happens', async () => {
    const bea = await aPerson(app, { schools: [school] });
    await Promise.all(Array.from({ length: 40 }, (_, n) => ask(`DELETE /api/admin/users/${n + 1}`)));
    await ask('DELETE /api/admin/users/1', bea);
    expect([(await recorded(ann)).length, (await recorded(bea)).length]).toEqual([1, 1]);
    app.clock.advance(HOUR_MS - 1);
    await ask('DELETE /api/admin/users/1');
    expect((await recorded(ann)).length).toBe(1);
    app.clock.advance(1);
    await ask('DELETE /api/admin/users/1');
    expect((await recorded(ann)).length).toBe(2);
  });

  test('when a user sends fields that would grant permissions, and the fields are ignored', async () => {
    const profile = { firstName: 'Ann', lastName: 'Lee', email: ann.email, schoolIds: [school.id] };
    const send = (body: object, by = ann) =>
      app.call('PUT /api/profile', { token: by.token, body: { ...profile, ...body } });
    // Anyone who sends back what they were given claims nothing.
    await send({ id: ann.id, userId: ann.id, role: 'user', isActive: true, isAdmin: false });
    expect(await recorded(ann)).not.toContainEqual(['access.claim', 'PUT /profile']);
    const { status, body } = await send({ role: 'admin', isActive: false, adminScope: 'all' });
    expect([status, body.user.role]).toEqual([200, 'user']);
    await Promise.all([1, 2, 3].map(() => send({ isAdmin: true })));
    const claims = (await recordOf(app, 'user', ann.id)).filter(({ action }) => action === 'access.claim');
    expect(claims).toMatchObject([
      { actorId: ann.id, after: { request: 'PUT /profile', fields: ['role', 'isActive', 'adminScope'] } },
    ]);
    // An administrator may set these fields elsewhere.
    const ada = await anAdministrator(app);
    expect((await send({ email: ada.email, role: 'admin', isActive: false }, ada)).status).toBe(200);
    expect(await recorded(ada)).not.toContainEqual(['access.claim', 'PUT /profile']);
  });

  test('but not for a field that the user is allowed to send', async () => {
    const eve = await aPersonWithRole(app, 'school-admin', school);
    const activity = await anActivity(app, { school });
    const log = (body: object) =>
      app.call('POST /api/admin/time-entries', { token: eve.token, body: { ...body, hours: 1 } });
    expect((await log({ userId: ann.id, activityId: activity.id })).status).toBe(201);
    expect(await recorded(eve)).toEqual([]);
    expect((await log({ userId: ann.id, activityId: activity.id, isAdmin: true })).status).toBe(201);
    expect(await recorded(eve)).toEqual([['access.claim', 'POST /admin/time-entries']]);
  });

  test('when an anonymous user registers with fields that would grant permissions', async () => {
    const claims = async () =>
      await app.deps.database.db
        .selectFrom('audit_events')
        .select('actor_id')
        .where('action', '=', 'access.claim')
        .execute();
    const before = (await claims()).length;
    const register = (email: string) =>
      app.call('POST /api/auth/register', {
        body: {
          email,
          password: PASSWORD,
          firstName: 'Eve',
          lastName: 'Low',
          schoolIds: [school.id],
          role: 'admin',
        },
      });
    const { status, body } = await register('eve@example.org');
    expect([status, body.user?.role]).toEqual([201, 'user']);
    await register('eva@example.org');
    expect((await claims()).slice(before)).toEqual([{ actor_id: null }]);
  });

  test('but not for signed-out users, unknown paths, or an unknown record that an administrator requests', async () => {
    const ada = await anAdministrator(app);
    const count = async () =>
      (await app.deps.database.db.selectFrom('audit_events').select('id').execute()).length;
    const before = await count();
    expect((await app.call('GET /api/admin/users')).status).toBe(401);
    expect((await ask('GET /api/photos/999999', ada)).status).toBe(404);
    expect((await ask('GET /api/nothing')).status).toBe(404);
    expect(await count()).toBe(before);
  });

  test('but not when a body is invalid or names unknown records; of a path, only numeric ids are stored', async () => {
    const activity = await anActivity(app, { school });
    const entry = await anEntry(app, { by: ann, activity });
    const send = (call: string, body: object) => app.call(call, { token: ann.token, body });
    expect(
      (await send(`PUT /api/time-entries/${entry.id}`, await editOf(app, entry.id, { hours: -1 }))).status,
    ).toBe(400);
    expect((await send('POST /api/time-entries', { activityId: 999_999, hours: 1 })).status).toBe(404);
    expect(await recorded(ann)).toEqual([]);
    for (const id of ['tok7', '7tok']) {
      expect((await ask(`GET /api/photos/${id}`)).status).toBe(404);
      app.clock.advance(HOUR_MS);
    }
    expect(await recorded(ann)).toEqual([
      ['access.miss', 'GET /photos/:id'],
      ['access.miss', 'GET /photos/:id'],
    ]);
  });

  test('for at most five thousand pairs of user and endpoint an hour', async () => {
    const refusals = openAccessDenials(app.deps);
    const refused = async (userId: number, at: Instant) => {
      const viewer = { userId, role: 'user', sessionId: 1, schoolIds: [], grants: [] } as const;
      const request = { at, address: '192.0.2.7', requestId: 'test', agent: 'test' };
      const asked = { endpoint: listUsers, incoming: { params: {}, query: {}, body: {} }, viewer, request };
      await refusals.recordError(asked, errors.forbidden(commonMessages.adminRequired));
    };
    const first = 1_000_000;
    const isRecorded = async (id: number) => (await recordOf(app, 'user', id)).length;
    const at = app.clock.now();
    // The first one is older than the others, and makes room when its hour is over.
    await refused(first, at);
    const later = plusMilliseconds(at, 60_000);
    for (let n = 1; n < 5000; n += 100) {
      const some = Array.from({ length: Math.min(100, 5000 - n) }, (_, more) => first + n + more);
      await Promise.all(some.map((id) => refused(id, later)));
    }
    await refused(first + 5000, later);
    expect([await isRecorded(first + 4999), await isRecorded(first + 5000)]).toEqual([1, 0]);
    const hourLater = plusMilliseconds(at, HOUR_MS);
    await refused(first + 5000, hourLater);
    await refused(first + 5001, hourLater);
    expect([await isRecorded(first + 5000), await isRecorded(first + 5001)]).toEqual([1, 0]);
    await refused(first + 1, hourLater);
    expect(await isRecorded(first + 1)).toBe(1);
  }, 120_000);

  test('and the reply is the same if logging fails', async () => {
    const broken = failingInserts(app.deps.database, 'audit_events');
    await broken.begin();
    const refused = await ask('GET /api/admin/users');
    await broken.mend();
    expect([refused.status, refused.body]).toEqual([403, { error: 'Admin access required' }]);
    expect(await recorded(ann)).toEqual([]);
  });
});

test('sign-ins are logged, and one that cannot be logged starts no session', async () => {
  const signIn = (password: string) =>
    app.call('POST /api/auth/login', { body: { email: ann.email, password }, from: '192.0.2.8' });
  expect((await signIn('wrong')).status).toBe(401);
  expect((await signIn(PASSWORD)).status).toBe(200);
  const told = (await recordOf(app, 'user', ann.id)).map(({ action, actorId, address }) => [
    action,
    actorId,
    address,
  ]);
  expect(told).toEqual([
    ['session.fail', null, '192.0.2.8'],
    ['session.start', ann.id, '192.0.2.8'],
  ]);
  const sessions = async () =>
    (await app.deps.database.db.selectFrom('sessions').select('id').where('user_id', '=', ann.id).execute())
      .length;
  const before = await sessions();
  const broken = failingInserts(app.deps.database, 'audit_events');
  await broken.begin();
  const failed = await signIn(PASSWORD);
  await broken.mend();
  expect([failed.status >= 500, await sessions()]).toEqual([true, before]);
});
