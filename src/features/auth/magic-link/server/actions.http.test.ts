import { beforeEach, describe, expect, test } from 'vitest';
import type { Trx } from '#server/db/database.ts';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { fullTest } from '#test/full-test.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo } from '#test/sent-emails.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HERE = 'a-browser-that-asks-for-links';
const ELSEWHERE = 'another-browser-that-has-a-key';
const ASK = 'POST /api/auth/sign-in-link';
const OPEN = 'POST /api/auth/sign-in-link/open';
const SENT =
  'If that address has an account, a sign-in link is on its way. Open it in this browser within 15 minutes.';
const INVALID = 'This link was already used or has expired. Please ask for a new one.';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ PUBLIC_URL: 'https://hours.example', SIGN_IN_LINK: 'on' });
});

const headers = (device: string) => ({ 'x-device-key': device });
const ask = (email: unknown, device = HERE, from = '10.0.0.1') =>
  app.call(ASK, { body: { email }, headers: headers(device), from });
const open = (token: string, device = HERE) => app.call(OPEN, { body: { token }, headers: headers(device) });
const newest = async (email: string) => linkIn((await emailsSentTo(app, email)).at(-1), 'signin-link');
const said = ({ status, body }: Awaited<ReturnType<typeof open>>) => [status, body.error ?? body.message];

async function linkFor(email: string, device = HERE): Promise<string> {
  await ask(email, device);
  return newest(email);
}

const proven = () => aPerson(app, { isProven: true });

describe('a sign-in link', () => {
  test('arrives by email and signs in once, with an audit event', async () => {
    const ann = await proven();
    expect(said(await ask(ann.email.toUpperCase()))).toEqual([200, SENT]);
    const [letter] = await emailsSentTo(app, ann.email);
    expect(letter?.subject).toBe('Your sign-in link');
    expect(letter?.text).toContain('within 15 minutes, in the same browser');
    const token = linkIn(letter, 'signin-link');
    const reply = await open(token);
    expect([reply.status, reply.body.message, reply.body.user.id]).toEqual([200, 'Signed in', ann.id]);
    expect((await app.call('GET /api/profile', { token: reply.body.token })).status).toBe(200);
    expect(said(await open(token))).toEqual([400, INVALID]);
    const actions = (await recordOf(app, 'user', ann.id)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['session.ask-link', 'session.mailed-link']));
  });

  test('explains what to do in another browser, and still works in its own', async () => {
    const ann = await proven();
    const token = await linkFor(ann.email);
    const refused = [
      409,
      'This link works only in the browser that asked for it. Open it there, or ask for a new one here.',
    ];
    expect(said(await open(token, ELSEWHERE))).toEqual(refused);
    expect(said(await app.call(OPEN, { body: { token } }))).toEqual(refused);
    expect((await open(token)).status).toBe(200);
  });

  test('signs in once if it is opened forty times at once', async () => {
    const token = await linkFor((await proven()).email);
    const replies = await Promise.all(Array.from({ length: 40 }, () => open(token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('expires after fifteen minutes', async () => {
    const ann = await proven();
    const token = await linkFor(ann.email);
    app.clock.advance(15 * MINUTE);
    expect(said(await open(token))).toEqual([400, INVALID]);
    const fresh = await linkFor(ann.email);
    app.clock.advance(14 * MINUTE);
    expect((await open(fresh)).status).toBe(200);
  });

  test('is replaced by a newer link for the same browser, but not for another one', async () => {
    const ann = await proven();
    const first = await linkFor(ann.email);
    await ask(ann.email, ELSEWHERE);
    expect((await open(first)).status).toBe(200);
    const older = await linkFor(ann.email);
    const newer = await linkFor(ann.email);
    expect(said(await open(older))).toEqual([400, INVALID]);
    expect((await open(newer)).status).toBe(200);
  });

  test('is invalidated by a password change, an email change or deactivation', async () => {
    const admin = await anAdministrator(app);
    const change = (id: number, body: object) =>
      app.call(`PUT /api/admin/users/${id}`, { token: admin.token, body });
    const ways: ((ann: Awaited<ReturnType<typeof proven>>) => Promise<unknown>)[] = [
      ({ token }) =>
        app.call('PUT /api/auth/change-password', {
          token,
          body: { currentPassword: PASSWORD, newPassword: 'sunny-meadow-33' },
        }),
      ({ id }) => change(id, { password: 'sunny-meadow-34' }),
      async ({ email }) => {
        await app.call('POST /api/auth/forgot-password', { body: { email } });
        const token = linkIn((await emailsSentTo(app, email)).at(-1), 'token');
        const body = { token, newPassword: 'sunny-meadow-35' };
        expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
      },
      ({ token, id }) =>
        app.call('PUT /api/profile', { token, body: { email: `left-${id}@maplegrove.example` } }),
      ({ id }) => change(id, { email: `moved-${id}@maplegrove.example` }),
      async ({ id }) => {
        await change(id, { isActive: false });
        await change(id, { isActive: true });
      },
    ];
    for (const way of ways) {
      const ann = await proven();
      const token = await linkFor(ann.email);
      await way(ann);
      expect(said(await open(token))).toEqual([400, INVALID]);
    }
  });

  test('is invalidated by an email change that requires confirmation', async () => {
    app = await startApp({ SIGN_IN_LINK: 'on', REGISTRATION: 'verify-email' });
    const ann = await proven();
    const token = await linkFor(ann.email);
    const email = `left-${ann.id}@maplegrove.example`;
    expect((await app.call('PUT /api/profile', { token: ann.token, body: { email } })).status).toBe(200);
    const body = { token: linkIn((await emailsSentTo(app, email)).at(-1), 'verify') };
    const confirmed = await app.call('POST /api/auth/verify-email', { token: ann.token, body });
    expect(confirmed.status).toBe(200);
    expect(said(await open(token))).toEqual([400, INVALID]);
  });

  test('does not open an account that was deactivated in the meantime', async () => {
    const ann = await proven();
    const token = await linkFor(ann.email);
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', ann.id).execute();
    expect(said(await open(token))).toEqual([400, INVALID]);
  });

  test.each([ASK, 'POST /api/auth/forgot-password'])(
    'is not sent if the account changes its address at the same time (%s)',
    async (call) => {
      const ann = await proven();
      const leave = (trx: Trx) =>
        trx
          .updateTable('users')
          .set({ email: 'left@maplegrove.example', email_key: 'left@maplegrove.example' })
          .where('id', '=', ann.id)
          .execute();
      const reply = await sendDuring(app, leave, () =>
        app.call(call, { body: { email: ann.email }, headers: headers(HERE) }),
      );
      expect([reply.status, await emailsSentTo(app, ann.email)]).toEqual([200, []]);
    },
  );

  test('is rejected if its token is malformed', async () => {
    for (const token of ['', ' ', 'a\0b', '\ud800', 'x'.repeat(10_000), '//', '../../../../rooms']) {
      expect(said(await open(token))).toEqual([400, INVALID]);
    }
  });
});

describe('requesting a sign-in link', () => {
  test('returns the same reply and sends no email for an unknown, inactive or malformed address', async () => {
    const gone = await proven();
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', gone.id).execute();
    for (const email of ['nobody@maplegrove.example', gone.email, 'not an address']) {
      expect(said(await ask(email))).toEqual([200, SENT]);
      expect(await emailsSentTo(app, email)).toEqual([]);
    }
  });

  // Compares times, which other tests that run beside it change.
  fullTest('takes as long for an unknown address as for a known one', async () => {
    const ann = await proven();
    const timed = async (email: string) => {
      const began = performance.now();
      await ask(email);
      return performance.now() - began;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < 25; i++) {
      known.push(await timed(ann.email));
      unknown.push(await timed(`unknown${i}@maplegrove.example`));
      app.clock.advance(HOUR);
    }
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    const difference = Math.abs(median(unknown) - median(known));
    expect(difference).toBeLessThan(Math.max(5, median(known)));
  });

  test('sends at most five emails an hour to an address, with the same response afterward', async () => {
    const ann = await proven();
    for (let i = 0; i < 8; i++) expect(said(await ask(ann.email, HERE, `10.7.${i}.1`))).toEqual([200, SENT]);
    expect(await emailsSentTo(app, ann.email)).toHaveLength(5);
  });

  test('is limited to 300 requests from one network', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 8; round++) {
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          ask(`many${round}.${index}@maplegrove.example`, HERE, '10.8.0.1'),
        ),
      );
      statuses.push(...replies.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
  });

  test('emails a password link to an unconfirmed account first, then sign-in links', async () => {
    const ann = await aPerson(app, { isProven: false });
    await ask(ann.email);
    const [letter] = await emailsSentTo(app, ann.email);
    expect(letter?.text).not.toContain('signin-link');
    expect(letter?.text).not.toContain(ann.firstName);
    const token = linkIn(letter, 'token');
    const body = { token, newPassword: 'sunny-meadow-35' };
    expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
    // Anyone who made the account is out.
    expect((await app.call('GET /api/profile', { token: ann.token })).status).toBe(401);
    expect((await open(await linkFor(ann.email))).status).toBe(200);
  });

  test('requires a device key', async () => {
    const reply = await app.call(ASK, { body: { email: (await proven()).email } });
    expect(reply.status).toBe(400);
  });
});

test('sign-in links are unavailable and not advertised unless the setting is on', async () => {
  const plain = await startApp();
  expect((await plain.call('GET /api/config')).body).not.toHaveProperty('hasSignInLink');
  expect((await app.call('GET /api/config')).body.hasSignInLink).toBe(true);
  for (const [call, body] of [
    [ASK, { email: 'ann@maplegrove.example' }],
    [OPEN, { token: 'x'.repeat(43) }],
  ] as const) {
    expect((await plain.call(call, { body, headers: headers(HERE) })).status).toBe(404);
  }
});
