import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPassword } from '#features/auth/server/credentials.ts';
import { startSession } from '#features/auth/sessions/server/actions.ts';
import { describeDevice } from '#features/auth/sessions/server/device-name.ts';
import { transaction } from '#server/db/database.ts';
import { hashPassword } from '#server/passwords.ts';
import { hashToken } from '#server/secrets.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { appOnSmallDisk, appWithOutages } from '#test/fault-injection.ts';
import { ENGINE, startApp, type TestApp } from '#test/harness.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo } from '#test/sent-emails.ts';

const HOUR = 3_600_000;

let app: TestApp;
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln Elementary' });
});
beforeEach(() => app.clock.advance(2 * HOUR));

const profileOf = (token: string) => app.call('GET /api/profile', { token });
const save = (token: string, body: object) => app.call('PUT /api/profile', { token, body });
const login = (email: string, password = PASSWORD) =>
  app.call('POST /api/auth/login', { body: { email, password } });

async function anotherSession(person: { id: number }, agent = 'test'): Promise<string> {
  const request = { at: app.clock.now(), address: '10.0.0.2', requestId: 'test', agent };
  return transaction(app.deps.database, (trx) => startSession(trx, person.id, request));
}

describe('changing the password', () => {
  const change = (token: string, currentPassword: unknown, newPassword: unknown) =>
    app.call('PUT /api/auth/change-password', { token, body: { currentPassword, newPassword } });

  test('ends other sessions, invalidates emailed links and notifies the owner', async () => {
    const ann = await aPerson(app);
    const elsewhere = await anotherSession(ann);
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const link = linkIn((await emailsSentTo(app, ann.email)).at(-1), 'token');
    const reply = await change(ann.token, PASSWORD, 'brand-new-91');
    expect([reply.status, reply.body]).toEqual([200, { message: 'Password changed successfully' }]);
    expect((await profileOf(ann.token)).status).toBe(200);
    expect((await profileOf(elsewhere)).status).toBe(401);
    expect((await login(ann.email)).status).toBe(401);
    expect((await login(ann.email, 'brand-new-91')).status).toBe(200);
    expect((await app.call(`GET /api/auth/verify-reset-token/${link}`)).status).toBe(400);
    expect((await emailsSentTo(app, ann.email)).at(-1)?.subject).toBe('Your password was changed');
    expect(await recordOf(app, 'user', ann.id)).toContainEqual(
      expect.objectContaining({ action: 'password.change', actorId: ann.id, before: null, after: null }),
    );
  });

  test.each([
    [undefined, 'brand-new-91', 'currentPassword', 'Current password is required'],
    ['', 'brand-new-91', 'currentPassword', 'Current password is required'],
    [PASSWORD, '12345', 'newPassword', 'New password must be at least 6 characters'],
    [PASSWORD, undefined, 'newPassword', 'New password must be at least 6 characters'],
    [PASSWORD, 'x'.repeat(201), 'newPassword', 'Password can be up to 200 characters long'],
    [
      PASSWORD,
      'password',
      'newPassword',
      'This password is one of the most common ones. Please choose another.',
    ],
    ['not this one', 'brand-new-91', 'currentPassword', 'Your current password is not correct'],
  ])('from %j to %j is rejected with an error at the field', async (current, next, field, message) => {
    const ann = await aPerson(app);
    const reply = await change(ann.token, current, next);
    expect([reply.status, reply.body]).toEqual([400, { error: message, fields: { [field]: message } }]);
    expect((await login(ann.email)).status).toBe(200);
  });

  test('requires the length that the district sets', async () => {
    const strict = await startApp({ PASSWORD_MIN_LENGTH: '10' });
    const ann = await aPerson(strict);
    const reply = await strict.call('PUT /api/auth/change-password', {
      token: ann.token,
      body: { currentPassword: PASSWORD, newPassword: 'nine-char' },
    });
    expect(reply.body.error).toBe('New password must be at least 10 characters');
  });

  test('is paused after five wrong passwords, but not by strangers’ failed sign-ins', async () => {
    const ann = await aPerson(app);
    for (let i = 0; i < 6; i++) await login(ann.email, 'wrong');
    for (let i = 0; i < 4; i++) expect((await change(ann.token, 'wrong', 'brand-new-91')).status).toBe(400);
    await app.call('PUT /api/profile', { token: ann.token, body: { email: `moved-${ann.email}` } });
    expect((await change(ann.token, 'wrong', 'brand-new-91')).status).toBe(400);
    const paused = await change(ann.token, PASSWORD, 'brand-new-91');
    expect([paused.status, paused.headers['retry-after']]).toEqual([429, '60']);
    app.clock.advance(61_000);
    expect((await change(ann.token, PASSWORD, 'brand-new-91')).status).toBe(200);
  });

  test('emails an unconfirmed address only within the limits per sender and per IP address', async () => {
    const counted = { window_started_at: app.clock.now(), blocked_until: null, strikes: 0 };
    const isTold = async (
      key: (person: { id: number }) => string,
      failures: number,
      given: Parameters<typeof aPerson>[1] = {},
    ) => {
      const ann = await aPerson(app, { isProven: false, ...given });
      const { db } = app.deps.database;
      await db
        .insertInto('rate_limits')
        .values({ key: key(ann), failures, ...counted })
        .execute();
      expect((await change(ann.token, PASSWORD, 'brand-new-91')).status).toBe(200);
      await db.deleteFrom('rate_limits').where('key', '=', key(ann)).execute();
      return (await emailsSentTo(app, ann.email)).length === 1;
    };
    const bySender = ({ id }: { id: number }) => `letters-by:${id}`;
    const fromPlace = () => 'letters-from:10.0.0.1';
    expect([await isTold(bySender, 9), await isTold(bySender, 10)]).toEqual([true, false]);
    expect(await isTold(bySender, 10, { isProven: true })).toBe(true);
    await app.deps.database.db.deleteFrom('rate_limits').where('key', '=', fromPlace()).execute();
    expect([await isTold(fromPlace, 599), await isTold(fromPlace, 600)]).toEqual([true, false]);
  });

  test('is rejected if the password changes during the check', async () => {
    const ann = await aPerson(app);
    const taken = await hashPassword('set-meanwhile-5');
    const reply = await sendDuring(
      app,
      (trx) => setPassword(trx, ann.id, taken),
      () => change(ann.token, PASSWORD, 'brand-new-91'),
    );
    expect([reply.status, reply.body.fields]).toEqual([
      400,
      { currentPassword: 'Your current password is not correct' },
    ]);
    expect((await login(ann.email, 'set-meanwhile-5')).status).toBe(200);
  });

  test('succeeds once if sent twice at once', async () => {
    const ann = await aPerson(app);
    const replies = await Promise.all([
      change(ann.token, PASSWORD, 'first-one-11'),
      change(ann.token, PASSWORD, 'second-one-22'),
    ]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 400]);
  });
});

describe('saving the profile', () => {
  test('changes only the fields that are sent, and returns the profile', async () => {
    const ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
    const reply = await save(ann.token, { firstName: '  Anna ' });
    expect([reply.status, reply.body.message]).toEqual([200, 'Profile updated successfully']);
    expect(reply.body.user).toMatchObject({
      firstName: 'Anna',
      lastName: ann.lastName,
      email: ann.email,
      schools: [{ id: school.id }],
    });
    expect((await profileOf(ann.token)).body.user).toEqual({ ...reply.body.user, may: [] });
    const [deed] = await recordOf(app, 'user', ann.id);
    const places = { schoolIds: [school.id], pendingSchoolIds: [] };
    expect(deed).toMatchObject({
      action: 'account.edit',
      before: { firstName: 'Ann', ...places },
      after: { firstName: 'Anna', ...places },
    });
  });

  test.each([
    [{ firstName: ' ' }, 'firstName', 'First name and last name are required'],
    [{ lastName: null }, 'lastName', 'First name and last name are required'],
    [{ email: '' }, 'email', 'Email address is required'],
    [{ email: 'ann' }, 'email', 'Please enter a valid email address'],
    [{ schoolIds: [] }, 'schoolIds', 'Please select at least one school'],
    [{ schoolIds: [999_999] }, 'schoolIds', 'Please select at least one school'],
    [{ schoolIds: 'all' }, 'schoolIds', 'Please select at least one school'],
    [{ lastName: 'x'.repeat(61) }, 'lastName', 'Use up to 60 characters'],
  ])('with %j is rejected with an error at the field', async (body, field, message) => {
    const ann = await aPerson(app, { schools: [school] });
    const reply = await save(ann.token, body);
    expect([reply.status, reply.body]).toEqual([400, { error: message, fields: { [field]: message } }]);
  });

  test('never widens rights, whatever the body contains', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const reply = await save(ann.token, {
      firstName: 'Ann',
      role: 'admin',
      isActive: false,
      id: 1,
      userId: 1,
      failedLogins: 0,
    });
    expect(reply.body.user).toMatchObject({ id: ann.id, role: 'user', isActive: true });
    expect((await app.call('GET /api/admin/schools', { token: ann.token })).status).toBe(403);
  });

  test('joins and leaves schools; hours logged at a former school stay', async () => {
    const [other, third] = [await aSchool(app), await aSchool(app)];
    const ann = await aPerson(app, { schools: [school, other] });
    const activity = await anActivity(app, { school: other });
    const { id } = await anEntry(app, { by: ann, activity });
    const reply = await save(ann.token, { schoolIds: [third.id, school.id, third.id] });
    expect(reply.body.user.schools.map((joined: { id: number }) => joined.id).toSorted()).toEqual(
      [school.id, third.id].toSorted(),
    );
    expect((await app.call(`GET /api/time-entries?schoolId=${other.id}`, { token: ann.token })).status).toBe(
      404,
    );
    const kept = await app.deps.database.db
      .selectFrom('time_entries')
      .select('deleted_at')
      .where('id', '=', id)
      .execute();
    expect(kept).toEqual([{ deleted_at: null }]);
  });

  test('accepts an administrator without a school, but does not remove an administrator’s last school', async () => {
    const ada = await anAdministrator(app);
    const reply = await save(ada.token, { firstName: 'Ada', schoolIds: [] });
    expect([reply.status, reply.body.user.schools]).toEqual([200, []]);
    await save(ada.token, { schoolIds: [school.id] });
    expect((await save(ada.token, { schoolIds: [] })).status).toBe(400);
  });

  test('accepts a free address but not a taken one, and notifies the old address', async () => {
    const [ann, bob] = [await aPerson(app, { schools: [school], isProven: true }), await aPerson(app)];
    const taken = await save(ann.token, { email: bob.email.toUpperCase() });
    expect([taken.status, taken.body]).toEqual([409, { error: 'An account with this email already exists' }]);
    const moved = await save(ann.token, { email: 'ann.new@maplegrove.example' });
    expect(moved.body.user.email).toBe('ann.new@maplegrove.example');
    expect((await login('ann.new@maplegrove.example')).status).toBe(200);
    expect((await login(ann.email)).status).toBe(401);
    const [notice] = await emailsSentTo(app, ann.email);
    expect(notice?.subject).toBe('Your email address was changed');
    expect(notice?.text).toContain('ann.new@maplegrove.example');
  });

  test('quotes nothing from the user in an email to an unconfirmed old address', async () => {
    const ann = await aPerson(app, {
      schools: [school],
      firstName: 'Win http://evil.example',
      isProven: false,
    });
    await save(ann.token, { email: 'evil-news@maplegrove.example' });
    const letters = await emailsSentTo(app, ann.email);
    expect(letters).toHaveLength(1);
    expect(JSON.stringify(letters)).not.toContain('evil');
  });

  test('allows five attempts an hour to change the address, and sends at most five emails to one address', async () => {
    const bob = await aPerson(app);
    const victim = 'victim@maplegrove.example';
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const ann = await aPerson(app, { schools: [school] });
      for (const email of [bob.email, victim, 'a@b.example', victim, 'b@b.example', victim]) {
        statuses.push((await save(ann.token, { email })).status);
      }
      await save(ann.token, { email: ann.email });
      await app.deps.database.db
        .updateTable('users')
        .set({ email: ann.email, email_key: ann.email })
        .where('id', '=', ann.id)
        .execute();
    }
    const each = [409, 200, 200, 200, 200, 429];
    expect(statuses).toEqual([...each, ...each, ...each]);
    expect((await emailsSentTo(app, victim)).length).toBeLessThanOrEqual(5);
  });

  test('sends no email if only the case of the address changes', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const reply = await save(ann.token, { email: ann.email.toUpperCase() });
    expect(reply.body.user.email).toBe(ann.email.toUpperCase());
    expect(await emailsSentTo(app, ann.email)).toEqual([]);
  });

  test('gives a free address to only one of two users who request it at once', async () => {
    const people = [await aPerson(app, { schools: [school] }), await aPerson(app, { schools: [school] })];
    const replies = await Promise.all(
      people.map((person) => save(person.token, { email: 'wanted@maplegrove.example' })),
    );
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409]);
  });

  test('invalidates reset links that went to the old address', async () => {
    const ann = await aPerson(app, { schools: [school] });
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const link = linkIn((await emailsSentTo(app, ann.email)).at(-1), 'token');
    await save(ann.token, { email: `moved-${ann.email}` });
    expect((await app.call(`GET /api/auth/verify-reset-token/${link}`)).status).toBe(400);
  });
});

describe('sessions', () => {
  const ANDROID =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

  test('are listed with their device, most recently used first, without tokens', async () => {
    const ann = await aPerson(app);
    app.clock.advance(60_000);
    const phone = await anotherSession(ann, ANDROID);
    const reply = await app.call('GET /api/profile/sessions', { token: ann.token });
    expect(reply.body.sessions).toMatchObject([
      { current: false, device: 'Chrome on Android', createdAt: app.clock.now() },
      { current: true, device: 'Unknown device' },
    ]);
    expect(Object.keys(reply.body.sessions[0]).toSorted()).toEqual([
      'createdAt',
      'current',
      'device',
      'id',
      'lastUsedAt',
      'provider',
      'signedInBy',
    ]);
    expect(reply.text).not.toContain(phone);
  });

  test('are listed newest first if last used at the same moment, and record their use once a minute', async () => {
    const ann = await aPerson(app);
    for (const agent of ['first', 'second', 'third']) await anotherSession(ann, agent);
    const listed = async (token = ann.token) =>
      (await app.call('GET /api/profile/sessions', { token })).body.sessions as {
        id: number;
        lastUsedAt: string;
      }[];
    const began = app.clock.now();
    const ids = (await listed()).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    app.clock.advance(60_000);
    expect((await listed()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([began, began, began, began]);
    app.clock.advance(1);
    expect((await listed()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      app.clock.now(),
      began,
      began,
      began,
    ]);
  });

  test('last exactly 30 days if used every week, and end after a week without use', async () => {
    const ann = await aPerson(app);
    const daysLater = async (days: number, more = 0) => {
      app.clock.advance(days * 24 * HOUR + more);
      return (await profileOf(ann.token)).status;
    };
    expect([await daysLater(7), await daysLater(7), await daysLater(7), await daysLater(7)]).toEqual([
      200, 200, 200, 200,
    ]);
    expect([await daysLater(2), await daysLater(0, 1)]).toEqual([200, 401]);
    const bob = await aPerson(app);
    app.clock.advance(7 * 24 * HOUR + 1);
    expect((await profileOf(bob.token)).status).toBe(401);
  });

  test('stay valid on a server that cannot write', async () => {
    const locked = ENGINE === 'sqlite' ? await appWithOutages() : undefined;
    const { app, full } =
      locked === undefined ? await appOnSmallDisk() : { app: locked.app, full: locked.outage };
    const ann = await aPerson(app, { schools: [await aSchool(app)] });
    app.clock.advance(2 * 60_000);
    await full.begin();
    try {
      expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(200);
      const reply = await app.call('GET /api/profile/sessions', { token: ann.token });
      expect([reply.status, reply.body.sessions.length]).toEqual([200, 1]);
    } finally {
      await full.mend();
    }
  });

  test('that have expired are not listed', async () => {
    const ada = await anAdministrator(app);
    app.clock.advance(HOUR + 1);
    const token = await anotherSession(ada);
    const reply = await app.call('GET /api/profile/sessions', { token });
    expect(reply.body.sessions).toHaveLength(1);
  });

  test('on other devices can be ended together', async () => {
    const [ann, bob] = [await aPerson(app), await aPerson(app)];
    const phone = await anotherSession(ann);
    await anotherSession(ann);
    const reply = await app.call('POST /api/auth/sign-out-others', { token: ann.token });
    expect([reply.status, reply.body]).toEqual([200, { message: "You're signed out on all other devices" }]);
    expect((await recordOf(app, 'user', ann.id)).at(-1)).toMatchObject({
      action: 'session.end-others',
      actorId: ann.id,
      after: { ended: 2 },
    });
    expect((await profileOf(phone)).status).toBe(401);
    expect((await profileOf(ann.token)).status).toBe(200);
    expect((await profileOf(bob.token)).status).toBe(200);
  });

  test('on other devices can be ended individually, but not those of other users', async () => {
    const [ann, bob] = [await aPerson(app), await aPerson(app)];
    app.clock.advance(1000);
    const phone = await anotherSession(ann, ANDROID);
    const end = (id: number, token = ann.token) => app.call(`DELETE /api/profile/sessions/${id}`, { token });
    const listed = async (token: string) =>
      (await app.call('GET /api/profile/sessions', { token })).body.sessions as { id: number }[];
    const [onPhone] = await listed(ann.token);
    const [ofBob] = await listed(bob.token);
    expect((await end(ofBob?.id ?? 0)).status).toBe(404);
    expect((await profileOf(bob.token)).status).toBe(200);
    const reply = await end(onPhone?.id ?? 0);
    expect([reply.status, reply.body]).toEqual([200, { message: 'Signed out of Chrome on Android' }]);
    expect((await profileOf(phone)).status).toBe(401);
    expect((await profileOf(ann.token)).status).toBe(200);
    expect(await end(onPhone?.id ?? 0)).toMatchObject({
      status: 404,
      body: { error: 'This session has already ended' },
    });
    expect((await recordOf(app, 'user', ann.id)).at(-1)).toMatchObject({
      action: 'session.end-one',
      actorId: ann.id,
    });
  });

  test('are listed with their sign-in method', async () => {
    const ann = await aPerson(app);
    const { db } = app.deps.database;
    const ways = ['password', 'passkey', 'link', null] as const;
    for (const way of ways) {
      app.clock.advance(1000);
      const token = await anotherSession(ann);
      await db
        .updateTable('sessions')
        .set({ signed_in_by: way })
        .where('token_hash', '=', hashToken(token))
        .execute();
    }
    const { body } = await app.call('GET /api/profile/sessions', { token: ann.token });
    const told = body.sessions.map(({ signedInBy }: { signedInBy: string | null }) => signedInBy);
    expect(told).toEqual([...ways.toReversed(), 'password']);
  });

  test.each([
    [ANDROID, 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPad',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
      'Chrome on ChromeOS',
    ],
    ['curl/8.5.0', 'Unknown device'],
    ['', 'Unknown device'],
  ])('describe the user agent %s as %j', (agent, device) => {
    expect(describeDevice(app.deps, agent)).toBe(device);
  });
});
