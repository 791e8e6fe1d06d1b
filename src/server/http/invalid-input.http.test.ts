import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint.ts';
import { allEndpoints, callOf } from '#test/all-endpoints.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  editOf,
  PASSWORD,
} from '#test/builders.ts';
import { atEnd, startApp, type TestApp, TODAY } from '#test/harness.ts';

let app: TestApp;
let address: string;
beforeAll(async () => {
  const pages = mkdtempSync(join(tmpdir(), 'pages-'));
  atEnd(() => rmSync(pages, { recursive: true, force: true }));
  mkdirSync(join(pages, 'assets'));
  writeFileSync(join(pages, 'index.html'), '<!doctype html>');
  writeFileSync(join(pages, 'assets', 'app.js'), '');
  app = await startApp({}, { pages });
  address = await app.app.listen({ port: 0, host: '127.0.0.1' });
});

const endpoints = [...(await allEndpoints()).values()];
const queryOf = ({ parts }: Endpoint) =>
  Object.keys((parts.query as { shape?: object } | undefined)?.shape ?? {});

describe('a URL', () => {
  const LONG = 'x'.repeat(10_000);

  test.each([
    '//',
    '//assets/app.js',
    '/..',
    '/../',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/../../secret.key',
    '/%00',
    '/assets/%00',
    '/index.html%00.js',
    '/\\',
    '/%5c..%5c',
    '/assets\\app.js',
    '/%ff',
    '/%',
    '/%ED%A0%80',
    '/.env',
    `/${LONG}`,
    `/assets/${LONG}`,
    `/${'a/'.repeat(5000)}`,
    `/api/${LONG}`,
    `/api/schools/logos/${LONG}`,
    '/api//config',
    '/api/../api/config',
    '/api/%00',
    '/api/\\config',
    '/api/schools/logos/%00',
    '/api/schools/logos/..%2f..%2fsecret.key',
    '/api/schools/logos/%ED%A0%80',
  ])('without a resource returns 404: %s', async (path) => {
    const reply = await send('GET', path);
    expect([reply.status, JSON.parse(reply.text).error]).toEqual([404, expect.stringMatching(/not found$/i)]);
  });

  test.each(['/api/photos/1/files/%00', '/api/photos/%00/files/view?expires=%00&signature=%00'])(
    'of an image without a valid signature returns 403: %s',
    async (path) => {
      const reply = await send('GET', path);
      expect([reply.status, JSON.parse(reply.text)]).toEqual([403, { error: 'Link expired or invalid' }]);
    },
  );

  test('that is not a valid export link returns 404', async () => {
    expect((await send('GET', '/api/exports/%00')).status).toBe(404);
  });

  test.each(['/?%', `/?${LONG}`, '/?__proto__=1', '/api/config?%00=%00&__proto__[a]=1'])(
    'with odd query parameters returns 200: %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(200);
    },
  );

  test.each(['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'])(
    'requested with %s never causes a server error',
    async (method) => {
      for (const path of [
        '/',
        '/api/config',
        '/api/nothing',
        '/..',
        '*',
        'http://elsewhere.example/api/config',
      ]) {
        expect([path, (await send(method, path)).status < 500]).toEqual([path, true]);
      }
    },
  );
});

describe('text that databases cannot store', () => {
  test.each(['\0', '\uD800', 'a\uDC00b', 'a\0b'])('is accepted by every search: %j', async (odd) => {
    const ada = await anAdministrator(app);
    const searched = endpoints.filter((endpoint) => queryOf(endpoint).includes('search'));
    expect(searched.length).toBeGreaterThan(5);
    for (const endpoint of searched) {
      // Half a surrogate pair cannot be part of an address: a client sends its replacement.
      const search = encodeURIComponent(odd.toWellFormed());
      const reply = await app.call(`GET /api${endpoint.path}?search=${search}`, { token: ada.token });
      expect([endpoint.path, reply.status]).toEqual([endpoint.path, 200]);
    }
  });

  test('is treated as an unknown address at sign-in and for a reset link', async () => {
    for (const email of ['\uD800@maplegrove.example', 'a\0\uDC00@maplegrove.example']) {
      const signedIn = await app.call('POST /api/auth/login', { body: { email, password: PASSWORD } });
      expect([signedIn.status, signedIn.body.error]).toEqual([401, 'Invalid email or password']);
      expect((await app.call('POST /api/auth/forgot-password', { body: { email } })).status).toBe(200);
    }
  });

  test('is stored with a replacement character', async () => {
    const ada = await anAdministrator(app);
    const name = 'Field Day \uD83C and\0 more';
    const reply = await app.call('POST /api/admin/schools', { token: ada.token, body: { name } });
    expect(reply.body.school.name).toBe('Field Day \uFFFD and more');
  });
});

describe('a very early or late date', () => {
  test.each([
    ['1900-01-01', '1900-01-01'],
    ['1900-01-01', '2999-12-31'],
    ['2999-12-31', '2999-12-31'],
  ])('is accepted by every list and total: %s to %s', async (startDate, endDate) => {
    const school = await aSchool(app);
    const pat = await aPerson(app, { schools: [school] });
    const ada = await anAdministrator(app);
    const category = await aCategory(app, { school });
    await anEntry(app, { by: pat, activity: await anActivity(app, { school, category }) });
    const bounded = endpoints.filter((endpoint) => queryOf(endpoint).includes('startDate'));
    expect(bounded.length).toBeGreaterThan(5);
    for (const { path } of bounded) {
      for (const query of [`startDate=${startDate}&endDate=${endDate}`, `endDate=${endDate}`]) {
        const reply = await app.call(`GET /api${path}?${query}`, { token: ada.token });
        // Without a rate there is no in-kind match.
        expect([path, reply.status]).toEqual([path, path.endsWith('/in-kind') ? 409 : 200]);
      }
    }
  });
});

describe('a body', () => {
  const takers = endpoints.filter(({ method, parts }) => method !== 'GET' && parts.files === undefined);

  test.each(['null', '[]', '[{}]', '7', '"x"', 'true'])(
    'that is %s is rejected by every endpoint',
    async (payload) => {
      const ada = await anAdministrator(app);
      for (const endpoint of takers) {
        const url = `/api${endpoint.path.replace(/:\w+/g, '1')}`;
        const reply = await app.app.inject({
          method: endpoint.method,
          url,
          payload,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
        });
        const said = [callOf(endpoint), reply.statusCode, reply.json().error];
        expect(said).toEqual([callOf(endpoint), 400, 'Invalid request body']);
      }
    },
  );
});

describe('a blank field', () => {
  test('does not filter any list or total', async () => {
    const ada = await anAdministrator(app);
    const read = endpoints.filter(({ method, parts }) => method === 'GET' && parts.file === undefined);
    const asked = read.flatMap((endpoint) => {
      const names = queryOf(endpoint);
      return names.length === 0 ? [] : [{ path: endpoint.path.replace(/:\w+/g, '1'), names }];
    });
    expect(asked.length).toBeGreaterThan(15);
    for (const { path, names } of asked) {
      const answer = async (query: string) => {
        const { status, body } = await app.call(`GET /api${path}${query}`, { token: ada.token });
        return [path, status, { ...body, photos: undefined }];
      };
      const whole = await answer('');
      expect(await answer(`?${names.map((name) => `${name}=`).join('&')}`)).toEqual(whole);
      expect(await answer(`?${names.map((name) => `${name}=%20`).join('&')}`)).toEqual(whole);
    }
  });

  test('in a new entry means today, no notes and the school of the activity', async () => {
    const { pat, activity, school } = await aVolunteerWithActivity();
    const body = { activityId: activity.id, hours: 1.5, entryDate: '', notes: '', schoolId: '' };
    const reply = await app.call('POST /api/time-entries', { token: pat.token, body });
    expect(reply.body.timeEntry).toMatchObject({ entryDate: TODAY, notes: null, schoolId: school.id });
  });

  test.each([{ hours: '' }, { hours: null }, {}, { activityId: '', hours: 1 }])(
    'in a new entry is reported if it is required: %j',
    async (sent) => {
      const { pat, activity } = await aVolunteerWithActivity();
      const body = { activityId: activity.id, ...sent };
      const reply = await app.call('POST /api/time-entries', { token: pat.token, body });
      expect([reply.status, reply.body.error]).toEqual([400, 'Please select an activity and enter hours']);
    },
  );

  test.each([{ hours: '' }, { hours: null }, { activityId: '' }])(
    'in an edited entry is reported if it is required: %j',
    async (body) => {
      const { pat, activity } = await aVolunteerWithActivity();
      const entry = await anEntry(app, { by: pat, activity });
      const reply = await app.call(`PUT /api/time-entries/${entry.id}`, {
        token: pat.token,
        body: await editOf(app, entry.id, body),
      });
      expect([reply.status, reply.body.error]).toEqual([400, 'Please fill in all required fields']);
    },
  );

  test('in a row of a group entry means a row without hours', async () => {
    const { pat, activity } = await aVolunteerWithActivity();
    const ada = await anAdministrator(app);
    const body = { activityId: activity.id, entryDate: '', entries: [{ userId: pat.id, hours: '' }] };
    const reply = await app.call('POST /api/admin/time-entries/roster', { token: ada.token, body });
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([400, ['entries.0.hours']]);
  });

  test('in an activity, a suggestion, an export and a report means no value', async () => {
    const { pat, activity, school } = await aVolunteerWithActivity();
    const ada = await anAdministrator(app);
    const days = { activeFrom: '', activeUntil: '' };
    const change = await app.call(`PUT /api/admin/activities/${activity.id}`, {
      token: ada.token,
      body: days,
    });
    expect(change.body.activity).toMatchObject({ activeFrom: null, activeUntil: null });
    const idea = { name: 'Garden Day', ...days, categoryId: '', schoolId: school.id, isYearLong: '' };
    const suggested = await app.call('POST /api/activity-suggestions', { token: pat.token, body: idea });
    expect([suggested.status, suggested.body.suggestion?.categoryId]).toEqual([201, null]);
    const filter = {
      startDate: '',
      endDate: '',
      userId: '',
      activityId: '',
      schoolId: '',
      sortBy: '',
      weekday: '',
    };
    const file = { ...filter, format: 'csv' };
    expect(
      (await app.call('POST /api/admin/time-entries/export', { token: ada.token, body: file })).status,
    ).toBe(201);
    const bounds = { startDate: '', endDate: '' };
    expect((await app.call('POST /api/reports/statement', { token: pat.token, body: bounds })).status).toBe(
      200,
    );
  });

  test('is reported with its own message if it is required', async () => {
    const ada = await anAdministrator(app);
    const reply = await app.call('POST /api/admin/schools', { token: ada.token, body: { name: '' } });
    expect([reply.status, reply.body.error]).toEqual([400, 'School name is required']);
  });
});

async function aVolunteerWithActivity() {
  const school = await aSchool(app);
  const pat = await aPerson(app, { schools: [school] });
  return { school, pat, activity: await anActivity(app, { school }) };
}

/** Sends a path unchanged; the client of the other tests would normalize it. */
function send(method: string, path: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = request(address, { method, path, agent: false }, async (reply) => {
    let text = '';
    for await (const chunk of reply.setEncoding('utf8')) text += chunk;
    resolve({ status: reply.statusCode ?? 0, text });
  });
  asked.on('error', reject).end();
  return promise;
}

describe('an edit without fields', () => {
  test.each([{}, { somethingElse: 1 }])('is rejected: %j', async (body) => {
    const ada = await anAdministrator(app);
    const school = await aSchool(app);
    for (const path of ['profile', `admin/schools/${school.id}`, `admin/users/${ada.id}`]) {
      const reply = await app.call(`PUT /api/${path}`, { token: ada.token, body });
      expect([path, reply.status]).toEqual([path, 400]);
      expect(reply.body.error).toBe(
        'There is nothing to change. The request contains no field of this record.',
      );
    }
  });
});
