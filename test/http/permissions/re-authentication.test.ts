import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint.ts';
import { allEndpoints, callOf } from '../../all-endpoints.ts';
import { aPerson, aSchool, PASSWORD } from '../../builders.ts';
import { startApp } from '../../harness.ts';
import { PERMISSIONS } from './permission-table.ts';
import { requestOf } from './requests.ts';
import { make } from './resources.ts';
import { another, everyPersona, type Persona, theSchools } from './users.ts';

const MINUTE = 60_000;

const app = await startApp();
const schools = await theSchools(app);
const someone = (await everyPersona(app, schools)).find(({ role }) => role === 'administrator') as Persona;
const endpoints = [...(await allEndpoints()).values()];
const withGate = endpoints.filter((one) => PERMISSIONS[callOf(one)]?.gate !== 'public');

/** For a call that asks only in some case: a body that is the case. */
const CASES: Readonly<Record<string, (school: { id: number }) => object | Promise<object>>> = {
  'PUT /profile': () => ({ email: 'another@maplegrove.example' }),
  'POST /admin/users': ({ id }) => ({
    email: 'made@maplegrove.example',
    firstName: 'Nia',
    lastName: 'New',
    schoolIds: [id],
    role: 'admin',
  }),
  'PUT /admin/settings': () => ({ secondFactorGraceDays: 20 }),
  'PUT /admin/users/:id': () => ({ role: 'admin' }),
  'POST /admin/users/many': async () => ({
    userIds: [(await aPerson(app, { role: 'admin' })).id],
    count: 1,
    deed: 'deactivate',
  }),
  'PUT /admin/photos/settings': async () => {
    const { token } = await another(app, someone);
    await app.call('PUT /api/admin/photos/settings', { token, body: { review: true } });
    return { review: false };
  },
  'POST /admin/invites': ({ id }) => ({
    email: 'asked@maplegrove.example',
    schoolIds: [id],
    grants: [{ role: 'coordinator', schoolId: id }],
  }),
  'POST /admin/memberships/approve': () => ({}),
  'POST /admin/user-imports': () => ({}),
  'POST /admin/users/:id/invite': () => ({ email: null }),
  'POST /admin/invites/:id/resend': () => ({}),
  'DELETE /admin/activity-suggestions/:id': () => ({}),
};

/** Whose usual body is such a case: it gives a role, deletes for good, or is answered with a link for want of a mail server. */
const USUALLY = [
  'POST /admin/user-imports',
  'POST /admin/users',
  'POST /admin/invites',
  'POST /admin/invites/:id/resend',
  'POST /admin/users/:id/invite',
  'DELETE /admin/activity-suggestions/:id',
];

/** The answer to a well-formed call of an administrator who signed in so long ago. */
async function answerTo(endpoint: Endpoint, ago: number, given?: object) {
  const call = callOf(endpoint);
  const { thing } = PERMISSIONS[call] ?? { thing: 'nothing' };
  const persona = await another(app, someone);
  const target = await make(app, schools, thing, { persona, relation: 'another school' });
  const { method, path, body, headers } = await requestOf(app, endpoint, { thing, target, persona });
  const isApproval = given !== undefined && call === 'POST /admin/memberships/approve';
  const more = isApproval ? grantAt(target.schoolId) : given;
  if (given !== undefined && call === 'POST /admin/users/:id/invite')
    await leaveUnopened(Number(target.name));
  app.clock.advance(ago);
  const sent = Buffer.isBuffer(body) ? body : body === undefined ? undefined : { ...body, ...more };
  const reply = await app.app.inject({
    method,
    url: path,
    headers: { authorization: `Bearer ${persona.token}`, ...headers },
    ...(sent === undefined ? {} : { payload: sent }),
  });
  return { status: reply.statusCode, asks: reply.body.includes('"fresh":true'), text: reply.body };
}

// An administrator's account that has no password yet.
const leaveUnopened = (id: number) =>
  app.deps.database.db
    .updateTable('users')
    .set({ is_walk_in: 0, role: 'admin', password_hash: null, email_verified_at: app.clock.now() })
    .where('id', '=', id)
    .execute();

const grantAt = (schoolId: number) => ({ grants: [{ role: 'coordinator', schoolId }] });

describe('more than ten minutes after sign-in, only the declared endpoints require re-authentication', () => {
  test.each(withGate.map((endpoint) => [callOf(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    const late = await answerTo(endpoint, 10 * MINUTE + 1);
    const asks = endpoint.parts.freshProof === 'always' || USUALLY.includes(callOf(endpoint));
    expect([late.asks, late.asks ? late.status : 403]).toEqual([asks, 403]);
  });
});

/** What cannot be taken back, or lets somebody in. Written here once more, so that no contract loses it unseen. */
const NEVER_WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'deletes permanently': [
    'DELETE /admin/users/:id',
    'POST /admin/users/:id/erase',
    'POST /admin/users/:id/merge',
    'POST /admin/merges/:id/undo',
    'DELETE /admin/schools/:id',
    'DELETE /admin/categories/:id',
    'DELETE /admin/activities/:id',
    'POST /admin/activities/bulk/:id/undo',
    'DELETE /admin/activity-suggestions/:id',
    'POST /admin/user-imports/:id/undo',
    'DELETE /admin/mail-queue/:id',
    'POST /admin/system/jobs/:name/run',
  ],
  'shortens a period, or shows photos to more people': ['PUT /admin/settings'],
  'lifts a legal hold': ['POST /admin/legal-holds/:id/lift'],
  'connects Google Drive': ['GET /admin/google-drive/auth-url'],
  'removes a way to sign in': ['DELETE /profile/providers/:id', 'DELETE /admin/users/:id/second-factor'],
  'shows a link that opens an account': [
    'POST /admin/users',
    'POST /admin/users/:id/invite',
    'POST /admin/invites',
    'POST /admin/invites/:id/resend',
    'POST /admin/user-imports',
  ],
};

test.each(Object.entries(NEVER_WITHOUT))('a call requires recent authentication if it %s', (_, calls) => {
  const asking = endpoints.filter(({ parts }) => parts.freshProof !== undefined).map(callOf);
  expect(calls.filter((call) => !asking.includes(call))).toEqual([]);
});

const inSomeCase = endpoints.filter(({ parts }) => typeof parts.freshProof === 'object');

test('every endpoint that requires re-authentication in some cases has a case in this test', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(inSomeCase.map(callOf).toSorted());
});

describe('re-authentication', () => {
  test.each(inSomeCase.map((endpoint) => [callOf(endpoint), endpoint] as const))(
    'is required after more than ten minutes in the listed case: %s',
    async (call, endpoint) => {
      const given = (await CASES[call]?.(schools.home)) ?? {};
      const before = await answerTo(endpoint, 10 * MINUTE + 1, given);
      expect([before.status, before.asks]).toEqual([403, true]);
      const soon = await answerTo(endpoint, 10 * MINUTE, given);
      expect([soon.asks, soon.status < 300]).toEqual([false, true]);
    },
  );

  test.each([
    ['who can register', { registration: 'approval' }, { registration: 'open' }],
    ['showing photos to more people', { photosSeenBy: 'members' }, { photosSeenBy: 'approved' }],
    ['a shorter retention period', { retention: { entries: 12 } }, { retention: { entries: null } }],
  ])('is required to change a setting: %s', async (_, change, before) => {
    const { token } = await another(app, someone);
    const send = (body: object) => app.call('PUT /api/admin/settings', { token, body });
    expect((await send(before)).status).toBe(200);
    app.clock.advance(10 * MINUTE + 1);
    expect(await send(change)).toMatchObject({ status: 403, body: { fresh: true } });
    expect((await send(before)).status).toBe(200);
    await app.call('POST /api/auth/fresh', { token, body: { password: PASSWORD } });
    expect((await send(change)).status).toBe(200);
  });

  test('is required to show a link again for a repeated request', async () => {
    const { token } = await another(app, someone);
    const school = await aSchool(app);
    const invite = { email: 'repeats@maplegrove.example', schoolIds: [school.id] };
    const headers = { 'idempotency-key': 'shows-a-link' };
    const send = () => app.call('POST /api/admin/invites', { token, body: invite, headers });
    const first = await send();
    app.clock.advance(10 * MINUTE + 1);
    const late = await send();
    expect([late.status, late.body.fresh, late.text.includes('http')]).toEqual([403, true, false]);
    await app.call('POST /api/auth/fresh', { token, body: { password: PASSWORD } });
    expect((await send()).body).toEqual(first.body);
  });

  test('is required before a request that would show a link has any effect', async () => {
    const { token } = await another(app, someone);
    const school = await aSchool(app);
    const invite = { email: 'waits@maplegrove.example', schoolIds: [school.id] };
    const person = { ...invite, email: 'made@school.example', firstName: 'Nia', lastName: 'New' };
    const sent = await app.call('POST /api/admin/invites', { token, body: invite });
    app.clock.advance(10 * MINUTE + 1);
    for (const [call, body] of [
      ['POST /api/admin/invites', invite],
      [`POST /api/admin/invites/${sent.body.invite.id}/resend`, undefined],
      ['POST /api/admin/users', person],
    ] as const) {
      const reply = await app.call(call, { token, body });
      expect([call, reply.status, reply.body.fresh, reply.text.includes('http')]).toEqual([
        call,
        403,
        true,
        false,
      ]);
    }
    const list = await app.call(`GET /api/admin/users?search=${person.email}`, { token });
    expect(list.body.users).toEqual([]);
  });

  test.each([
    ['the address', { email: 'moved@maplegrove.example' }],
    ['the password', { password: 'sunny-meadow-19' }],
    ['a role at a school', { grants: [{ role: 'coordinator', schoolId: schools.home.id }] }],
  ])('is required to change an account: %s', async (_, change) => {
    const { token } = await another(app, someone);
    const { id } = await aPerson(app, { schools: [await aSchool(app)] });
    app.clock.advance(10 * MINUTE + 1);
    const send = (body: object) => app.call(`PUT /api/admin/users/${id}`, { token, body });
    expect(await send(change)).toMatchObject({ status: 403, body: { fresh: true } });
    expect((await send({ firstName: 'Kim' })).status).toBe(200);
    await app.call('POST /api/auth/fresh', { token, body: { password: PASSWORD } });
    expect((await send(change)).status).toBe(200);
  });
});
