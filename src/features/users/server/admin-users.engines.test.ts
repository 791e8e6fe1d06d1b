import { beforeAll, describe, expect, test } from 'vitest';
import { type Trx, transaction } from '#server/db/database.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo as mailTo } from '#test/sent-emails.ts';
import { insertMemberships } from './store.ts';

let app: TestApp;
let school: { id: number; name: string };
let ada: { id: number; token: string };
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln Elementary' });
  ada = await anAdministrator(app);
});

let number = 0;
const aUser = (given: Record<string, unknown> = {}) => ({
  email: `made${++number}@maplegrove.example`,
  firstName: 'Renée',
  lastName: 'Müller',
  password: PASSWORD,
  schoolIds: [school.id],
  ...given,
});
const create = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/admin/users', { token: ada.token, body, headers });
const change = (id: number, body: object, headers: Record<string, string> = {}) =>
  app.call(`PUT /api/admin/users/${id}`, { token: ada.token, body, headers });
const remove = (id: unknown, token = ada.token) => app.call(`DELETE /api/admin/users/${id}`, { token });
const list = (query = '') => app.call(`GET /api/admin/users${query}`, { token: ada.token });
const login = (email: string, password: string) =>
  app.call('POST /api/auth/login', { body: { email, password } });
const emailsSentTo = async (userId: number, kind: string) =>
  (
    await app.deps.database.db
      .selectFrom('emails')
      .select('id')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .execute()
  ).length;

describe('the list of users', () => {
  test('finds names regardless of case and accents, sorts by name, and has complete pages', async () => {
    const own = await startApp();
    const lincoln = await aSchool(own);
    const admin = await anAdministrator(own);
    for (const [firstName, lastName] of [
      ['Zoë', 'Ångström'],
      ['Ann', 'Baker'],
      ['ann', 'Zimmer'],
      ['100%', 'Real_Name'],
    ] as const) {
      await aPerson(own, { firstName, lastName, schools: [lincoln] });
    }
    const names = async (query: string) => {
      const reply = await own.call(`GET /api/admin/users?${query}`, { token: admin.token });
      return reply.body.users.map((user: { firstName: string }) => user.firstName);
    };
    expect(await names('search=angstrom')).toEqual(['Zoë']);
    expect(await names('search=ANN')).toEqual(['Ann', 'ann']);
    expect(await names(`search=${encodeURIComponent('100%')}`)).toEqual(['100%']);
    expect(await names('search=l_N')).toEqual(['100%']);
    expect(await names(`schoolId=${lincoln.id}`)).toEqual(['Zoë', 'Ann', '100%', 'ann']);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const reply = await own.call(`GET /api/admin/users?limit=2${after}`, { token: admin.token });
      expect(reply.body.total).toBe(5);
      seen.push(...reply.body.users.map((user: { lastName: string }) => user.lastName));
      cursor = reply.body.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });

  test('includes roles, schools, status and last sign-in', async () => {
    const { body } = await create(aUser({ firstName: 'Whole', lastName: 'Answer' }));
    const found = await list('?search=whole answer');
    expect(found.body.users).toEqual([body.user]);
    expect(body.user).toMatchObject({
      role: 'user',
      isActive: true,
      lastLogin: null,
      schools: [{ id: school.id, name: 'Lincoln Elementary', logoUrl: null }],
      userSchools: [{ school: { id: school.id, name: 'Lincoln Elementary' } }],
      version: 1,
    });
    expect(JSON.stringify(body)).not.toContain('password');
  });

  test('returns 404 for an unknown school', async () => {
    const reply = await list('?schoolId=999999');
    expect([reply.status, reply.body.error]).toEqual([404, 'School not found']);
  });
});

describe('creating a user', () => {
  test('with a password sends no welcome email, and the user can sign in with the password', async () => {
    const body = aUser();
    const reply = await create(body);
    expect([reply.status, reply.body.message]).toEqual([201, 'User created successfully']);
    expect((await login(body.email, PASSWORD)).status).toBe(200);
    expect(await emailsSentTo(reply.body.user.id, 'welcome')).toBe(0);
  });

  test('without a password emails a link to choose one', async () => {
    const reply = await create(aUser({ password: '' }));
    expect(reply.status).toBe(201);
    expect(await emailsSentTo(reply.body.user.id, 'welcome')).toBe(1);
    // The mail server may be away for a day; the address counts as known, so its person is greeted by name.
    app.clock.advance(24 * 3_600_000);
    const [letter] = await mailTo(app, reply.body.user.email);
    expect(letter?.text).toContain('Hello Renée,');
    ada = await anAdministrator(app);
  });

  test('returns the emailed link if no mail server is set up, and no link if one is', async () => {
    const body = aUser({ password: '' });
    const { body: made } = await create(body);
    const token = new URL(made.link).searchParams.get('token');
    const newPassword = 'quiet-river-9';
    const set = await app.call('POST /api/auth/reset-password', { body: { token, newPassword } });
    expect([set.status, (await login(body.email, newPassword)).status]).toEqual([200, 200]);
    expect((await create(aUser())).body.link).toBeNull();
    expect((await create(aUser({ password: '', isActive: false }))).body.link).toBeNull();

    const mailing = await startApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const ada = await anAdministrator(mailing);
    const sent = await mailing.call('POST /api/admin/users', {
      token: ada.token,
      body: { ...aUser({ password: '', role: 'admin' }), schoolIds: [] },
    });
    expect([sent.status, sent.body.link]).toEqual([201, null]);
  });

  test.each([
    [{ email: ' ' }, 'email', 'Email is required'],
    [{ email: 'x' }, 'email', 'Please enter a valid email address'],
    [{ firstName: '' }, 'firstName', 'First name and last name are required'],
    [{ lastName: undefined }, 'lastName', 'First name and last name are required'],
    [{ schoolIds: [] }, 'schoolIds', 'Please select at least one school for the user'],
    [{ schoolIds: undefined }, 'schoolIds', 'Please select at least one school for the user'],
    [{ schoolIds: [999_999] }, 'schoolIds', 'Please select at least one school for the user'],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters long'],
    [
      { password: 'password' },
      'password',
      'This password is one of the most common ones. Please choose another.',
    ],
  ])('rejects %j with an error at the field', async (given, field, message) => {
    const reply = await create(aUser(given));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: message, fields: { [field]: message } });
  });

  test('can make an administrator without a school, and rejects an unknown role', async () => {
    const made = await create(aUser({ role: 'admin', schoolIds: [] }));
    expect([made.status, made.body.user.role]).toEqual([201, 'admin']);
    expect((await create(aUser({ role: 'owner' }))).status).toBe(400);
  });

  test('rejects an existing address, and creates one account for a repeated request', async () => {
    const body = aUser();
    const key = { 'idempotency-key': `user-${number}` };
    const first = await create(body, key);
    expect((await create(body, key)).body).toEqual(first.body);
    const again = await create({ ...body, email: body.email.toUpperCase() });
    expect([again.status, again.body.error]).toEqual([409, 'An account with this email already exists']);
  });
});

describe('changing a user', () => {
  test('does not change fields that are not sent, or the password if it is blank', async () => {
    const body = aUser();
    const { user } = (await create(body)).body;
    const reply = await change(user.id, { firstName: 'Renate', password: '' });
    expect([reply.status, reply.body.message]).toEqual([200, 'User updated successfully']);
    expect(reply.body.user).toMatchObject({ firstName: 'Renate', lastName: 'Müller', version: 2 });
    expect((await login(body.email, PASSWORD)).status).toBe(200);
  });

  test('to inactive signs the user out at once, and blocks sign-in until reactivation', async () => {
    const ann = await aPerson(app, { schools: [school] });
    expect((await change(ann.id, { isActive: false })).body.user.isActive).toBe(false);
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(401);
    expect((await login(ann.email, PASSWORD)).status).toBe(401);
    await change(ann.id, { isActive: true });
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(401);
    expect((await login(ann.email, PASSWORD)).status).toBe(200);
  });

  test('with a new password ends the user’s sessions and sends an email', async () => {
    const ann = await aPerson(app, { schools: [school] });
    expect((await change(ann.id, { password: 'brand-new-91' })).status).toBe(200);
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(401);
    expect((await login(ann.email, 'brand-new-91')).status).toBe(200);
    const mails = await app.deps.database.db
      .selectFrom('emails')
      .select('id')
      .where('user_id', '=', ann.id)
      .execute();
    expect(mails).toHaveLength(1);
  });

  test('rejects one’s own new password, which requires the current one in Account Settings', async () => {
    const own = await anAdministrator(app);
    const elsewhere = (await login(own.email, PASSWORD)).body.token;
    const before = await app.call(`PUT /api/admin/users/${own.id}`, {
      token: own.token,
      body: { firstName: 'Taken', password: 'brand-new-91' },
    });
    expect([before.status, before.body.error]).toEqual([403, 'Change your own password in Account Settings']);
    expect((await login(own.email, 'brand-new-91')).status).toBe(401);
    const blank = { token: own.token, body: { firstName: 'Ada', password: '' } };
    expect((await app.call(`PUT /api/admin/users/${own.id}`, blank)).body.user.firstName).toBe('Ada');
    const regular = { currentPassword: PASSWORD, newPassword: 'brand-new-91' };
    const changed = await app.call('PUT /api/auth/change-password', { token: own.token, body: regular });
    expect(changed.status).toBe(200);
    const here = await app.call('GET /api/profile', { token: own.token });
    const there = await app.call('GET /api/profile', { token: elsewhere });
    expect([here.status, there.status]).toEqual([200, 401]);
  });

  test('leaves a new address unconfirmed; the administrator vouches for it, unless it is their own', async () => {
    const own = await anAdministrator(app);
    const ann = await aPerson(app, { schools: [school] });
    const move = (id: number) =>
      app.call(`PUT /api/admin/users/${id}`, { token: own.token, body: { email: `moved${id}@example.org` } });
    const standing = (id: number) =>
      app.deps.database.db
        .selectFrom('users')
        .select(['email_verified_at', 'vouched_by'])
        .where('id', '=', id)
        .executeTakeFirst();
    expect([(await move(ann.id)).body.user.isEmailConfirmed, (await move(own.id)).status]).toEqual([
      false,
      200,
    ]);
    expect(await standing(ann.id)).toEqual({ email_verified_at: null, vouched_by: own.id });
    expect(await standing(own.id)).toEqual({ email_verified_at: null, vouched_by: null });
  });

  test('replaces the schools, and rejects removing the last one', async () => {
    const jefferson = await aSchool(app);
    const ann = await aPerson(app, { schools: [school] });
    const moved = await change(ann.id, { schoolIds: [jefferson.id] });
    expect(moved.body.user.userSchools).toEqual([{ school: { id: jefferson.id, name: jefferson.name } }]);
    const none = await change(ann.id, { schoolIds: [] });
    expect([none.status, none.body.error]).toEqual([400, 'Please select at least one school for the user']);
  });

  test('rejects a change of one’s own role or status, but accepts other fields', async () => {
    const role = await change(ada.id, { role: 'user' });
    expect([role.status, role.body.error]).toEqual([403, 'You cannot change your own role']);
    const active = await change(ada.id, { isActive: false });
    expect([active.status, active.body.error]).toEqual([403, 'You cannot deactivate your own account']);
    expect((await change(ada.id, { lastName: 'Lovelace', role: 'admin' })).status).toBe(200);
  });

  test('with an outdated version is rejected', async () => {
    const ann = await aPerson(app, { schools: [school] });
    await change(ann.id, { firstName: 'One' });
    const late = await change(ann.id, { firstName: 'Two' }, { 'if-match': '1' });
    expect([late.status, late.body.error]).toEqual([
      409,
      'Someone else changed this item. Reload and try again.',
    ]);
  });

  test('to the same values changes and records nothing, unless it removes a pending school', async () => {
    const jefferson = await aSchool(app);
    const ann = await aPerson(app, { schools: [jefferson, school] });
    const deeds = async () => (await recordOf(app, 'user', ann.id)).map(({ action }) => action);
    const present = [school.id, jefferson.id];
    for (const same of [
      { firstName: ann.firstName, role: 'user', isActive: true, password: '' },
      { schoolIds: present },
      { schoolIds: [...present.toReversed(), school.id] },
    ]) {
      const reply = await change(ann.id, same);
      expect([reply.status, reply.body.message]).toEqual([200, 'User updated successfully']);
      expect(reply.body.user.version).toBe(1);
    }
    expect(await deeds()).toEqual([]);
    const waited = await aSchool(app);
    await transaction(app.deps.database, (trx) =>
      insertMemberships(trx, ann.id, [waited.id], {
        at: app.clock.now(),
        status: 'pending',
        isApproved: false,
      }),
    );
    const decided = await change(ann.id, { schoolIds: present });
    expect(decided.body.user.pendingSchools).toEqual([]);
    expect(await deeds()).toEqual(['account.change']);
    await change(ann.id, { schoolIds: [school.id] });
    const [, left] = await recordOf(app, 'user', ann.id);
    expect([left?.before.schoolIds.toSorted(), left?.after.schoolIds]).toEqual([
      present.toSorted(),
      [school.id],
    ]);
  });

  test('cannot turn an administrator without a school into a volunteer without one', async () => {
    const own = await anAdministrator(app);
    const refused = await change(own.id, { role: 'user' });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'Please select at least one school for the user',
    ]);
    // Who is in none by now can be renamed nevertheless.
    const left = await aPerson(app);
    expect((await change(left.id, { firstName: 'Anna' })).body.user?.firstName).toBe('Anna');
    const made = await change(own.id, { role: 'user', schoolIds: [school.id] });
    expect([made.status, made.body.user.role]).toEqual([200, 'user']);
  });

  test.each([
    ['demotion', { role: 'user' }],
    ['deactivation', { isActive: false }],
  ])('rejects the %s of the last administrator, even by one who was just demoted', async (_what, given) => {
    const own = await startApp();
    const [one, two] = [await anAdministrator(own), await anAdministrator(own)];
    const lincoln = await aSchool(own);
    const demoteTwo = (trx: Trx) =>
      trx.updateTable('users').set({ role: 'user' }).where('id', '=', two.id).execute();
    const change = (body: object) => () =>
      own.call(`PUT /api/admin/users/${one.id}`, { token: two.token, body });
    const late = (body: object) => sendDuring(own, demoteTwo, change(body));
    const reply = await late({ ...given, schoolIds: [lincoln.id] });
    expect([reply.status, reply.body.error]).toEqual([
      409,
      'At least one active district administrator is required',
    ]);
    await own.deps.database.db.updateTable('users').set({ role: 'admin' }).where('id', '=', two.id).execute();
    expect((await late({ firstName: 'Adele' })).status).toBe(200);
    await own.close();
  });

  test('leaves one administrator if two demote each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const own = await startApp();
      const one = await anAdministrator(own);
      const two = await anAdministrator(own);
      const lincoln = await aSchool(own);
      const demote = (by: typeof one, whom: typeof one) =>
        own.call(`PUT /api/admin/users/${whom.id}`, {
          token: by.token,
          body: { role: 'user', schoolIds: [lincoln.id] },
        });
      await Promise.all([demote(one, two), demote(two, one)]);
      const left = await own.deps.database.db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .execute();
      expect(left).toHaveLength(1);
      await own.close();
    }
  });
});

describe('deleting a user', () => {
  test('who has only deleted items also deletes those, and ends their session', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school });
    const { id } = await anEntry(app, { by: ann, activity, deletedBy: ann });
    const photo = await aPhoto(app, { by: ann, activity, deletedBy: ann });
    const suggestion = await aSuggestion(app, { by: ann, school, status: 'deleted' });
    const reply = await remove(ann.id);
    expect([reply.status, reply.body]).toEqual([200, { message: 'User deleted successfully' }]);
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(401);
    expect((await remove(ann.id)).status).toBe(404);
    const { db } = app.deps.database;
    for (const [table, deleted] of [
      ['time_entries', id],
      ['photos', photo.id],
      ['activity_suggestions', suggestion.id],
    ] as const) {
      const rows = await db.selectFrom(table).select('id').where('id', '=', deleted).execute();
      expect([table, rows]).toEqual([table, []]);
    }
    expect((await recordOf(app, 'user', ann.id)).at(-1)).toMatchObject({
      action: 'account.delete',
      before: { trash: { timeEntries: [id], photos: [photo.id], suggestions: [suggestion.id] } },
    });
  });

  test('with hours is rejected with a suggestion to deactivate instead', async () => {
    const ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Baker' });
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: ann, activity });
    const reply = await remove(ann.id);
    expect([reply.status, reply.body.error]).toEqual([
      409,
      'Cannot delete Ann Baker: it still has 1 time entry. Deactivate it instead.',
    ]);
  });

  test('who verified hours is rejected, because the hours name the verifier', async () => {
    const here = await aSchool(app, { verification: 'on' });
    const ann = await aPerson(app, { schools: [here] });
    const maria = await aPersonWithRole(app, 'coordinator', here, { firstName: 'Maria', lastName: 'Lopez' });
    const { id } = await anEntry(app, { by: ann, activity: await anActivity(app, { school: here }) });
    const body = { decision: 'verify', entryIds: [id] };
    await app.call('POST /api/admin/verifications', { token: maria.token, body });
    const reply = await remove(maria.id);
    expect([reply.status, reply.body.error]).toEqual([
      409,
      'Cannot delete Maria Lopez: it still has 1 decision about hours. Deactivate it instead.',
    ]);
  });

  test('is rejected for oneself and for unknown accounts', async () => {
    const own = await remove(ada.id);
    expect([own.status, own.body.error]).toEqual([403, 'You cannot delete your own account']);
    for (const id of [999_999, 'abc', '0']) {
      expect((await remove(id)).text).toBe('{"error":"User not found"}');
    }
  });
});
