import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { insertLink, providerLinksOf } from '../../oidc/server/store.ts';

const TYPED = 'typed-by-another-1';
const CHOSEN = 'quiet-river-9';
const TOTP = 'POST /api/profile/second-factor/totp';

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

const by =
  (token: string, at = app) =>
  (call: string, body?: object) =>
    at.call(call, { token, ...(body === undefined ? {} : { body }) });
const login = (email: string, password: string, at = app) =>
  at.call('POST /api/auth/login', { body: { email, password } });
const tokenIn = (text: string | undefined) => /[?&]token=([\w-]+)/.exec(text ?? '')?.[1] as string;

/** Chooses a password by the newest link mailed to an address. */
async function choose(email: string, newPassword = CHOSEN) {
  const links = (await emailsSentTo(app, email)).flatMap(({ text }) => tokenIn(text) ?? []);
  return app.call('POST /api/auth/reset-password', { body: { token: links.at(-1), newPassword } });
}

async function reset(email: string, newPassword = CHOSEN) {
  await app.call('POST /api/auth/forgot-password', { body: { email } });
  return choose(email, newPassword);
}

/** A member whose password their school administrator chose, and a session that it opened. */
async function planted() {
  const ann = await aPerson(app, { schools: [own] });
  expect((await by(head.token)(`PUT /api/admin/users/${ann.id}`, { password: TYPED })).status).toBe(200);
  const { token } = (await login(ann.email, TYPED)).body;
  return { ...ann, token: token as string };
}

const isSignedIn = async ({ token }: { token: string }) =>
  (await app.call('GET /api/profile', { token })).status === 200;

describe('a password assigned by an administrator', () => {
  const here = () => [{ role: 'coordinator', schoolId: own.id }];
  const there = () => [{ role: 'coordinator', schoolId: other.id }];
  const change = (id: number, body: object) => by(ada.token)(`PUT /api/admin/users/${id}`, body);

  test.each<[string, (ann: { id: number; email: string; token: string }) => Promise<{ status: number }>]>([
    ['the administrator role', ({ id }) => change(id, { role: 'admin' })],
    ['a role at another school', ({ id }) => change(id, { grants: there() })],
    ['another school', ({ id }) => change(id, { schoolIds: [own.id, other.id] })],
    [
      'another school by a bulk action',
      ({ id }) => {
        const body = { userIds: [id], count: 1, deed: 'join', schoolId: other.id };
        return by(ada.token)('POST /api/admin/users/many', body);
      },
    ],
    [
      'another school by an import',
      async ({ email }) => {
        const csv = `firstName,lastName,email,role,schools\nPat,Person,${email},user,${other.name}`;
        const call = by(ada.token);
        const { key } = (await call('POST /api/admin/user-imports/preview', { csv })).body.preview;
        return call('POST /api/admin/user-imports', { csv, key, sendMail: false });
      },
    ],
  ])('is removed with its sessions when the account gets %s', async (_, give) => {
    const ann = await planted();
    expect([200, 201]).toContain((await give(ann)).status);
    expect(await isSignedIn(ann)).toBe(false);
    expect((await login(ann.email, TYPED)).status).toBe(401);
    const [letter] = (await emailsSentTo(app, ann.email)).slice(-1);
    expect(letter?.subject).toBe('Choose a new password');
    expect((await choose(ann.email)).status).toBe(200);
    expect((await login(ann.email, CHOSEN)).status).toBe(200);
  });

  test('is removed when an invitation adds rights, but the session that accepts it continues', async () => {
    const ann = await planted();
    const owner = { token: (await login(ann.email, TYPED)).body.token as string };
    const body = { email: ann.email, schoolIds: [other.id], grants: there() };
    const { link } = (await by(ada.token)('POST /api/admin/invites', body)).body;
    const inviteCode = new URL(link).searchParams.get('invite');
    const joined = { schoolIds: [own.id, other.id], inviteCode };
    expect((await by(owner.token)('PUT /api/profile', joined)).status).toBe(200);
    expect([await isSignedIn(ann), await isSignedIn(owner)]).toEqual([false, true]);
    expect((await login(ann.email, TYPED)).status).toBe(401);
  });

  test('stays valid if the administrator who set it may grant the new rights', async () => {
    const ann = await planted();
    expect((await change(ann.id, { grants: here() })).status).toBe(200);
    expect(await isSignedIn(ann)).toBe(true);
    const set = await change(ann.id, { password: CHOSEN, grants: there() });
    expect(set.body.message).toBe('User updated successfully');
    expect((await login(ann.email, CHOSEN)).status).toBe(200);
  });

  test('is mentioned in the response when it is removed', async () => {
    const { id } = await planted();
    expect((await change(id, { role: 'admin' })).body.message).toBe(
      'User updated successfully. Their password was set by someone with fewer permissions, so it no longer works. Set a new one.',
    );
  });

  test('is replaced by a reset link, which also removes provider links added since', async () => {
    const ann = await planted();
    const link = { issuer: 'https://provider.example', subject: `of-${ann.id}`, provider: 'district' };
    const at = app.clock.now();
    await transaction(app.deps.database, (trx) => insertLink(trx, { ...link, userId: ann.id, at }));
    expect((await reset(ann.email)).status).toBe(200);
    expect([await providerLinksOf(app.deps.database.db, ann.id), await isSignedIn(ann)]).toEqual([[], false]);
  });

  test('blocks two-factor setup, even after the owner changes the password in Settings', async () => {
    const mailing = await startApp({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'https://hours.example' });
    const chief = await anAdministrator(mailing);
    const ann = await aPerson(mailing, { schools: [await aSchool(mailing)] });
    await by(chief.token, mailing)(`PUT /api/admin/users/${ann.id}`, { password: TYPED });
    const { token } = (await login(ann.email, TYPED, mailing)).body;
    for (const call of [TOTP, 'POST /api/profile/second-factor/passkeys/options']) {
      const refused = await by(token, mailing)(call);
      expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('Choose your own')]);
    }
    // One's own change does not take it back: the person who typed the password can do the same.
    const changed = { currentPassword: TYPED, newPassword: CHOSEN };
    expect((await by(token, mailing)('PUT /api/auth/change-password', changed)).status).toBe(200);
    expect((await by(token, mailing)(TOTP)).status).toBe(409);
    const unset = { password_given_at: null };
    await mailing.deps.database.db.updateTable('users').set(unset).where('id', '=', ann.id).execute();
    expect((await by(token, mailing)(TOTP)).status).toBe(200);
  });
});

describe('a merge', () => {
  const merge = (from: number, into: number, keep = {}) =>
    by(ada.token)(`POST /api/admin/users/${from}/merge`, { into, keep, unconfirmed: true });

  test.each([
    ['of an account with more rights into this one', (ann: number, boss: number) => merge(boss, ann)],
    [
      'that moves the address and its password to an account with more rights',
      (ann: number, boss: number) => merge(ann, boss, { email: 'from' }),
    ],
  ])('%s removes the assigned password', async (_case, act) => {
    const ann = await planted();
    const boss = await aPersonWithRole(app, 'school-admin', other);
    expect(await act(ann.id, boss.id)).toMatchObject({ status: 200 });
    expect((await login(ann.email, TYPED)).status).toBe(401);
    expect(await isSignedIn(ann)).toBe(false);
    expect((await choose(ann.email)).status).toBe(200);
    expect((await login(ann.email, CHOSEN)).status).toBe(200);
  });
});
