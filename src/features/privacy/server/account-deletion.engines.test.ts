import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import {
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';
import { emailsSentTo } from '#test/sent-emails.ts';

let app: TestApp;
let school: { id: number; name: string };
let admin: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln' });
});
beforeEach(async () => {
  app.clock.advance(7_200_000);
  admin = await anAdministrator(app);
});

const wish = (token: string, body: object = {}) =>
  app.call('POST /api/profile/erasure-request', { token, body });
const erase = (id: unknown, token = admin.token) => app.call(`POST /api/admin/users/${id}/erase`, { token });
const profile = (token: string) => app.call('GET /api/profile', { token });

describe('a deletion request', () => {
  test('is visible to its owner and to administrators, and can be withdrawn', async () => {
    const ann = await aPerson(app, { lastName: 'Wishful' });
    const asked = await wish(ann.token, { reason: ' I moved away ' });
    expect([asked.status, asked.body.message]).toEqual([
      201,
      'Your request to delete your account was sent to the district',
    ]);
    expect(asked.body.user.erasureRequestedAt).toBe(app.clock.now());
    expect(await recordOf(app, 'user', ann.id)).toMatchObject([
      { action: 'erasure.ask', actorId: ann.id, after: { reason: 'I moved away' } },
    ]);
    const again = await wish(ann.token);
    expect([again.status, again.body]).toEqual([409, { error: 'You already asked to delete your account' }]);
    const list = () => app.call('GET /api/admin/erasure-requests?search=wishful', { token: admin.token });
    expect((await list()).body).toEqual({
      erasureRequests: [
        {
          user: { id: ann.id, firstName: 'Pat', lastName: 'Wishful', email: ann.email },
          reason: 'I moved away',
          requestedAt: app.clock.now(),
          isHeld: false,
        },
      ],
      total: 1,
      nextCursor: null,
    });
    const withdraw = () => app.call('DELETE /api/profile/erasure-request', { token: ann.token });
    const withdrawn = await withdraw();
    expect([withdrawn.status, withdrawn.body.user.erasureRequestedAt]).toEqual([200, null]);
    expect((await list()).body.total).toBe(0);
    expect((await withdraw()).status).toBe(404);
    expect((await wish(ann.token)).status).toBe(201);
  });

  test('needs no reason, and rejects one that is too long', async () => {
    const ann = await aPerson(app);
    expect((await wish(ann.token, { reason: 'x'.repeat(501) })).status).toBe(400);
    expect((await wish(ann.token, { reason: '  ' })).status).toBe(201);
  });

  test('is listed in pages', async () => {
    for (let i = 0; i < 3; i++) {
      const person = await aPerson(app, { lastName: 'Leaver' });
      await wish(person.token);
    }
    const pages = await readPages(app, '/api/admin/erasure-requests?search=leaver', admin.token, 2);
    expect(pages.map((page) => (page['erasureRequests'] as unknown[]).length)).toEqual([2, 1]);
  });
});

describe('declining a deletion request', () => {
  const decline = (id: unknown, body: object = {}, token = admin.token) =>
    app.call(`POST /api/admin/erasure-requests/${id}/decline`, { token, body });

  test('leaves the account unchanged, and emails its owner the reason', async () => {
    const ann = await aPerson(app, { firstName: 'Ann', lastName: 'Stays' });
    await wish(ann.token);
    const reply = await decline(ann.id, { reason: ' Please write to us first. ' });
    expect([reply.status, reply.body]).toEqual([200, { message: 'The request from Ann Stays was declined' }]);
    expect((await profile(ann.token)).body.user.erasureRequestedAt).toBeNull();
    const [letter] = await emailsSentTo(app, ann.email);
    expect(letter?.subject).toBe('Your request to delete your account');
    expect(letter?.text).toContain('The reason: Please write to us first.');
    expect(await recordOf(app, 'user', ann.id)).toMatchObject([
      { action: 'erasure.ask' },
      { action: 'erasure.decline', actorId: admin.id, after: { reason: 'Please write to us first.' } },
    ]);
    expect((await wish(ann.token)).status).toBe(201);
  });

  test('works once, and is rejected without a request or an account', async () => {
    const ann = await aPerson(app);
    await wish(ann.token);
    expect((await decline(ann.id, { reason: 'x'.repeat(501) })).status).toBe(400);
    const both = await Promise.all([decline(ann.id), decline(ann.id)]);
    expect(both.map((reply) => reply.status).toSorted()).toEqual([200, 409]);
    expect((await decline(ann.id)).body.error).toBe(
      'This request no longer exists. It was completed, declined or withdrawn',
    );
    for (const id of NO_ID) expect((await decline(id)).status).toBe(404);
  });
});

test('requests and invitations that await an administrator are counted', async () => {
  const own = await startApp({ REGISTRATION: 'approval' });
  const ada = await anAdministrator(own);
  const lincoln = await aSchool(own);
  const waiting = async () => (await own.call('GET /api/admin/waiting', { token: ada.token })).body.waiting;
  expect(await waiting()).toEqual({ memberships: 0, erasureRequests: 0, openInvites: 0 });
  const ann = await aPerson(own);
  await own.call('PUT /api/profile', { token: ann.token, body: { schoolIds: [lincoln.id] } });
  await own.call('POST /api/profile/erasure-request', { token: ann.token, body: {} });
  await own.call('POST /api/admin/invites', {
    token: ada.token,
    body: { email: 'new@maplegrove.example', schoolIds: [lincoln.id] },
  });
  expect(await waiting()).toEqual({ memberships: 1, erasureRequests: 1, openInvites: 1 });
});

describe('erasing an account', () => {
  test('also deletes a pending email change', async () => {
    const own = await startApp({ REGISTRATION: 'verify-email' });
    const ada = await anAdministrator(own);
    const ann = await aPerson(own, { schools: [await aSchool(own)] });
    const waiting = () => own.deps.database.db.selectFrom('email_confirmations').selectAll().execute();
    const body = { email: 'w.featherstone@elsewhere.example' };
    await own.call('PUT /api/profile', { token: ann.token, body });
    expect(await waiting()).toMatchObject([{ email: body.email, user_id: ann.id }]);
    expect((await own.call(`POST /api/admin/users/${ann.id}/erase`, { token: ada.token })).status).toBe(200);
    expect(await waiting()).toEqual([]);
  });

  test("keeps the hours under 'Former volunteer', and removes the name everywhere", async () => {
    const ann = await aPerson(app, {
      schools: [school],
      firstName: 'Wilhelmina',
      lastName: 'Featherstone',
      email: 'w.featherstone@maplegrove.example',
    });
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: ann, activity, hours: 2.5, notes: 'Sold books' });
    await aPhoto(app, { by: ann, activity });
    const suggestion = await aSuggestion(app, { by: ann, school });
    await app.call('PUT /api/my-activity-suggestions/mail', { token: ann.token, body: { decisions: false } });
    await wish(ann.token, { reason: 'Featherstone leaves' });
    await app.call('PUT /api/profile', {
      token: ann.token,
      body: { firstName: 'Mina' },
      headers: { 'idempotency-key': 'mina' },
    });
    await app.call('POST /api/auth/login', { body: { email: ann.email, password: 'wrong' } });
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    await app.call('POST /api/admin/invites', {
      token: admin.token,
      body: { email: ann.email, schoolIds: [school.id] },
    });

    const reply = await erase(ann.id);
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: "The account was deleted. The hours are kept under 'Former volunteer'." },
    ]);
    expect(/Wilhelmina|Featherstone|Mina\b/i.exec(await everythingStored())?.[0]).toBeUndefined();
    expect((await profile(ann.token)).status).toBe(401);
    const login = await app.call('POST /api/auth/login', { body: { email: ann.email, password: PASSWORD } });
    expect(login.status).toBe(401);

    const entries = await app.call(`GET /api/time-entries?schoolId=${school.id}`, { token: admin.token });
    expect(entries.body.timeEntries).toMatchObject([
      { hours: 2.5, notes: 'Sold books', user: { firstName: 'Former', lastName: 'volunteer' } },
    ]);
    const photos = await app.call(`GET /api/activities/${activity.id}/photos`, { token: admin.token });
    expect(photos.body.photos).toMatchObject([{ user: { firstName: 'Former', lastName: 'volunteer' } }]);
    const ideas = await app.call(`GET /api/admin/activity-suggestions?schoolId=${school.id}`, {
      token: admin.token,
    });
    expect(ideas.body.suggestions).toContainEqual(
      expect.objectContaining({
        id: suggestion.id,
        user: { id: ann.id, firstName: 'Former', lastName: 'volunteer', email: null },
      }),
    );
    const choices = app.deps.database.db
      .selectFrom('suggestion_email_preferences')
      .where('user_id', '=', ann.id);
    expect(await choices.selectAll().execute()).toEqual([]);
    // Of all the letters that waited for the person, only the last one is sent.
    const subjects = (await emailsSentTo(app, ann.email)).map((letter) => letter.subject);
    expect(subjects).toEqual(['Your account is now deleted']);

    // The address is free again, for a new account that has nothing to do with the old one.
    const back = await app.call('POST /api/auth/register', {
      body: {
        email: ann.email,
        password: PASSWORD,
        firstName: 'W',
        lastName: 'F',
        schoolIds: [school.id],
      },
    });
    expect(back.status).toBe(201);
    const own = await app.call(`GET /api/time-entries?schoolId=${school.id}`, { token: back.body.token });
    expect(own.body.timeEntries).toEqual([]);
  });

  test('is recorded, and redacts the person in the audit log', async () => {
    const ann = await aPerson(app, { schools: [school] });
    await app.call('PUT /api/profile', { token: ann.token, body: { lastName: 'Secret' } });
    await erase(ann.id);
    const deeds = await recordOf(app, 'user', ann.id);
    expect(deeds).toMatchObject([
      { action: 'account.edit', before: null, after: null, address: null },
      { action: 'account.erase', actorId: admin.id, before: null, after: null },
    ]);
  });

  test('is recorded once, and repeating it changes nothing', async () => {
    const ann = await aPerson(app);
    expect((await erase(ann.id)).status).toBe(200);
    expect((await erase(ann.id)).status).toBe(200);
    expect(await recordOf(app, 'user', ann.id)).toHaveLength(1);
  });

  test('is rejected for one’s own account and for unknown accounts', async () => {
    const own = await erase(admin.id);
    expect([own.status, own.body]).toEqual([403, { error: 'You cannot delete your own account' }]);
    expect((await profile(admin.token)).status).toBe(200);
    for (const id of NO_ID) {
      const reply = await erase(id);
      expect([id, reply.status, reply.text]).toEqual([id, 404, '{"error":"User not found"}']);
    }
  });

  test('leaves one account if two administrators erase each other at once', async () => {
    const own = await startApp();
    const [ada, eve] = [await anAdministrator(own), await anAdministrator(own)];
    const replies = await Promise.all([
      own.call(`POST /api/admin/users/${eve.id}/erase`, { token: ada.token }),
      own.call(`POST /api/admin/users/${ada.id}/erase`, { token: eve.token }),
    ]);
    const statuses = replies.map((reply) => reply.status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([401, 403]).toContain(statuses[1]);
    const left = await own.deps.database.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('is_active', '=', 1)
      .execute();
    expect(left).toHaveLength(1);
  });

  async function everythingStored(): Promise<string> {
    const { db } = app.deps.database;
    const tables = [
      'users',
      'user_schools',
      'sessions',
      'password_links',
      'sign_in_links',
      'email_confirmations',
      'invites',
      'deletion_requests',
      'emails',
      'audit_events',
      'idempotency_keys',
      'rate_limits',
    ] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows);
  }
});
