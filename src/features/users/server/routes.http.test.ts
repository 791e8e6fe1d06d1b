import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { ensureAdministrator } from '#features/auth/server/first-administrator.ts';
import { transaction } from '#server/db/database.ts';
import { hashToken } from '#server/secrets.ts';
import { anAuthenticator } from '#test/authenticator.ts';
import { anAdministrator, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { fullTest } from '#test/full-test.ts';
import { startApp, type TestApp } from '#test/harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let app: TestApp;
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln Elementary' });
});
beforeEach(() => app.clock.advance(2 * HOUR));

let number = 0;
function aRegistration(given: Record<string, unknown> = {}) {
  return {
    email: `new${++number}@maplegrove.example`,
    password: PASSWORD,
    firstName: 'Maria',
    lastName: 'Núñez',
    schoolIds: [school.id],
    ...given,
  };
}

const register = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/auth/register', { body, headers });
const login = (email: unknown, password: unknown, from?: string) =>
  app.call('POST /api/auth/login', { body: { email, password }, ...(from === undefined ? {} : { from }) });
const profile = (token: string) => app.call('GET /api/profile', { token });

describe('registering', () => {
  test('creates a volunteer at the chosen schools and signs in', async () => {
    const body = aRegistration({ email: '  Maria.Nunez@MapleGrove.example ' });
    const reply = await register(body);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      user: {
        id: expect.any(Number),
        email: 'Maria.Nunez@MapleGrove.example',
        firstName: 'Maria',
        lastName: 'Núñez',
        role: 'user',
        isActive: true,
        createdAt: app.clock.now(),
        lastLogin: app.clock.now(),
        schools: [{ id: school.id, name: 'Lincoln Elementary', logoUrl: null }],
        pendingSchools: [],
        grants: [],
        erasureRequestedAt: null,
        language: null,
      },
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      message: 'Welcome, Maria! Your account is ready.',
    });
    expect((await profile(reply.body.token)).body).toEqual({ user: { ...reply.body.user, may: [] } });
    expect((await login('maria.nunez@maplegrove.example', PASSWORD)).status).toBe(200);
  });

  test.each([
    [{ email: '' }, 'email', 'Email and password are required'],
    [{ password: '' }, 'password', 'Email and password are required'],
    [{ email: undefined }, 'email', 'Email and password are required'],
    [{ firstName: ' ' }, 'firstName', 'First name and last name are required'],
    [{ lastName: null }, 'lastName', 'First name and last name are required'],
    [{ schoolIds: [] }, 'schoolIds', 'Please select at least one school'],
    [{ schoolIds: undefined }, 'schoolIds', 'Please select at least one school'],
    [{ schoolIds: [999_999] }, 'schoolIds', 'Please select at least one school'],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters long'],
    [
      { password: 'qwerty' },
      'password',
      'This password is one of the most common ones. Please choose another.',
    ],
    [{ password: 'x'.repeat(201) }, 'password', 'Password can be up to 200 characters long'],
    [{ email: 'maria' }, 'email', 'Please enter a valid email address'],
    [{ firstName: 'x'.repeat(61) }, 'firstName', 'Use up to 60 characters'],
  ])('rejects %j with an error at the field', async (given, field, message) => {
    const reply = await register(aRegistration(given));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: message, fields: { [field]: message } });
  });

  test('never creates an administrator, whatever the body contains', async () => {
    const reply = await register(aRegistration({ role: 'admin', isActive: false, id: 1, userId: 1 }));
    expect([reply.status, reply.body.user.role, reply.body.user.isActive]).toEqual([201, 'user', true]);
  });

  test('rejects an address that has an account, in any case', async () => {
    const body = aRegistration();
    await register(body);
    const again = await register({ ...body, email: body.email.toUpperCase() });
    expect([again.status, again.body]).toEqual([409, { error: 'An account with this email already exists' }]);
  });

  test('creates one account if many requests use one address at once', async () => {
    const body = aRegistration();
    const replies = await Promise.all(Array.from({ length: 4 }, () => register(body)));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  test('repeated with the same Idempotency-Key returns the same account and token', async () => {
    const body = aRegistration();
    const key = { 'idempotency-key': `register-${number}` };
    const first = await register(body, key);
    const second = await register(body, key);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await profile(second.body.token)).status).toBe(200);
    // The stored first reply holds a token: it is not readable in the database.
    const stored = await app.deps.database.db
      .selectFrom('idempotency_keys')
      .select('reply')
      .where('key', '=', key['idempotency-key'])
      .executeTakeFirstOrThrow();
    expect(stored.reply).not.toContain(first.body.token);
  });

  fullTest(
    'is not limited for three hundred attempts behind one IP address',
    async () => {
      const busy = await startApp();
      await aSchool(busy);
      const body = aRegistration({ schoolIds: [999] });
      const statuses = new Set<number>();
      for (let batch = 0; batch < 15; batch++) {
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => busy.call('POST /api/auth/register', { body })),
        );
        for (const reply of replies) statuses.add(reply.status);
      }
      expect([...statuses]).toEqual([400]);
    },
    120_000,
  );

  test('is closed to the public if the district requires invitations', async () => {
    const closed = await startApp({ REGISTRATION: 'invite' });
    const { id } = await aSchool(closed);
    const reply = await closed.call('POST /api/auth/register', { body: aRegistration({ schoolIds: [id] }) });
    expect([reply.status, reply.body.error]).toEqual([
      403,
      'The district creates new accounts. Please contact help@maplegrove.example.',
    ]);
  });

  test('follows the district’s password length and common-password setting', async () => {
    const strict = await startApp({ PASSWORD_MIN_LENGTH: '12', PASSWORD_BLOCKLIST: 'off' });
    const { id } = await aSchool(strict);
    const send = (password: string) =>
      strict.call('POST /api/auth/register', { body: aRegistration({ schoolIds: [id], password }) });
    expect((await send('elevenchars')).body.error).toBe('Password must be at least 12 characters long');
    expect((await send('passwordpassword')).status).toBe(201);
  });
});

describe('signing in', () => {
  test('returns the account and a token, and records the time', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const reply = await login(ann.email, PASSWORD);
    expect(reply.status).toBe(200);
    expect(reply.body.message).toBe('Signed in');
    expect(reply.body.user).toMatchObject({ id: ann.id, email: ann.email, lastLogin: app.clock.now() });
    expect((await profile(reply.body.token)).body.user.id).toBe(ann.id);
  });

  test.each([
    [{}],
    [{ email: 'a@b.example' }],
    [{ password: 'secret1' }],
    [{ email: ' ', password: 'secret1' }],
    [{ email: 5, password: 'secret1' }],
    [{ email: ['a'], password: { $ne: 1 } }],
  ])('with %j returns an error that email and password are required', async (body) => {
    const reply = await app.call('POST /api/auth/login', { body });
    expect([reply.status, reply.body.error]).toEqual([400, 'Email and password are required']);
  });

  test('returns the same error for a wrong password, an unknown address and a deactivated account', async () => {
    const ann = await aPerson(app);
    const gone = await aPerson(app);
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', gone.id).execute();
    const answers = [
      await login(ann.email, 'not this one'),
      await login('nobody@maplegrove.example', PASSWORD),
      await login(gone.email, PASSWORD),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([401, '{"error":"Invalid email or password"}']);
    }
  });

  test('is paused after five failures, longer each time, until a success resets the count', async () => {
    const ann = await aPerson(app);
    for (let i = 0; i < 5; i++) expect((await login(ann.email, 'wrong')).status).toBe(401);
    const paused = await login(ann.email, PASSWORD);
    expect([paused.status, paused.body.error]).toEqual([429, 'Too many attempts. Please try again later.']);
    expect(paused.headers['retry-after']).toBe('60');
    app.clock.advance(61_000);
    for (let i = 0; i < 5; i++) expect((await login(ann.email, 'wrong')).status).toBe(401);
    expect((await login(ann.email, 'wrong')).headers['retry-after']).toBe('120');
    app.clock.advance(121_000);
    expect((await login(ann.email, PASSWORD)).status).toBe(200);
    expect((await login(ann.email, 'wrong')).status).toBe(401);
  });

  test('checks no more than five of many simultaneous guesses', async () => {
    const ann = await aPerson(app);
    const replies = await Promise.all(Array.from({ length: 20 }, () => login(ann.email, 'wrong')));
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(5);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(15);
  });

  test('of one person is not delayed by failures of others at the same IP address', async () => {
    const ann = await aPerson(app);
    for (let i = 0; i < 40; i++) await login(`other${i}@maplegrove.example`, 'wrong', '10.9.9.9');
    expect((await login(ann.email, PASSWORD, '10.9.9.9')).status).toBe(200);
  });

  // Compares times, which other tests that run beside it change.
  fullTest('takes about as long for an unknown address as for a known one', async () => {
    const ann = await aPerson(app);
    const timed = async (email: string) => {
      const began = performance.now();
      await login(email, 'wrong');
      return performance.now() - began;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 12; i++) {
      known.push(await timed(ann.email));
      unknown.push(await timed(`nobody${i}@maplegrove.example`));
      app.clock.advance(2 * DAY);
    }
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    // Without the hash for nobody an unknown address is answered in a small part of the time.
    expect(median(unknown)).toBeGreaterThan(median(known) / 2);
    expect(median(unknown)).toBeLessThan(median(known) * 2);
  });

  test('is recorded without the password if it fails', async () => {
    const ann = await aPerson(app);
    await login(ann.email, 'my-secret-guess');
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'session.fail')
      .where('subject_id', '=', ann.id)
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('my-secret-guess');
  });
});

describe('a session', () => {
  test('ends permanently at logout', async () => {
    const ann = await aPerson(app);
    const out = await app.call('POST /api/auth/logout', { token: ann.token });
    expect([out.status, out.text]).toEqual([204, '']);
    expect((await profile(ann.token)).status).toBe(401);
    expect((await app.call('POST /api/auth/logout', { token: ann.token })).status).toBe(401);
  });

  test('ends when the account is deactivated or removed', async () => {
    const ann = await aPerson(app);
    const bob = await aPerson(app);
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', ann.id).execute();
    await app.deps.database.db.deleteFrom('users').where('id', '=', bob.id).execute();
    expect((await profile(ann.token)).status).toBe(401);
    expect((await profile(bob.token)).status).toBe(401);
  });

  test('of a demoted administrator loses admin access at once', async () => {
    const ada = await anAdministrator(app);
    expect((await app.call('GET /api/admin/schools', { token: ada.token })).status).toBe(200);
    await app.deps.database.db.updateTable('users').set({ role: 'user' }).where('id', '=', ada.id).execute();
    const reply = await app.call('GET /api/admin/schools', { token: ada.token });
    expect([reply.status, reply.body]).toEqual([403, { error: 'Admin access required' }]);
    expect((await profile(ada.token)).status).toBe(200);
  });

  test.each([
    ['user', 7 * DAY, 30 * DAY],
    ['admin', HOUR, 12 * HOUR],
  ] as const)(
    'with the role %s ends after its idle timeout, and at its maximum age even if it is used',
    async (role, idle, total) => {
      const idler = await aPerson(app, { role });
      app.clock.advance(idle);
      expect((await profile(idler.token)).status).toBe(200);
      app.clock.advance(idle + 1);
      expect((await profile(idler.token)).status).toBe(401);

      const busy = await aPerson(app, { role });
      for (let spent = 0; spent < total; spent += idle / 2) {
        expect((await profile(busy.token)).status).toBe(200);
        app.clock.advance(idle / 2);
      }
      app.clock.advance(1);
      expect((await profile(busy.token)).status).toBe(401);
    },
  );

  test('is stored only as the hash of its token', async () => {
    const ann = await aPerson(app);
    const rows = await app.deps.database.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', ann.id)
      .execute();
    expect(rows.map((row) => row.token_hash)).toEqual([hashToken(ann.token)]);
    expect(JSON.stringify(rows)).not.toContain(ann.token);
  });
});

describe('a password link', () => {
  const verify = (token: string) => app.call(`GET /api/auth/verify-reset-token/${token}`);
  const reset = (token: unknown, newPassword: unknown) =>
    app.call('POST /api/auth/reset-password', { body: { token, newPassword } });
  const invalid = [400, 'Invalid or expired reset token'];
  const aLink = async (person: { id: number }, hours = 1) =>
    transaction(app.deps.database, (trx) => createPasswordLink(trx, person.id, app.clock.now(), hours));

  test('names its owner, sets the password once and ends every session', async () => {
    const ann = await aPerson(app, { firstName: 'Ann' });
    const token = await aLink(ann);
    const verified = await verify(token);
    expect([verified.status, verified.body]).toEqual([200, { user: { firstName: 'Ann', email: ann.email } }]);
    const done = await reset(token, 'brand-new-91');
    expect([done.status, done.body.message]).toEqual([
      200,
      'Your password has been set. You can sign in now.',
    ]);
    expect((await profile(ann.token)).status).toBe(401);
    expect((await login(ann.email, PASSWORD)).status).toBe(401);
    expect((await login(ann.email, 'brand-new-91')).status).toBe(200);
    const again = await reset(token, 'another-92');
    expect([again.status, again.body.error]).toEqual(invalid);
    expect((await verify(token)).status).toBe(400);
  });

  test('works once even when used twice at the same moment', async () => {
    const token = await aLink(await aPerson(app));
    const replies = await Promise.all([reset(token, 'first-one-11'), reset(token, 'second-one-22')]);
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 400]);
  });

  test('is rejected if it expired, was replaced or is unknown', async () => {
    const ann = await aPerson(app);
    const older = await aLink(ann);
    const newer = await aLink(ann);
    for (const token of [older, 'guessed', 'a'.repeat(43), '%00', '..%2f']) {
      const reply = await verify(token);
      expect([reply.status, reply.body.error]).toEqual(invalid);
    }
    app.clock.advance(HOUR);
    expect((await verify(newer)).status).toBe(400);
    expect((await reset(newer, 'long-enough-1')).body.error).toBe('Invalid or expired reset token');
  });

  test.each([
    [undefined, 'long-enough-1', 'No reset token provided'],
    ['', 'long-enough-1', 'No reset token provided'],
    ['token', '12345', 'Password must be at least 6 characters long'],
    ['token', undefined, 'Password must be at least 6 characters long'],
    ['token', 'password', 'This password is one of the most common ones. Please choose another.'],
  ])('with token %j and password %j is rejected with a reason', async (token, newPassword, message) => {
    const reply = await reset(token, newPassword);
    expect([reply.status, reply.body.error]).toEqual([400, message]);
  });
});

describe('the first administrator', () => {
  test('is created from the settings, once', async () => {
    const own = await startApp({ ADMIN_EMAIL: 'head@maplegrove.example', ADMIN_PASSWORD: 'head-office-1' });
    expect(await ensureAdministrator(own.deps)).toEqual({ how: 'created', email: 'head@maplegrove.example' });
    expect(await ensureAdministrator(own.deps)).toEqual({ how: 'present' });
    const reply = await own.call('POST /api/auth/login', {
      body: { email: 'head@maplegrove.example', password: 'head-office-1' },
    });
    expect(reply.body.user.role).toBe('admin');
  });

  test('gets a new link at every start until the password is set', async () => {
    const own = await startApp();
    const first = await ensureAdministrator(own.deps);
    const second = await ensureAdministrator(own.deps);
    if (first.how !== 'link' || second.how !== 'link') throw new Error('a link was expected');
    expect(second.email).toBe('help@maplegrove.example');
    expect((await own.call(`GET /api/auth/verify-reset-token/${first.token}`)).status).toBe(400);
    expect((await own.call(`GET /api/auth/verify-reset-token/${second.token}`)).status).toBe(200);
    await own.call('POST /api/auth/reset-password', {
      body: { token: second.token, newPassword: 'head-office-2' },
    });
    expect(await ensureAdministrator(own.deps)).toEqual({ how: 'present' });
    const count = await own.deps.database.db.selectFrom('users').select('id').execute();
    expect(count).toHaveLength(1);
  });

  test('keeps the printed link when a reset link is requested for the support address', async () => {
    const own = await startApp();
    const first = await ensureAdministrator(own.deps);
    if (first.how !== 'link') throw new Error('a link was expected');
    const forgot = await own.call('POST /api/auth/forgot-password', { body: { email: first.email } });
    expect(forgot.status).toBe(200);
    expect((await own.call(`GET /api/auth/verify-reset-token/${first.token}`)).status).toBe(200);
    const body = { token: first.token, newPassword: 'head-office-2' };
    expect((await own.call('POST /api/auth/reset-password', { body })).status).toBe(200);
    await own.call('POST /api/auth/forgot-password', { body: { email: first.email } });
    const links = await own.deps.database.db
      .selectFrom('password_links')
      .select('id')
      .where('used_at', 'is', null)
      .execute();
    expect(links).toHaveLength(1);
  });

  test('takes over an account that was registered with that address, and revokes its access', async () => {
    const own = await startApp();
    const early = await aPerson(own, { email: 'help@maplegrove.example' });
    await anAuthenticator(own, early);
    const first = await ensureAdministrator(own.deps);
    expect(first.how).toBe('link');
    expect((await own.call('GET /api/profile', { token: early.token })).status).toBe(401);
    const reply = await own.call('POST /api/auth/login', {
      body: { email: early.email, password: PASSWORD },
    });
    expect(reply.status).toBe(401);
    const { db } = own.deps.database;
    expect(await db.selectFrom('totp_secrets').selectAll().execute()).toEqual([]);
  });
});
