import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { anAuthenticator } from '#test/authenticator.ts';
import { anAddress, anAdministrator, aPerson, aPersonWithRole, aSchool, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { insertLink, providerLinksOf } from '../oidc/server/store.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp({ REGISTRATION: 'approval' });
  ada = await anAdministrator(app);
});
beforeEach(async () => {
  school = await aSchool(app);
});

let made = 0;

/** What somebody attached to an account: a link to a provider, an authenticator with codes, and a session. */
async function attach(person: { id: number; token: string }) {
  const subject = { issuer: 'https://provider.example', subject: `mallory-${++made}` };
  const at = app.clock.now();
  const link = { ...subject, userId: person.id, provider: 'district', at };
  await transaction(app.deps.database, (trx) => insertLink(trx, link));
  await anAuthenticator(app, person);
}

/** What is still attached. */
async function attached({ id, token }: { id: number; token: string }) {
  const { db } = app.deps.database;
  const totp = await db.selectFrom('totp_secrets').select('user_id').where('user_id', '=', id).execute();
  const codes = await db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', id).execute();
  return {
    providers: (await providerLinksOf(db, id)).length,
    authenticator: totp.length + codes.length > 0,
    isSignedIn: (await app.call('GET /api/profile', { token })).status === 200,
  };
}

const NOTHING = { providers: 0, authenticator: false, isSignedIn: false };
const NAMED = [/no longer sign in with/, /authenticator app and the recovery codes/, /signed out/];

const tokenIn = (text: string | undefined, name: string) =>
  new RegExp(`[?&]${name}=([\\w-]+)`).exec(text ?? '')?.[1] as string;
const lastTo = async (email: string) => (await emailsSentTo(app, email)).at(-1)?.text ?? '';

/** A stranger registers with an address that is not theirs. */
async function aStranger() {
  const email = anAddress();
  const body = { email, password: PASSWORD, firstName: 'Mal', lastName: 'Lory', schoolIds: [school.id] };
  const { body: reply } = await app.call('POST /api/auth/register', { body });
  const person = { id: reply.user.id as number, token: reply.token as string, email };
  const link = tokenIn(await lastTo(email), 'verify');
  await attach(person);
  return { ...person, link };
}

describe('the first confirmation of an address', () => {
  test('by a reset link removes sign-ins that a stranger attached, and names them in the email', async () => {
    const stranger = await aStranger();
    await app.call('POST /api/auth/forgot-password', { body: { email: stranger.email } });
    const token = tokenIn(await lastTo(stranger.email), 'token');
    const body = { token, newPassword: 'quiet-river-9' };
    expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
    expect(await attached(stranger)).toEqual(NOTHING);
    const letter = await lastTo(stranger.email);
    for (const named of NAMED) expect(letter).toMatch(named);
    const login = { email: stranger.email, password: 'quiet-river-9' };
    expect((await app.call('POST /api/auth/login', { body: login })).body).toHaveProperty('token');
  });

  test('by a confirmation link asks for a password unless the browser is signed in', async () => {
    const stranger = await aStranger();
    const confirm = (more: object = {}) =>
      app.call('POST /api/auth/verify-email', { body: { token: stranger.link, ...more } });
    expect((await confirm()).body).toEqual({
      registration: { email: stranger.email, firstName: 'Mal', lastName: 'Lory' },
    });
    expect((await attached(stranger)).isSignedIn).toBe(true);
    expect((await confirm({ newPassword: 'quiet-river-9', firstName: 'Paula' })).status).toBe(200);
    expect(await attached(stranger)).toEqual(NOTHING);
    const login = (password: string) =>
      app.call('POST /api/auth/login', { body: { email: stranger.email, password } });
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login('quiet-river-9')).body.user).toMatchObject({ firstName: 'Paula', lastName: 'Lory' });
    for (const named of NAMED) expect(await lastTo(stranger.email)).toMatch(named);
  });

  test('by a signed-in browser keeps its session and the password', async () => {
    const stranger = await aStranger();
    const again = await app.call('POST /api/auth/login', {
      body: { email: stranger.email, password: PASSWORD },
    });
    expect(again.body).toHaveProperty('challenge');
    const { token } = stranger;
    const confirmed = await app.call('POST /api/auth/verify-email', {
      token,
      body: { token: stranger.link },
    });
    expect(confirmed.body.message).toBe('Your email address is confirmed. You can sign in now.');
    expect(await attached(stranger)).toEqual({ ...NOTHING, isSignedIn: true });
    const login = { email: stranger.email, password: PASSWORD };
    expect((await app.call('POST /api/auth/login', { body: login })).status).toBe(200);
  });

  test('is not repeated by a later reset link, which keeps providers and authenticator', async () => {
    const ann = await aPerson(app, { schools: [school] });
    await attach(ann);
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const token = tokenIn(await lastTo(ann.email), 'token');
    await app.call('POST /api/auth/reset-password', { body: { token, newPassword: 'quiet-river-9' } });
    expect(await attached(ann)).toMatchObject({ providers: 1, authenticator: true });
  });
});

describe('a new address', () => {
  test('set by an administrator removes the sign-ins of the former owner, and emails the former address', async () => {
    const former = await aPersonWithRole(app, 'school-admin', school);
    await attach(former);
    const moved = await app.call(`PUT /api/admin/users/${former.id}`, {
      token: ada.token,
      body: { email: anAddress(), password: 'quiet-river-9' },
    });
    expect(moved.status).toBe(200);
    expect(await attached(former)).toEqual(NOTHING);
    const letters = await emailsSentTo(app, former.email);
    const letter = letters.find(({ subject }) => subject === 'Your email address was changed');
    for (const named of NAMED) expect(letter?.text).toMatch(named);
  });

  test('set by the owner removes only provider links', async () => {
    const ann = await aPerson(app, { schools: [school] });
    await attach(ann);
    const email = anAddress();
    expect((await app.call('PUT /api/profile', { token: ann.token, body: { email } })).status).toBe(200);
    expect(await attached(ann)).toEqual({ providers: 0, authenticator: true, isSignedIn: true });
    expect(await lastTo(ann.email)).toMatch(/no longer sign in with/);
  });

  test('set by the owner is rejected while a provider is the only way to sign in', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const { db } = app.deps.database;
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', ann.id).execute();
    const at = app.clock.now();
    const subject = { issuer: 'https://provider.example', subject: `only-${ann.id}` };
    const link = { ...subject, userId: ann.id, provider: 'district', at };
    await transaction(app.deps.database, (trx) => insertLink(trx, link));
    const moved = await app.call('PUT /api/profile', { token: ann.token, body: { email: anAddress() } });
    expect([moved.status, moved.body.error]).toEqual([
      409,
      expect.stringContaining('Choose a password first'),
    ]);
    expect((await providerLinksOf(db, ann.id)).length).toBe(1);
  });
});

describe('a second factor', () => {
  /** What a sign-in asks for after its owner chose a password by an emailed link. */
  async function askedAfterReset(email: string) {
    await app.call('POST /api/auth/forgot-password', { body: { email } });
    const token = tokenIn(await lastTo(email), 'token');
    const newPassword = 'quiet-river-9';
    await app.call('POST /api/auth/reset-password', { body: { token, newPassword } });
    return (await app.call('POST /api/auth/login', { body: { email, password: newPassword } })).body.next;
  }

  test.each<[string, () => Promise<{ id: number; email: string }>]>([
    ['a district administrator', () => aPerson(app, { role: 'admin', isProven: false })],
    ['a user with a role', () => aPersonWithRole(app, 'school-admin', school, { isProven: false })],
    [
      'a user whose address an administrator entered',
      async () => {
        const email = anAddress();
        const body = {
          firstName: 'Pat',
          lastName: 'Moss',
          email,
          schoolIds: [school.id],
          password: PASSWORD,
        };
        return (await app.call('POST /api/admin/users', { token: ada.token, body })).body.user;
      },
    ],
  ])('of %s is not removed when the address is confirmed for the first time', async (_, make) => {
    const ann = await make();
    await anAuthenticator(app, ann);
    expect(await askedAfterReset(ann.email)).toBe('second-factor');
  });

  test('of a user with a role stays when the user changes the email', async () => {
    const ann = await aPersonWithRole(app, 'school-admin', school);
    await anAuthenticator(app, ann);
    const email = anAddress();
    expect((await app.call('PUT /api/profile', { token: ann.token, body: { email } })).status).toBe(200);
    expect(await askedAfterReset(email)).toBe('second-factor');
  });
});
