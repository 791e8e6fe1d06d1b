import { connect } from 'node:net';
import fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { fullTest } from '#test/full-test.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { checkRoutePermissions } from './route-mount.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

describe('a URL', () => {
  test('with a doubled prefix reaches the same route, with the same access check', async () => {
    const ann = await aPerson(app);
    expect((await app.call('GET /api/api/profile', { token: ann.token })).body.user.id).toBe(ann.id);
    expect((await app.call('GET /api/api/profile')).status).toBe(401);
    expect((await app.call('GET /api/api/admin/schools', { token: ann.token })).status).toBe(403);
  });

  test.each(['//api/profile', '/API/profile', '/api/api/api/profile', '/api/profile/'])(
    'written as %s returns 404',
    async (path) => {
      const ada = await anAdministrator(app);
      expect((await app.call(`GET ${path}`, { token: ada.token })).status).toBe(404);
    },
  );

  test('that is unknown returns 404 with a readable error', async () => {
    const reply = await app.call('GET /api/nothing');
    expect([reply.status, reply.body]).toEqual([404, { error: 'Not found' }]);
  });

  test('accepts only its own method, and no method override', async () => {
    const wrong = await app.call('PUT /api/auth/login', { body: {} });
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'POST']);
    const overridden = await app.call('GET /api/profile', { headers: { 'x-http-method-override': 'POST' } });
    expect(overridden.status).toBe(401);
  });
});

describe('a body', () => {
  const send = (payload: string, type = 'application/json') =>
    app.app.inject({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': type } });

  test.each([
    ['not JSON', '{"email":'],
    ['a list', '[]'],
    ['a number', '7'],
    ['a string', '"x"'],
    ['null instead of an object', 'null'],
    ['a poisoned prototype', '{"__proto__":{"role":"admin"}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"role":"admin"}}}'],
    ['deeper than eight levels', `${'['.repeat(9)}${']'.repeat(9)}`],
    ['absurdly deep', '['.repeat(60_000)],
  ])('that is %s is rejected as invalid', async (_name, payload) => {
    const reply = await send(payload);
    expect(reply.statusCode).toBe(400);
    expect(typeof reply.json().error).toBe('string');
    expect(Object.keys(reply.json())).not.toContain('statusCode');
  });

  test('may have many brackets in a string', async () => {
    const reply = await send(JSON.stringify({ email: '[[[[[[[[[[{{{{', password: '"[[[[[[[[[' }));
    expect(reply.statusCode).toBe(401);
  });

  test('of another type returns 415, and one over 64 KB returns 413', async () => {
    const xml = await send('<a/>', 'application/xml');
    expect([xml.statusCode, xml.json()]).toEqual([415, { error: 'Send this as application/json' }]);
    const large = await send(JSON.stringify({ email: 'x'.repeat(70_000), password: 'y' }));
    expect([large.statusCode, large.json()]).toEqual([413, { error: 'This request is too large' }]);
  });
});

test('a bug returns "Request failed" with the request id, and nothing about its cause', async () => {
  const broken = await startApp();
  await broken.deps.database.db.schema.dropTable('password_links').execute();
  const reply = await broken.call(`GET /api/auth/verify-reset-token/${'a'.repeat(43)}`);
  expect(reply.status).toBe(500);
  expect(reply.body).toEqual({
    error: 'Request failed',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('the server does not start with a route that does not declare who may call it', async () => {
  const server = fastify();
  checkRoutePermissions(server);
  server.get('/open', { config: { gate: 'public' } }, async () => 'ok');
  server.get('/api/forgotten', async () => 'ok');
  await expect(server.ready()).rejects.toThrow('GET /api/forgotten does not say who may call it');
});

test('browsers never cache or sniff API replies', async () => {
  const reply = await app.call('GET /api/config');
  expect(reply.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test('API replies cannot run as a page or be framed, and require HTTPS', async () => {
  const own = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example' });
  for (const path of ['/api/config', '/api/profile', '/api/nothing', '/api/photos/1/files/view']) {
    const { headers } = await own.call(`GET ${path}`);
    expect([path, headers['content-security-policy'], headers['strict-transport-security']]).toEqual([
      path,
      "default-src 'none'; frame-ancestors 'none'",
      'max-age=31536000',
    ]);
  }
  expect((await app.call('GET /api/config')).headers['strict-transport-security']).toBeUndefined();
});

test("/api/config returns the public settings, with the date in the district's time zone", async () => {
  app.clock.set('2026-03-05T05:59:59.000Z');
  const reply = await app.call('GET /api/config');
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      districtName: 'Maple Grove Schools',
      supportEmail: 'help@maplegrove.example',
      timeZone: 'America/Chicago',
      today: '2026-03-04',
      schoolYearStart: '2025-07-01',
      registration: 'open',
      languages: ['en', 'es'],
      passwordMinLength: 6,
    },
  ]);
  app.clock.set('2026-03-05T06:00:00.000Z');
  expect((await app.call('GET /api/config')).body.today).toBe('2026-03-05');
});

test('/healthz succeeds while the process runs, /readyz while the database can be reached', async () => {
  const own = await startApp();
  expect((await own.call('GET /healthz')).body).toEqual({ status: 'ok' });
  expect((await own.call('GET /readyz')).body).toEqual({ status: 'ready' });
  await own.deps.database.close();
  expect((await own.call('GET /healthz')).status).toBe(200);
  await expect.poll(async () => (await own.call('GET /readyz')).status).toBe(503);
});

fullTest(
  'the server disconnects a client that does not finish its headers, and serves others meanwhile',
  async () => {
    const own = await startApp();
    const address = await own.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = new URL(address);
    const closed = new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'));
      socket.on('close', () => resolve()).on('error', () => resolve());
      socket.resume();
    });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    await closed;
  },
  20_000,
);

test('a forwarded address counts only from a trusted proxy', async () => {
  const addressSeen = async (settings: Record<string, string>) => {
    const own = await startApp(settings);
    const school = await aSchool(own);
    const body = {
      email: 'pat@maplegrove.example',
      password: 'sunny-meadow-17',
      firstName: 'Pat',
      lastName: 'Lee',
      schoolIds: [school.id],
    };
    await own.call('POST /api/auth/register', {
      body,
      headers: { 'x-forwarded-for': '203.0.113.9' },
      from: '10.0.0.7',
    });
    const row = await own.deps.database.db
      .selectFrom('audit_events')
      .select('address')
      .where('action', '=', 'account.register')
      .executeTakeFirstOrThrow();
    return row.address;
  };
  expect(await addressSeen({})).toBe('10.0.0.7');
  expect(await addressSeen({ TRUSTED_PROXIES: '10.0.0.0/8' })).toBe('203.0.113.9');
});

test('the same idempotency key from two users counts as two requests with separate replies', async () => {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const people = [await aPerson(app, { schools: [school] }), await aPerson(app, { schools: [school] })];
  const body = { activityId: activity.id, hours: 2, schoolId: school.id };
  const headers = { 'idempotency-key': 'chosen-alike' };
  const ids: number[] = [];
  for (const { token } of people) {
    const first = await app.call('POST /api/time-entries', { token, body, headers });
    const again = await app.call('POST /api/time-entries', { token, body, headers });
    expect([first.status, again.body.timeEntry.id]).toEqual([201, first.body.timeEntry.id]);
    ids.push(first.body.timeEntry.id);
  }
  const rows = await app.deps.database.db
    .selectFrom('time_entries')
    .select(['id', 'user_id'])
    .where('activity_id', '=', activity.id)
    .orderBy('id')
    .execute();
  expect(rows).toEqual(people.map((person, i) => ({ id: ids[i], user_id: person.id })));
});
