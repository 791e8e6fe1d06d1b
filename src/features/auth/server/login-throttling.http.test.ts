import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { prepare } from '#app/server/start.ts';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, PASSWORD } from '#test/builders.ts';
import { caller, startApp, type TestApp } from '#test/harness.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { MOST_FAILED_LOGINS } from './credentials-store.ts';

const HOUR = 3_600_000;
const SCHOOL = '203.0.113.10';
const ELSEWHERE = '198.51.100.7';
const KEY = 'b1946ac92492d2347c6235b4d2611184';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.clock.advance(48 * HOUR));

const login = (email: string, password = PASSWORD, from = SCHOOL, device?: string) =>
  app.call('POST /api/auth/login', {
    body: { email, password },
    from,
    ...(device === undefined ? {} : { headers: { 'x-device-key': device } }),
  });
const statusOf = async (...given: Parameters<typeof login>) => (await login(...given)).status;

const change = (token: string, currentPassword: string) =>
  app.call('PUT /api/auth/change-password', {
    token,
    body: { currentPassword, newPassword: 'brand-new-91' },
  });

/** All but one of the failures that an address is let through with. */
async function failOften(address: string) {
  const counted = { failures: 299, window_started_at: app.clock.now(), blocked_until: null, strikes: 0 };
  await app.deps.database.db
    .insertInto('rate_limits')
    .values({ key: `address:${address}`, ...counted })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(counted))
    .execute();
}

/** Fails as often as the address lets anybody. */
async function useUp(address: string) {
  await failOften(address);
  expect(await statusOf('nobody@maplegrove.example', 'wrong', address)).toBe(401);
}

/** As many wrong passwords as a stranger may try at once, and one more. */
async function guessAt(email: string, from = ELSEWHERE) {
  for (let i = 0; i < 6; i++) await login(email, 'wrong', from);
  expect(await statusOf(email, 'wrong', from)).toBe(429);
}

describe('failed sign-ins by others', () => {
  test('from one IP address pause new devices for a minute at most, and known devices not at all', async () => {
    const ann = await aPerson(app);
    const bob = await aPerson(app);
    expect(await statusOf(ann.email)).toBe(200);
    await useUp(SCHOOL);
    expect(await statusOf(ann.email)).toBe(200);
    const paused = await login(bob.email);
    expect([paused.status, paused.headers['retry-after']]).toEqual([429, '60']);
    app.clock.advance(60_000);
    await useUp(SCHOOL);
    expect((await login(bob.email)).headers['retry-after']).toBe('60');
  });

  test('do not lock an account at the address or in the browser that it signed in from', async () => {
    const ann = await aPerson(app);
    expect(await statusOf(ann.email, PASSWORD, SCHOOL, KEY)).toBe(200);
    await guessAt(ann.email);
    expect(await statusOf(ann.email)).toBe(200);
    expect(await statusOf(ann.email, PASSWORD, '192.0.2.9', KEY)).toBe(200);
    expect(await statusOf(ann.email, PASSWORD, '192.0.2.8')).toBe(429);
    expect(await statusOf(ann.email, PASSWORD, '192.0.2.8', KEY.replace('b', 'c'))).toBe(429);
  });

  test('lock an account after a hundred in a row, but not on known devices', async () => {
    const ann = await aPerson(app);
    expect(await statusOf(ann.email)).toBe(200);
    const failures = { failed_logins: MOST_FAILED_LOGINS };
    await app.deps.database.db.updateTable('users').set(failures).where('id', '=', ann.id).execute();
    expect(await statusOf(ann.email, PASSWORD, ELSEWHERE)).toBe(401);
    const newest = (await recordOf(app, 'user', ann.id)).at(-1);
    expect(newest).toMatchObject({ action: 'session.fail' });
    expect(await statusOf(ann.email)).toBe(200);
    expect((await change(ann.token, PASSWORD)).status).toBe(200);
  });

  test('do not lock out a user who has just set a password by an emailed link', async () => {
    const ann = await aPerson(app);
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const token = linkIn((await emailsSentTo(app, ann.email)).at(-1), 'token');
    const body = { token, newPassword: 'brand-new-91' };
    await app.call('POST /api/auth/reset-password', { body, from: SCHOOL });
    await guessAt(ann.email);
    expect(await statusOf(ann.email, 'brand-new-91')).toBe(200);
  });

  test('do not lock an account at the IP address where it was registered', async () => {
    const school = await app.deps.database.db
      .insertInto('schools')
      .values({ name: 'Lincoln', name_key: 'lincoln', logo_url: null, created_at: app.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const email = 'new@maplegrove.example';
    const body = { email, password: PASSWORD, firstName: 'Nia', lastName: 'New', schoolIds: [school.id] };
    await app.call('POST /api/auth/register', { body, from: SCHOOL });
    await guessAt(email);
    expect(await statusOf(email)).toBe(200);
  });
});

describe('password guessing', () => {
  test('from a known device is limited to five a minute and a hundred in a row', async () => {
    const ann = await aPerson(app);
    await login(ann.email);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(ann.email, 'wrong')));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    await app.deps.database.db
      .updateTable('known_devices')
      .set({ failed_logins: MOST_FAILED_LOGINS - 2 })
      .where('user_id', '=', ann.id)
      .execute();
    app.clock.advance(HOUR);
    expect([await statusOf(ann.email, 'wrong'), await statusOf(ann.email, 'wrong')]).toEqual([401, 401]);
    expect(await statusOf(ann.email)).toBe(401);
  });

  test('from an open session is limited to a hundred in a row', async () => {
    const ann = await aPerson(app);
    expect((await change(ann.token, 'wrong')).status).toBe(400);
    await app.deps.database.db
      .updateTable('known_devices')
      .set({ failed_logins: MOST_FAILED_LOGINS - 1 })
      .where('user_id', '=', ann.id)
      .execute();
    expect((await change(ann.token, 'wrong')).status).toBe(400);
    expect((await change(ann.token, PASSWORD)).status).toBe(400);
  });

  test('has one limit across two servers', async () => {
    const ann = await aPerson(app);
    const second = await prepare(app.deps.config, { clock: app.clock });
    await second.app.ready();
    const elsewhere = caller(second.app);
    try {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const send = i % 2 === 0 ? app.call : elsewhere;
          const body = { email: ann.email, password: 'wrong' };
          return (await send('POST /api/auth/login', { body, from: ELSEWHERE })).status;
        }),
      );
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    } finally {
      await second.app.close();
    }
  });
});

describe('throttling', () => {
  test('ends when a reset link or an administrator sets a new password', async () => {
    const [ann, ada] = [await aPerson(app), await anAdministrator(app)];
    expect(await statusOf(ann.email)).toBe(200);
    const guessEverywhere = async (token: string) => {
      await guessAt(ann.email, SCHOOL);
      await guessAt(ann.email, ELSEWHERE);
      for (let i = 0; i < 6; i++) await change(token, 'wrong');
      expect((await change(token, PASSWORD)).status).toBe(429);
    };
    const isOpenEverywhere = async (password: string) => {
      const [here, there] = [await login(ann.email, password), await login(ann.email, password, '192.0.2.7')];
      expect([here.status, there.status]).toEqual([200, 200]);
      expect((await change(here.body.token, 'wrong')).status).toBe(400);
      return here.body.token;
    };
    await guessEverywhere(ann.token);
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const body = {
      token: linkIn((await emailsSentTo(app, ann.email)).at(-1), 'token'),
      newPassword: 'new-one-92',
    };
    expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
    await app.deps.database.db.deleteFrom('known_devices').where('user_id', '=', ann.id).execute();
    const token = await isOpenEverywhere('new-one-92');
    await guessEverywhere(token);
    const given = { token: ada.token, body: { password: 'new-one-93' } };
    expect((await app.call(`PUT /api/admin/users/${ann.id}`, given)).status).toBe(200);
    await isOpenEverywhere('new-one-93');
  });

  test('does not count passwords that the server failed to check', async () => {
    const ann = await aPerson(app);
    const stored = (password_hash: string) =>
      app.deps.database.db.updateTable('users').set({ password_hash }).where('id', '=', ann.id).execute();
    const { password_hash: right } = await app.deps.database.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow();
    await stored('damaged');
    for (let i = 0; i < 6; i++) {
      expect([await statusOf(ann.email), (await change(ann.token, PASSWORD)).status]).toEqual([500, 500]);
    }
    await stored(right ?? '');
    expect([await statusOf(ann.email), (await change(ann.token, PASSWORD)).status]).toEqual([200, 200]);
  });

  test('does not reject simultaneous sign-ins of many users at one IP address', async () => {
    // Were a try counted before it is checked, most would be paused.
    await failOften('203.0.113.77');
    const people = await Promise.all(Array.from({ length: 12 }, () => aPerson(app)));
    const statuses = await Promise.all(people.map(({ email }) => statusOf(email, PASSWORD, '203.0.113.77')));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('does not reject simultaneous sign-ins of one user on many devices', async () => {
    const ann = await aPerson(app);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(ann.email)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

test('stored known devices reveal neither addresses nor keys', async () => {
  const ann = await aPerson(app);
  await login(ann.email, PASSWORD, SCHOOL, KEY);
  const rows = await app.deps.database.db
    .selectFrom('known_devices')
    .selectAll()
    .where('user_id', '=', ann.id)
    .execute();
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${SCHOOL}|${KEY}`));
});
