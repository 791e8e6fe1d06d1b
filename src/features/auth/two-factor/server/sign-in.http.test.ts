import { describe, expect, test } from 'vitest';
import { revokeRestoredLinks } from '#app/server/revoke-restored-links.ts';
import { transaction } from '#server/db/database.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { anAuthenticator, codeOf } from '#test/authenticator.ts';
import { aGrant, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { fullTest } from '#test/full-test.ts';
import { startApp, TODAY } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { createPasswordLink } from '../../passwords/server/password-reset.ts';
import { MOST_FAILED_LOGINS } from '../../server/credentials-store.ts';
import { startSession } from '../../sessions/server/actions.ts';
import { resetTwoFactorFromCommandLine } from './admin-reset.ts';

const TOTP = '/api/profile/second-factor/totp';
const LOGIN = 'POST /api/auth/login';
const SECOND = 'POST /api/auth/second-factor';
const MINUTE = 60_000;

const app = await startApp();

/** The first step of signing in, from a browser and an address. */
async function first(person: { email: string }, from: { device?: string; address?: string } = {}) {
  return app.call(LOGIN, { body: { email: person.email, password: PASSWORD }, ...sentFrom(from) });
}

function second(challenge: string, code: string, from: { device?: string; address?: string } = {}) {
  return app.call(SECOND, { body: { challenge, code }, ...sentFrom(from) });
}

function sentFrom({ device, address }: { device?: string; address?: string }) {
  return {
    ...(device === undefined ? {} : { headers: { 'x-device-key': device } }),
    ...(address === undefined ? {} : { from: address }),
  };
}

const now =
  (steps = 0) =>
  (secret: string) =>
    codeOf(secret, app.clock.now(), steps);

/** Somebody with an authenticator, set up as the screens do it. */
async function withAuthenticator() {
  const person = await aPerson(app);
  const offered = await app.call(`POST ${TOTP}`, { token: person.token });
  const { secret } = offered.body;
  const confirmed = await app.call(`POST ${TOTP}/confirm`, {
    token: person.token,
    body: { code: codeOf(secret, app.clock.now()) },
  });
  expect(confirmed.status).toBe(200);
  app.clock.advance(MINUTE);
  return { ...person, secret, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

describe('setting up an authenticator', () => {
  test.each(['\u{1f511}\u{1f511}\u{1f511}', '\u0661\u0662\u0663\u0664\u0665\u0666', '12345\u0000', '12345x'])(
    'rejects %s as a code',
    async (code) => {
      const person = await aPerson(app);
      await app.call(`POST ${TOTP}`, { token: person.token });
      const { status } = await app.call(`POST ${TOTP}/confirm`, { token: person.token, body: { code } });
      expect(status).toBe(400);
    },
  );

  test('shows a secret with its QR code, and ten recovery codes after a correct code', async () => {
    const person = await aPerson(app);
    const { body } = await app.call(`POST ${TOTP}`, { token: person.token });
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(body.uri);
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Maple Grove Schools:${person.email}`,
    ]);
    expect(uri.searchParams.get('secret')).toBe(body.secret);
    const wrong = await app.call(`POST ${TOTP}/confirm`, { token: person.token, body: { code: '000000' } });
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['code']]);
    expect((await first(person)).body.token).toBeDefined();
    const code = now()(body.secret);
    const right = await app.call(`POST ${TOTP}/confirm`, {
      token: person.token,
      body: { code: `${code.slice(0, 3)} ${code.slice(3)}` },
    });
    expect(right.body.recoveryCodes).toHaveLength(10);
    expect(new Set(right.body.recoveryCodes).size).toBe(10);
    expect((await first(person)).body).toEqual({ next: 'second-factor', challenge: expect.any(String) });
    const shown = await app.call('GET /api/profile/second-factor', { token: person.token });
    expect(shown.body).toEqual({
      totp: { createdAt: app.clock.now(), lastUsedAt: null },
      recoveryCodesLeft: 10,
      neededFrom: null,
      isSetUp: true,
      isOverdue: false,
    });
    expect((await emailsSentTo(app, person.email)).map(({ subject }) => subject)).toEqual([
      'You now need a code to sign in',
    ]);
  });
});

describe('signing in', () => {
  test('without a second factor returns a session at once', async () => {
    const person = await aPerson(app);
    const { status, body } = await first(person);
    expect([status, Object.keys(body).sort()]).toEqual([200, ['message', 'token', 'user']]);
  });

  test('with a second factor returns a session only after the code', async () => {
    const { secret, email, id } = await withAuthenticator();
    const asked = await first({ email });
    expect([asked.status, asked.body]).toEqual([
      200,
      { next: 'second-factor', challenge: expect.any(String) },
    ]);
    const { status, body } = await second(
      asked.body.challenge,
      ` ${now()(secret).slice(0, 3)} ${now()(secret).slice(3)}`,
    );
    expect([status, Object.keys(body).sort(), body.user.id]).toEqual([200, ['message', 'token', 'user'], id]);
    expect((await app.call('GET /api/profile', { token: body.token })).status).toBe(200);
    expect((await second(asked.body.challenge, now(1)(secret))).status).toBe(400);
  });

  test('accepts only the current, previous and next code', async () => {
    const { secret, email } = await withAuthenticator();
    const tries = [-2, 2, -1, 1] as const;
    const statuses = [];
    for (const steps of tries) {
      const { challenge } = (await first({ email })).body;
      statuses.push((await second(challenge, now(steps)(secret))).status);
    }
    expect(statuses).toEqual([401, 401, 200, 200]);
  });

  test('accepts a code once, even at the same moment on two servers', async () => {
    const { secret, email } = await withAuthenticator();
    const other = await startApp(
      {
        DATA_DIR: app.dataDir,
        ...(app.databaseUrl === undefined ? {} : { DATABASE_URL: app.databaseUrl }),
        SECRET_KEY: app.deps.secretKey.toString('utf8'),
      },
      { clock: app.clock },
    );
    const challenges = [(await first({ email })).body.challenge, (await first({ email })).body.challenge];
    const code = now()(secret);
    const replies = await Promise.all(
      [app, other].map((one, at) => one.call(SECOND, { body: { challenge: challenges[at], code } })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
    const { challenge } = (await first({ email })).body;
    expect((await second(challenge, code)).status).toBe(401);
    expect((await second(challenge, now(1)(secret))).status).toBe(200);
  });

  test('accepts each recovery code once instead of a code, and notifies the owner', async () => {
    const { email, recoveryCodes, token } = await withAuthenticator();
    const [code = ''] = recoveryCodes;
    const used = await second(
      (await first({ email })).body.challenge,
      code.toLowerCase().replaceAll('-', ' '),
    );
    expect(used.status).toBe(200);
    expect((await second((await first({ email })).body.challenge, code)).status).toBe(401);
    const shown = await app.call('GET /api/profile/second-factor', { token });
    expect(shown.body.recoveryCodesLeft).toBe(9);
    const subjects = (await emailsSentTo(app, email)).map(({ subject }) => subject);
    expect(subjects.at(-1)).toBe('A recovery code was used to sign in');
  });

  test.each(['', ' ', '000000', '\u0000', '\ud83d', '١٢٣٤٥٦', 'x'.repeat(100), "' or 1=1"])(
    'rejects the code %j',
    async (code) => {
      const { email } = await withAuthenticator();
      const { status } = await second((await first({ email })).body.challenge, code);
      expect([400, 401]).toContain(status);
    },
  );

  test('continues only in the browser that started', async () => {
    const { secret, email } = await withAuthenticator();
    const device = 'a'.repeat(32);
    const { challenge } = (await first({ email }, { device })).body;
    expect((await second(challenge, now()(secret))).status).toBe(400);
    expect((await second(challenge, now()(secret), { device: 'b'.repeat(32) })).status).toBe(400);
    expect((await second(challenge, now()(secret), { device })).status).toBe(200);
  });

  test('must start over after ten minutes', async () => {
    const { secret, email } = await withAuthenticator();
    const { challenge } = (await first({ email })).body;
    app.clock.advance(10 * MINUTE + 1);
    expect((await second(challenge, now()(secret))).status).toBe(400);
  });

  test('must start over if the account was deactivated or its password changed meanwhile', async () => {
    const { secret, email, id } = await withAuthenticator();
    const { challenge } = (await first({ email })).body;
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute();
    expect((await second(challenge, now()(secret))).status).toBe(400);
    await db
      .updateTable('users')
      .set({ is_active: 1, password_hash: 'other' })
      .where('id', '=', id)
      .execute();
    expect((await second(challenge, now()(secret))).status).toBe(400);
  });

  test('asks for the code even after a password reset', async () => {
    const { email, id } = await withAuthenticator();
    const token = await transaction(app.deps.database, (trx) =>
      createPasswordLink(trx, id, app.clock.now(), 1),
    );
    const body = { token, newPassword: PASSWORD };
    expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
    expect((await first({ email })).body.next).toBe('second-factor');
  });
});

describe('guessing codes', () => {
  test('ends the challenge and pauses sign-in after five attempts, and warns the owner', async () => {
    const { email, secret } = await withAuthenticator();
    const stranger = { address: '203.0.113.9', device: 's'.repeat(32) };
    const { challenge } = (await first({ email }, stranger)).body;
    for (let at = 0; at < 5; at += 1) expect((await second(challenge, '000000', stranger)).status).toBe(401);
    expect((await second(challenge, now()(secret), stranger)).status).toBe(400);
    // The right password does not take the wrong codes off the counter.
    expect((await first({ email }, stranger)).status).toBe(429);
    const subjects = (await emailsSentTo(app, email)).map(({ subject }) => subject);
    expect(subjects.at(-1)).toBe('Someone tried to sign in to your account');
  });

  test('stays limited if a correct password is entered in between', async () => {
    const { email } = await withAuthenticator();
    const stranger = { address: '203.0.113.10' };
    const statuses = [];
    for (let at = 0; at < 6; at += 1) {
      const asked = await first({ email }, stranger);
      statuses.push(asked.status);
      if (asked.status === 200)
        statuses.push((await second(asked.body.challenge, '000000', stranger)).status);
    }
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  });

  test('counts toward the wrong passwords that lock unknown devices', async () => {
    const { email, id, secret } = await withAuthenticator();
    const stranger = { address: '203.0.113.12', device: 'y'.repeat(32) };
    const begun = async () => (await first({ email }, stranger)).body.challenge;
    const [wrong, right] = [await begun(), await begun()];
    const { db } = app.deps.database;
    const failed = MOST_FAILED_LOGINS - 1;
    await db.updateTable('users').set({ failed_logins: failed }).where('id', '=', id).execute();
    expect((await second(wrong, '000000', stranger)).status).toBe(401);
    expect((await second(right, now()(secret), stranger)).status).toBe(400);
  });

  fullTest('by a stranger who knows the password does not lock the owner’s known device', async () => {
    const { email, secret } = await withAuthenticator();
    const home = { address: '198.51.100.7', device: 'h'.repeat(32) };
    expect((await second((await first({ email }, home)).body.challenge, now()(secret), home)).status).toBe(
      200,
    );
    const stranger = { address: '203.0.113.11', device: 'z'.repeat(32) };
    for (let at = 0; at < 110; at += 1) {
      const asked = await first({ email }, stranger);
      if (asked.status === 200) await second(asked.body.challenge, '000000', stranger);
      else app.clock.advance(15 * MINUTE);
    }
    const signedIn = await second((await first({ email }, home)).body.challenge, now(1)(secret), home);
    expect(signedIn.status).toBe(200);
  });
});

describe('the two-factor requirement for administrators', () => {
  const SETTINGS = '/api/admin/settings';
  const DAY = 24 * 60 * MINUTE;

  async function aDistrict() {
    const district = await startApp();
    const head = await aPerson(district, { role: 'admin', isProven: true });
    const set = (body: object) => district.call(`PUT ${SETTINGS}`, { token: head.token, body });
    return { district, head, set };
  }
  const renewed = async (district: typeof app, email: string) =>
    (await district.call(LOGIN, { body: { email, password: PASSWORD } })).body.token;

  test('is off by default and shown with its grace period', async () => {
    const { district, head } = await aDistrict();
    const { body } = await district.call(`GET ${SETTINGS}`, { token: head.token });
    expect(body.settings).toMatchObject({ secondFactor: 'optional', secondFactorGraceDays: 14 });
  });

  test('limits an administrator to the two-factor setup after the deadline', async () => {
    const { district, head, set } = await aDistrict();
    const { body } = await set({ secondFactor: 'administrators', secondFactorGraceDays: 3 });
    expect(body.settings).toMatchObject({ secondFactor: 'administrators', secondFactorGraceDays: 3 });
    district.clock.advance(3 * DAY - 1);
    const before = await renewed(district, head.email);
    expect((await district.call('GET /api/admin/users', { token: before })).status).toBe(200);
    const own = async (token: string) =>
      (await district.call('GET /api/profile/second-factor', { token })).body;
    expect(await own(before)).toMatchObject({ isSetUp: false, isOverdue: false });
    district.clock.advance(1);
    const token = await renewed(district, head.email);
    for (const call of ['GET /api/admin/users', 'GET /api/time-entries', 'POST /api/admin/invites']) {
      expect(await district.call(call, { token })).toMatchObject({
        status: 403,
        body: { error: expect.any(String), secondFactorNeeded: true },
      });
    }
    expect((await district.call('GET /api/profile', { token })).status).toBe(200);
    expect(await own(token)).toMatchObject({ isSetUp: false, isOverdue: true });
    const { secret } = (await district.call(`POST ${TOTP}`, { token })).body;
    const code = codeOf(secret, district.clock.now());
    expect((await district.call(`POST ${TOTP}/confirm`, { token, body: { code } })).status).toBe(200);
    expect(await own(token)).toMatchObject({ isSetUp: true, isOverdue: false });
    expect((await district.call('GET /api/admin/users', { token })).status).toBe(200);
    // It stays: the demand does not let go of it.
    expect((await district.call(`DELETE ${TOTP}`, { token })).status).toBe(409);
    await set({ secondFactor: 'optional' });
    await district.call('PUT /api/admin/settings', { token, body: { secondFactor: 'optional' } });
    expect((await district.call(`DELETE ${TOTP}`, { token })).status).toBe(200);
  });

  test('starts a new administrator’s grace period with their appointment', async () => {
    const { district, head, set } = await aDistrict();
    const school = await aSchool(district);
    await anAuthenticator(district, head);
    await set({ secondFactor: 'administrators', secondFactorGraceDays: 2 });
    const [early, promoted, plain] = [
      await aPerson(district, { schools: [school] }),
      await aPerson(district, { schools: [school] }),
      await aPerson(district, { schools: [school] }),
    ];
    await aGrant(district, early, 'school-admin', school);
    await aGrant(district, plain, 'coordinator', school);
    district.clock.advance(2 * DAY);
    const change = { role: 'admin' };
    const { challenge } = (await district.call(LOGIN, { body: { email: head.email, password: PASSWORD } }))
      .body;
    expect(challenge).toBeDefined();
    const { db } = district.deps.database;
    const request = { at: district.clock.now(), address: '10.0.0.1', requestId: 'test', agent: 'test' };
    const token = await transaction(district.deps.database, (trx) =>
      startSession(trx, head.id, request, { by: 'password' }),
    );
    expect(await db.selectFrom('two_factor_grace_periods').selectAll().execute()).toEqual([]);
    const made = await district.call(`PUT /api/admin/users/${promoted.id}`, { token, body: change });
    expect(made.status).toBe(200);
    const may = async (person: { email: string }) =>
      (await district.call('GET /api/time-entries', { token: await renewed(district, person.email) })).status;
    expect([await may(early), await may(promoted), await may(plain)]).toEqual([403, 200, 200]);
    district.clock.advance(2 * DAY);
    expect([await may(promoted), await may(plain)]).toEqual([403, 200]);
  });

  test('grants the grace period once, even if a role is removed and granted again', async () => {
    const { district, head, set } = await aDistrict();
    const [school, second] = [await aSchool(district), await aSchool(district)];
    await set({ secondFactor: 'administrators', secondFactorGraceDays: 2 });
    await anAuthenticator(district, head);
    const [boss, promoted, older] = [
      await aPerson(district, { schools: [school] }),
      await aPerson(district, { schools: [school] }),
      await aPerson(district, { schools: [school] }),
    ];
    const give = async (person: { id: number }, change: object) => {
      const request = { at: district.clock.now(), address: '10.0.0.1', requestId: 'test', agent: 'test' };
      const token = await transaction(district.deps.database, (trx) =>
        startSession(trx, head.id, request, { by: 'password' }),
      );
      const reply = await district.call(`PUT /api/admin/users/${person.id}`, { token, body: change });
      expect(reply.status).toBe(200);
    };
    const roles = [{ role: 'school-admin', schoolId: school.id }];
    const may = async (person: { email: string }) =>
      (await district.call('GET /api/time-entries', { token: await renewed(district, person.email) })).status;
    await give(boss, { grants: roles });
    await give(promoted, { role: 'admin' });
    await give(older, { grants: roles });
    expect([await may(boss), await may(promoted), await may(older)]).toEqual([200, 200, 200]);
    district.clock.advance(2 * DAY);
    await give(boss, { grants: [] });
    await give(boss, { grants: roles });
    await give(promoted, { role: 'user' });
    await give(promoted, { role: 'admin' });
    // Nor does one more, to somebody who held theirs before it was kept since when.
    await district.deps.database.db
      .deleteFrom('two_factor_grace_periods')
      .where('user_id', '=', older.id)
      .execute();
    await give(older, { grants: [...roles, { role: 'school-admin', schoolId: second.id }] });
    expect([await may(boss), await may(promoted), await may(older)]).toEqual([403, 403, 403]);
  });

  test.each([
    [{ secondFactor: 'everybody' }],
    [{ secondFactorGraceDays: -1 }],
    [{ secondFactorGraceDays: 1.5 }],
    [{ secondFactorGraceDays: 91 }],
  ])('rejects the settings %j', async (body) => {
    const { set } = await aDistrict();
    expect((await set(body)).status).toBe(400);
  });
});

describe('a lost second factor', () => {
  const of = (id: number) => `/api/admin/users/${id}/second-factor`;

  test('can be reset by another administrator, which ends every session and sends an email', async () => {
    const lost = await withAuthenticator();
    const head = await aPerson(app, { role: 'admin' });
    expect((await app.call(`GET ${of(lost.id)}`, { token: head.token })).body).toEqual({
      hasSecondFactor: true,
    });
    expect((await app.call(`DELETE ${of(lost.id)}`, { token: head.token })).status).toBe(200);
    expect((await app.call('GET /api/profile', { token: lost.token })).status).toBe(401);
    expect((await first(lost)).body.token).toBeDefined();
    const subjects = (await emailsSentTo(app, lost.email)).map(({ subject }) => subject);
    expect(subjects.at(-1)).toBe('Two-step sign-in was reset');
    const again = await app.call(`DELETE ${of(lost.id)}`, { token: head.token });
    expect(again.status).toBe(409);
    const { body } = await app.call('GET /api/admin/audit', { token: head.token });
    expect(JSON.stringify(body)).toContain('second-proof.reset');
  });

  test('cannot be reset by its owner or by a school administrator with fewer rights', async () => {
    const school = await aSchool(app);
    const head = await aPerson(app, { role: 'admin', schools: [school] });
    await anAuthenticator(app, head);
    const local = await aPerson(app, { schools: [school] });
    await aGrant(app, local, 'school-admin', school);
    expect((await app.call(`DELETE ${of(head.id)}`, { token: head.token })).status).toBe(403);
    expect((await app.call(`DELETE ${of(head.id)}`, { token: local.token })).status).toBe(403);
    const pupil = await aPerson(app, { schools: [school] });
    await anAuthenticator(app, pupil);
    const elsewhere = await aPerson(app, { schools: [school, await aSchool(app)] });
    await anAuthenticator(app, elsewhere);
    expect((await app.call(`DELETE ${of(elsewhere.id)}`, { token: local.token })).status).toBe(403);
    expect((await app.call(`DELETE ${of(pupil.id)}`, { token: local.token })).status).toBe(200);
  });

  test('of an administrator can be reset by a server command', async () => {
    const head = await aPerson(app, { role: 'admin' });
    await anAuthenticator(app, head);
    expect(await resetTwoFactorFromCommandLine(app.deps, 'nobody@maplegrove.example')).toBe('no account');
    expect(await resetTwoFactorFromCommandLine(app.deps, head.email.toUpperCase())).toBe('reset');
    expect(await resetTwoFactorFromCommandLine(app.deps, head.email)).toBe('nothing to reset');
    expect((await app.call('GET /api/profile', { token: head.token })).status).toBe(401);
    expect((await first(head)).body.token).toBeDefined();
  });
});

describe('stored secrets', () => {
  test('are omitted from the data export, and deleted with the account', async () => {
    const person = await withAuthenticator();
    const data = await app.call('GET /api/profile/data', { token: person.token });
    expect(data.text).toContain('"recoveryCodesLeft": 10');
    expect(data.text).not.toContain(person.secret);
    const head = await aPerson(app, { role: 'admin' });
    const erased = await app.call(`POST /api/admin/users/${person.id}/erase`, {
      token: head.token,
      body: {},
    });
    expect(erased.status).toBe(200);
    const { db } = app.deps.database;
    for (const table of ['totp_secrets', 'recovery_codes', 'sign_in_challenges'] as const) {
      const rows = await db.selectFrom(table).select('user_id').where('user_id', '=', person.id).execute();
      expect(rows).toEqual([]);
    }
  });

  test('are encrypted, and unusable in the row of another account', async () => {
    const person = await withAuthenticator();
    const other = await withAuthenticator();
    const { db } = app.deps.database;
    const { sealed } = await db
      .selectFrom('totp_secrets')
      .select('sealed')
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(sealed).not.toContain(person.secret);
    await db.updateTable('totp_secrets').set({ sealed }).where('user_id', '=', other.id).execute();
    const { challenge } = (await first(other)).body;
    expect((await second(challenge, now()(person.secret))).status).toBe(401);
  });

  test('still work in a restored backup, except for recovery codes', async () => {
    const { email, secret, recoveryCodes } = await withAuthenticator();
    await transaction(app.deps.database, (trx) => revokeRestoredLinks(trx, TODAY as CalendarDate));
    const { challenge } = (await first({ email })).body;
    expect((await second(challenge, recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await second(challenge, now()(secret))).status).toBe(200);
  });
});
