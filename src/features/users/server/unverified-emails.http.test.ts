import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  anActivity,
  anAddress,
  anAdministrator,
  type aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
  PASSWORD,
} from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let own: { id: number; name: string };
let other: { id: number; name: string };
let head: Awaited<ReturnType<typeof aPerson>>;
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});
beforeEach(async () => {
  own = await aSchool(app);
  other = await aSchool(app);
  head = await aPersonWithRole(app, 'school-admin', own);
});

const by = (token: string) => (call: string, body?: object) =>
  app.call(call, { token, ...(body === undefined ? {} : { body }) });
const signIn = async (email: string) =>
  (await app.call('POST /api/auth/login', { body: { email, password: PASSWORD } })).body.token as string;
const named = { firstName: 'Paula', lastName: 'Principal' };
const accountOf = async (email: string) =>
  (await by(ada.token)(`GET /api/admin/users?search=${email}`)).body.users[0];

/** Somebody who registered with an address that nobody has proven. */
async function aStranger(schoolIds: number[], on = app) {
  const email = anAddress();
  const body = { ...named, email, password: PASSWORD, schoolIds };
  const { body: reply } = await on.call('POST /api/auth/register', { body });
  return { email, id: reply.user.id as number, token: reply.token as string };
}

describe('an address that an administrator entered', () => {
  test('gets the grants of an invitation only with its code', async () => {
    const email = anAddress();
    const grants = [{ role: 'school-admin', schoolId: other.id }];
    const sent = await by(ada.token)('POST /api/admin/invites', { email, schoolIds: [other.id], grants });
    const made = await by(head.token)('POST /api/admin/users', {
      ...named,
      email,
      schoolIds: [own.id],
      password: PASSWORD,
    });
    expect([sent.status, made.status]).toEqual([201, 201]);
    const token = await signIn(email);
    const joined = await by(token)('PUT /api/profile', { schoolIds: [own.id, other.id] });
    expect(joined.body.user.grants).toEqual([]);
    const code = new URL(sent.body.link).searchParams.get('invite');
    const accepted = await by(token)('PUT /api/profile', {
      schoolIds: [own.id, other.id],
      inviteCode: code,
    });
    expect(accepted.body.user.grants).toMatchObject(
      grants.map(({ role }) => ({ role, school: { id: other.id } })),
    );
  });

  test('stays unconfirmed after the link shown to the administrator, until an emailed link is used', async () => {
    const email = anAddress();
    const { body } = await by(ada.token)('POST /api/admin/users', { ...named, email, schoolIds: [own.id] });
    expect(body.user.isEmailConfirmed).toBe(false);
    const [letter] = await emailsSentTo(app, email);
    expect((await accountOf(email)).isEmailConfirmed).toBe(false);
    // Without a mail server the link was shown to the administrator: it proves no mailbox.
    await app.call('POST /api/auth/reset-password', {
      body: { token: new URL(body.link).searchParams.get('token'), newPassword: 'quiet-river-9' },
    });
    expect(letter?.text).toContain(body.link);
    expect((await accountOf(email)).isEmailConfirmed).toBe(false);
    await app.call('POST /api/auth/forgot-password', { body: { email } });
    const token = /token=([\w-]+)/.exec((await emailsSentTo(app, email)).at(-1)?.text ?? '')?.[1];
    await app.call('POST /api/auth/reset-password', { body: { token, newPassword: 'quiet-river-10' } });
    expect((await accountOf(email)).isEmailConfirmed).toBe(true);
  });

  test('gets rights beyond that administrator’s only if the request accepts the unconfirmed address', async () => {
    const email = anAddress();
    const { body } = await by(head.token)('POST /api/admin/users', { ...named, email, schoolIds: [own.id] });
    const { id } = body.user;
    const change = (given: object) => by(ada.token)(`PUT /api/admin/users/${id}`, given);
    const here = [{ role: 'coordinator', schoolId: own.id }];
    const there = [{ role: 'coordinator', schoolId: other.id }];
    expect((await change({ grants: here })).status).toBe(200);
    for (const beyond of [{ grants: there }, { schoolIds: [own.id, other.id] }, { role: 'admin' }]) {
      const refused = await change(beyond);
      expect([refused.status, refused.body.error]).toEqual([
        409,
        `${email} is not confirmed yet. Approve only if you know that the address belongs to this person.`,
      ]);
    }
    expect((await change({ grants: there, unconfirmed: true })).status).toBe(200);
  });
});

describe('an address that a stranger registered with', () => {
  test.each([
    ['a role', () => ({ grants: [{ role: 'coordinator', schoolId: own.id }] })],
    ['the administrator role', () => ({ role: 'admin' })],
    ['another school', () => ({ schoolIds: [own.id, other.id] })],
  ])('is given %s only if the administrator explicitly accepts it unconfirmed', async (_, given) => {
    const { id } = await aStranger([own.id]);
    const change = (more: object) => by(ada.token)(`PUT /api/admin/users/${id}`, { ...given(), ...more });
    expect((await change({})).status).toBe(409);
    expect((await change({ unconfirmed: true })).status).toBe(200);
  });

  test.each(['join', 'approve'])(
    'passes the bulk action %s only if the administrator explicitly accepts it unconfirmed',
    async (deed) => {
      const { id } = await aStranger([own.id]);
      const school = deed === 'join' ? { schoolId: other.id } : {};
      const body = { userIds: [id], count: 1, deed, ...school };
      expect((await by(ada.token)('POST /api/admin/users/many', body)).status).toBe(409);
      const { status, body: reply } = await by(ada.token)('POST /api/admin/users/many', {
        ...body,
        unconfirmed: true,
      });
      expect([status, reply.changed]).toEqual([200, [id]]);
    },
  );

  test('is approved by the staff import only if the administrator explicitly accepts it unconfirmed', async () => {
    const waiting = await startApp({ REGISTRATION: 'approval' });
    const admin = await anAdministrator(waiting);
    const school = await aSchool(waiting);
    const activity = await anActivity(waiting, { school });
    await aPhoto(waiting, { by: admin, activity });
    const mallory = await aStranger([school.id], waiting);
    const csv = `firstName,lastName,email,role,schools\nPaula,Principal,${mallory.email},user,${school.name}`;
    const call = (path: string, body: object) => waiting.call(path, { token: admin.token, body });
    const { preview } = (await call('POST /api/admin/user-imports/preview', { csv })).body;
    expect(preview.rows).toMatchObject([
      { outcome: 'waiting', notes: [expect.stringContaining('not confirmed yet')] },
    ]);
    const sent = await call('POST /api/admin/user-imports', { csv, key: preview.key, sendMail: false });
    expect(sent.status).toBe(400);
    const photos = () => waiting.call(`GET /api/schools/${school.id}/photos`, { token: mallory.token });
    expect((await photos()).status).toBe(404);
    const said = { csv, unconfirmed: true };
    const { key } = (await call('POST /api/admin/user-imports/preview', said)).body.preview;
    expect((await call('POST /api/admin/user-imports', { ...said, key, sendMail: false })).status).toBe(201);
    expect((await photos()).status).toBe(200);
  });

  test('is given a role by a merge only if the administrator explicitly accepts it unconfirmed', async () => {
    const { id } = await aStranger([own.id]);
    const role = await aPersonWithRole(app, 'coordinator', own, { isProven: true });
    const merge = (more: object) =>
      by(ada.token)(`POST /api/admin/users/${role.id}/merge`, { into: id, ...more });
    expect((await merge({})).status).toBe(409);
    expect((await merge({ unconfirmed: true })).status).toBe(200);
  });
});

describe('emails to an unconfirmed address on behalf of an administrator', () => {
  test('are limited to five an hour for new accounts and password notices', async () => {
    const email = anAddress();
    const make = (more: object = {}) => {
      const body = { firstName: 'Buy', lastName: 'Now', email, schoolIds: [own.id], ...more };
      return by(head.token)('POST /api/admin/users', body);
    };
    const statuses = [];
    for (let i = 0; i < 6; i++) {
      const { status, body } = await make();
      statuses.push(status);
      if (status === 201) await by(head.token)(`DELETE /api/admin/users/${body.user.id}`);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    const { user } = (await make({ password: PASSWORD })).body;
    const before = (await emailsSentTo(app, email)).length;
    for (let i = 0; i < 7; i++) {
      await by(head.token)(`PUT /api/admin/users/${user.id}`, { password: `${PASSWORD}${i}` });
    }
    expect((await emailsSentTo(app, email)).length - before).toBe(5);
  });
});
