import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { setPassword } from '../../server/credentials.ts';
import { MOST_FAILED_LOGINS } from '../../server/credentials-store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SENT = 'If an account exists for that email, a reset link has been sent.';
const PUBLIC = { PUBLIC_URL: 'https://hours.maplegrove.example/' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp(PUBLIC);
});
beforeEach(() => app.clock.advance(2 * HOUR));

const forgot = (email: unknown, options: { from?: string; headers?: Record<string, string> } = {}) =>
  app.call('POST /api/auth/forgot-password', { body: { email }, ...options });
const verify = (token: string) => app.call(`GET /api/auth/verify-reset-token/${token}`);
const reset = (token: string, newPassword = 'brand-new-91') =>
  app.call('POST /api/auth/reset-password', { body: { token, newPassword } });
const login = (email: string, password = PASSWORD, from = '10.0.0.1') =>
  app.call('POST /api/auth/login', { body: { email, password }, from });
const newestLink = async (email: string) => linkIn((await emailsSentTo(app, email)).at(-1), 'token');

describe('requesting a reset link', () => {
  test('emails a link that sets a new password and ends every session', async () => {
    const ann = await aPerson(app, { firstName: 'Ann', isProven: true });
    const reply = await forgot(ann.email.toUpperCase());
    expect([reply.status, reply.body]).toEqual([200, { message: SENT }]);
    const [letter, ...more] = await emailsSentTo(app, ann.email);
    expect(more).toEqual([]);
    expect(letter).toMatchObject({ subject: 'Reset your password' });
    expect(letter?.text).toContain('Hello Ann,');
    expect(letter?.text).toContain('within 60 minutes');
    expect(letter?.text?.replace(/\s+/g, ' ')).toContain('If you asked more than once, use the newest email');
    expect(letter?.text).toMatch(/https:\/\/hours\.maplegrove\.example\/\?token=[\w-]{43}\n/);
    const token = linkIn(letter, 'token');
    expect((await verify(token)).body).toEqual({ user: { firstName: 'Ann', email: ann.email } });
    expect((await reset(token)).status).toBe(200);
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(401);
    expect((await login(ann.email, 'brand-new-91')).status).toBe(200);
    const notice = (await emailsSentTo(app, ann.email)).at(-1);
    expect(notice?.subject).toBe('Your password was changed');
    expect(notice?.text).toContain('help@maplegrove.example');
  });

  test('returns the same reply for an unknown, deactivated or malformed address, and sends no email', async () => {
    const gone = await aPerson(app);
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', gone.id).execute();
    for (const email of ['nobody@maplegrove.example', gone.email, 'not an address']) {
      const reply = await forgot(email);
      expect([reply.status, reply.body]).toEqual([200, { message: SENT }]);
      expect(await emailsSentTo(app, email)).toEqual([]);
    }
  });

  test.each([[''], ['  '], [undefined], [null], [7]])(
    'rejects the address %j and names the field',
    async (email) => {
      const reply = await forgot(email);
      expect([reply.status, reply.body]).toEqual([
        400,
        { error: 'Email address is required', fields: { email: 'Email address is required' } },
      ]);
    },
  );

  test('builds the link from the settings, not from the request’s host headers', async () => {
    const ann = await aPerson(app);
    await forgot(ann.email, {
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
        forwarded: 'host=evil.example',
        origin: 'https://evil.example',
      },
    });
    const [letter] = await emailsSentTo(app, ann.email);
    expect(letter?.text).toContain('https://hours.maplegrove.example/?token=');
    expect(JSON.stringify(letter)).not.toContain('evil');
  });

  test('omits the user’s name from the email if the address is unconfirmed', async () => {
    const ann = await aPerson(app, {
      firstName: 'Win http://evil.example',
      lastName: 'Now',
      isProven: false,
    });
    await forgot(ann.email);
    const letters = JSON.stringify(await emailsSentTo(app, ann.email));
    expect(letters).toContain('Reset your password');
    expect(letters).not.toMatch(/evil|Now/);
  });

  test('is silently limited per account, and allows 200 users an hour behind one IP address', async () => {
    const ann = await aPerson(app);
    for (let i = 0; i < 8; i++)
      expect((await forgot(ann.email, { from: '10.1.1.1' })).body.message).toBe(SENT);
    // Letters that a newer one replaced are not sent, but each was posted.
    const posted = await app.deps.database.db
      .selectFrom('emails')
      .select('id')
      .where('user_id', '=', ann.id)
      .execute();
    expect(posted).toHaveLength(5);
    const statuses = new Set<number>();
    for (let i = 0; i < 200; i++) {
      statuses.add((await forgot(`someone${i}@maplegrove.example`, { from: '10.1.1.1' })).status);
    }
    expect([...statuses]).toEqual([200]);
    for (let i = 0; i < 100; i++) {
      statuses.add((await forgot(`another${i}@maplegrove.example`, { from: '10.1.1.1' })).status);
    }
    expect([...statuses]).toEqual([200, 429]);
    expect((await forgot(ann.email, { from: '10.1.1.2' })).status).toBe(200);
  });

  test('is recorded in the audit log', async () => {
    const ann = await aPerson(app);
    await forgot(ann.email);
    expect(await recordOf(app, 'user', ann.id)).toMatchObject([{ action: 'password.forget', actorId: null }]);
  });
});

describe('an emailed reset link', () => {
  const refused = [400, { error: 'Invalid or expired reset token' }];

  test('deletes the first administrator’s link file only if the file has this link', async () => {
    const file = join(app.dataDir, 'first-administrator.txt');
    const ann = await aPerson(app);
    const printed = `https://hours.maplegrove.example/?token=`;
    await forgot(ann.email);
    writeFileSync(file, `${printed}${'a'.repeat(43)}\n`);
    expect((await reset((await newestLink(ann.email)) ?? '')).status).toBe(200);
    expect(existsSync(file)).toBe(true);
    await forgot(ann.email);
    const token = (await newestLink(ann.email)) ?? '';
    writeFileSync(file, `${printed}${token}\n`);
    expect((await reset(token, 'short')).status).toBe(400);
    expect(existsSync(file)).toBe(true);
    expect((await reset(token)).status).toBe(200);
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    [
      'replayed',
      async (token: string) => {
        expect((await reset(token)).status).toBe(200);
        return token;
      },
    ],
    [
      'expired',
      async (token: string) => {
        app.clock.advance(HOUR);
        return token;
      },
    ],
    [
      'older than the newest',
      async (token: string, email: string) => {
        await forgot(email);
        return token;
      },
    ],
    ['guessed', async (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['unknown', async () => 'a'.repeat(43)],
    [
      'for an account deactivated since',
      async (token: string, email: string) => {
        await app.deps.database.db
          .updateTable('users')
          .set({ is_active: 0 })
          .where('email', '=', email)
          .execute();
        return token;
      },
    ],
  ])('is rejected if it is %s', async (_what, spoil) => {
    const ann = await aPerson(app);
    await forgot(ann.email);
    const token = await spoil(await newestLink(ann.email), ann.email);
    const [verified, done] = [await verify(token), await reset(token, 'never-this-88')];
    expect([verified.status, verified.body]).toEqual(refused);
    expect([done.status, done.body]).toEqual(refused);
    expect((await login(ann.email, 'never-this-88')).status).toBe(401);
  });

  test('sends no warning email if it sets the first password', async () => {
    const ann = await aPerson(app);
    await app.deps.database.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', ann.id)
      .execute();
    await forgot(ann.email);
    expect((await reset(await newestLink(ann.email))).status).toBe(200);
    const subjects = (await emailsSentTo(app, ann.email)).map(({ subject }) => subject);
    expect(subjects).not.toContain('Your password was changed');
  });

  test('works for up to an hour', async () => {
    const ann = await aPerson(app);
    await forgot(ann.email);
    const token = await newestLink(ann.email);
    app.clock.advance(HOUR - 1);
    expect((await reset(token)).status).toBe(200);
  });

  test('is replaced by a newer one while still in the outbox', async () => {
    const ann = await aPerson(app);
    await forgot(ann.email);
    await forgot(ann.email);
    const letters = await emailsSentTo(app, ann.email);
    expect(letters).toHaveLength(1);
    expect((await verify(linkIn(letters[0], 'token'))).status).toBe(200);
  });

  test('is stored only encrypted or hashed', async () => {
    const ann = await aPerson(app);
    await forgot(ann.email);
    const { db } = app.deps.database;
    const before = JSON.stringify([
      await db.selectFrom('emails').selectAll().execute(),
      await db.selectFrom('password_links').selectAll().execute(),
      await db.selectFrom('audit_events').selectAll().execute(),
    ]);
    const token = await newestLink(ann.email);
    expect(token).toHaveLength(43);
    expect(before).not.toContain(token);
  });
});

describe('wrong passwords in a row', () => {
  const STRANGER = '198.51.100.7';

  async function failOften(email: string, times: number) {
    for (let i = 0; i < times; i++) {
      expect((await login(email, `wrong ${i}`, STRANGER)).status).toBe(401);
      app.clock.advance(5 * MINUTE);
    }
  }

  test('beyond the limit lock unknown devices out until a reset link is used, but end no session', async () => {
    const ann = await aPerson(app, { role: 'user' });
    await app.deps.database.db
      .updateTable('users')
      .set({ failed_logins: MOST_FAILED_LOGINS - 3 })
      .where('id', '=', ann.id)
      .execute();
    await failOften(ann.email, 2);
    expect((await login(ann.email)).status).toBe(200);
    await app.deps.database.db.deleteFrom('known_devices').where('user_id', '=', ann.id).execute();
    await app.deps.database.db
      .updateTable('users')
      .set({ failed_logins: MOST_FAILED_LOGINS - 3 })
      .where('id', '=', ann.id)
      .execute();
    await failOften(ann.email, 3);
    const closed = await login(ann.email);
    expect([closed.status, closed.body]).toEqual([401, { error: 'Invalid email or password' }]);
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(200);
    await forgot(ann.email);
    await reset(await newestLink(ann.email));
    expect((await login(ann.email, 'brand-new-91')).status).toBe(200);
  });

  test('are counted until a successful sign-in resets the count', async () => {
    const ann = await aPerson(app);
    const count = async () =>
      app.deps.database.db
        .selectFrom('users')
        .select('failed_logins')
        .where('id', '=', ann.id)
        .executeTakeFirstOrThrow();
    await failOften(ann.email, 3);
    expect(await count()).toEqual({ failed_logins: 3 });
    await login(ann.email);
    expect(await count()).toEqual({ failed_logins: 0 });
  });
});

test('a sign-in fails if its password is being changed at the same moment', async () => {
  const ada = await anAdministrator(app);
  const hash = await app.deps.database.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow();
  const reply = await sendDuring(
    app,
    (trx) => setPassword(trx, ada.id, `${hash.password_hash}x`),
    () => login(ada.email),
  );
  expect(reply.status).toBe(401);
});
