import { afterEach, beforeAll, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { aPerson, PASSWORD } from '#test/builders.ts';
import { runningClock, startApp, type TestApp } from '#test/harness.ts';
import { type Person, type StandIn, startProvider } from '#test/oidc/provider.ts';

const HOME = 'http://127.0.0.1:3000';
const TOLD_EXPIRED =
  'This sign-in took too long, was already used, or was started in another window. Please click the button again.';
const VERA: Person = { sub: 'vera-1', email: 'vera@maplegrove.example', email_verified: true };
const OTHER: Person = { sub: 'other-1', email: 'other@maplegrove.example', email_verified: true };
const THIRD: Person = { sub: 'third-1', email: 'third@maplegrove.example', email_verified: true };

let provider: StandIn;
let app: TestApp;
beforeAll(async () => {
  provider = await startProvider([`${HOME}/api/auth/oidc/district/callback`]);
  app = await startApp(
    { PUBLIC_URL: HOME, OIDC_PROVIDERS: JSON.stringify([provider.settings()]) },
    { clock: runningClock() },
  );
});
afterEach(() => {
  provider.now.person = { ...VERA };
  provider.now.isDeclining = false;
  for (const fault of Object.keys(provider.faults)) delete provider.faults[fault as 'down'];
});

/** A browser: it keeps its cookie. */
type Browser = { cookie?: string | undefined };

async function go(browser: Browser, address: string): Promise<URL> {
  const headers = browser.cookie === undefined ? {} : { cookie: browser.cookie };
  const reply = await app.call(`GET ${address.replace(HOME, '')}`, { headers });
  const kept = reply.headers['set-cookie'] as string | undefined;
  if (kept !== undefined) browser.cookie = kept.split(';')[0];
  expect(reply.status).toBe(303);
  return new URL(String(reply.headers['location']));
}

/** A new session of Vera (or somebody else) by the provider, which is not fresh; she has no password. */
async function enter(browser: Browser, person = VERA): Promise<string> {
  provider.now.person = { ...person };
  const away = await go(browser, '/api/auth/oidc/district/start');
  const landed = await go(browser, await provider.visit(away.href));
  const body = { code: landed.searchParams.get('signin') };
  const headers = { cookie: browser.cookie ?? '' };
  const reply = await app.call('POST /api/auth/oidc/exchange', { body, headers });
  expect(reply.status).toBe(200);
  // The provider's clock cannot be moved, so the proof is taken away instead.
  await app.deps.database.db.updateTable('sessions').set({ proven_at: null }).execute();
  return reply.body.token;
}

async function leaving(browser: Browser, token: string): Promise<URL> {
  const { body } = await app.call('GET /api/auth/fresh', { token });
  const [{ name, ticket }] = body.providers;
  return go(browser, `/api/auth/oidc/${name}/start?fresh=${encodeURIComponent(ticket)}`);
}

/** The whole way of the window: where it ends. */
async function signedInAgain(browser: Browser, token: string): Promise<URLSearchParams> {
  const back = await provider.visit((await leaving(browser, token)).href);
  return (await go(browser, back)).searchParams;
}

const prove = (browser: Browser, token: string, code: string | null) =>
  app.call('POST /api/auth/fresh', {
    token,
    body: { provider: code },
    headers: { cookie: browser.cookie ?? '' },
  });

const needsReauthentication = async (token: string) => {
  const { status, body } = await app.call('POST /api/profile/erasure-request', {
    token,
    body: { reason: 1 },
  });
  return status === 403 && body.fresh === true;
};

const count = async (table: 'sessions' | 'users' | 'provider_links') =>
  (await app.deps.database.db.selectFrom(table).select('id').execute()).length;

test('a provider sign-in re-authenticates the session, and creates no session, user or link', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  const counts = () => Promise.all([count('sessions'), count('users'), count('provider_links')]);
  const before = await counts();
  expect(await needsReauthentication(token)).toBe(true);
  const away = await leaving(browser, token);
  expect([away.searchParams.get('prompt'), away.searchParams.get('max_age')]).toEqual(['login', '0']);
  const code = (await go(browser, await provider.visit(away.href))).searchParams.get('fresh');
  const reply = await prove(browser, token, code);
  expect([reply.status, reply.body]).toEqual([200, { message: 'Confirmed' }]);
  expect(await needsReauthentication(token)).toBe(false);
  expect(await counts()).toEqual(before);
  const { body } = await app.call('GET /api/profile', { token });
  expect((await recordOf(app, 'user', body.user.id)).map(({ action }) => action)).toContain('session.prove');
});

test('a re-authentication code starts no session and works once', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  const code = (await signedInAgain(browser, token)).get('fresh');
  const headers = { cookie: browser.cookie ?? '' };
  const exchanged = await app.call('POST /api/auth/oidc/exchange', { body: { code }, headers });
  expect(exchanged.status).toBe(400);
  expect((await prove(browser, token, code)).status).toBe(200);
  const again = await prove(browser, token, code);
  expect([again.status, again.body.error]).toEqual([400, TOLD_EXPIRED]);
});

test('a sign-in code cannot re-authenticate a session', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  const away = await go(browser, '/api/auth/oidc/district/start');
  const code = (await go(browser, await provider.visit(away.href))).searchParams.get('signin');
  expect((await prove(browser, token, code)).status).toBe(400);
  expect(await needsReauthentication(token)).toBe(true);
});

test('a re-authentication callback URL works once', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  const back = await provider.visit((await leaving(browser, token)).href);
  expect((await go(browser, back)).searchParams.get('fresh')).not.toBeNull();
  expect((await go(browser, back)).search).toBe('?fresh-failed=unbelievable&provider=district');
});

test('re-authenticating with a different provider account is rejected, and does not link it', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  await enter({}, THIRD);
  const links = await count('provider_links');
  for (const person of [OTHER, THIRD]) {
    provider.now.person = { ...person };
    const reply = await prove(browser, token, (await signedInAgain(browser, token)).get('fresh'));
    expect([reply.status, reply.body.error]).toEqual([
      400,
      "The Maple Grove account you used isn't the one linked to your account here. Please click the button again and choose yours.",
    ]);
    expect([await needsReauthentication(token), await count('provider_links')]).toEqual([true, links]);
  }
});

test('another browser can use neither the callback URL nor the re-authentication code', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  const other: Browser = {};
  await leaving(other, token);
  const back = await provider.visit((await leaving(browser, token)).href);
  for (const stranger of [{}, other]) {
    expect((await go(stranger, back)).search).toBe('?fresh-failed=expired&provider=district');
  }
  const code = (await go(browser, back)).searchParams.get('fresh');
  for (const stranger of [{}, other]) expect((await prove(stranger, token, code)).status).toBe(400);
  expect(await needsReauthentication(token)).toBe(true);
});

test('a code for one session cannot re-authenticate another session of the same user', async () => {
  const browser: Browser = {};
  const stolen = await enter(browser);
  const own = await enter(browser);
  const code = (await signedInAgain(browser, stolen)).get('fresh');
  const reply = await prove(browser, own, code);
  expect([reply.status, reply.body.error]).toEqual([400, TOLD_EXPIRED]);
  expect([await needsReauthentication(own), await needsReauthentication(stolen)]).toEqual([true, true]);
});

test.each([
  ['from half a minute ago', (at: number) => at - 30],
  ['without an auth_time', () => undefined],
])('a provider sign-in %s does not re-authenticate', async (_, moved) => {
  const browser: Browser = {};
  const token = await enter(browser);
  provider.faults.claims = (claims) => ({ ...claims, auth_time: moved(Number(claims['auth_time'])) });
  const landed = await signedInAgain(browser, token);
  expect([landed.get('fresh-failed'), landed.get('fresh')]).toEqual(['standing', null]);
});

test('a declined or failed re-authentication returns to the page with the reason', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  provider.now.isDeclining = true;
  expect((await signedInAgain(browser, token)).get('fresh-failed')).toBe('declined');
  provider.now.isDeclining = false;
  provider.faults.down = /token/;
  expect((await signedInAgain(browser, token)).get('fresh-failed')).toBe('unreachable');
});

test('an unknown re-authentication ticket is rejected', async () => {
  for (const ticket of ['', 'x', '1']) {
    const landed = await go({}, `/api/auth/oidc/district/start?fresh=${ticket}`);
    expect(landed.search).toBe('?fresh-failed=expired&provider=district');
  }
});

test('a deactivated account cannot re-authenticate', async () => {
  const browser: Browser = {};
  const token = await enter(browser);
  const code = (await signedInAgain(browser, token)).get('fresh');
  const users = app.deps.database.db.updateTable('users');
  await users
    .set({ is_active: 0 })
    .where('email', '=', VERA.email ?? '')
    .execute();
  expect((await prove(browser, token, code)).status).toBeGreaterThanOrEqual(401);
  await users
    .set({ is_active: 1 })
    .where('email', '=', VERA.email ?? '')
    .execute();
  expect(await needsReauthentication(token)).toBe(true);
});

test('an account without a provider link cannot re-authenticate at the provider', async () => {
  const { token } = await aPerson(app);
  expect((await app.call('GET /api/auth/fresh', { token })).body.providers).toEqual([]);
  const body = { password: PASSWORD };
  expect((await app.call('POST /api/auth/fresh', { token, body })).status).toBe(200);
});
