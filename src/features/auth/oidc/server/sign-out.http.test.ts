import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { millisecondsOf } from '#shared/calendar-date.ts';
import { anAuthenticator, codeOf } from '#test/authenticator.ts';
import { aPerson, PASSWORD } from '#test/builders.ts';
import { runningClock, startApp, type TestApp } from '#test/harness.ts';
import { CLIENT, type StandIn, startProvider } from '#test/oidc/provider.ts';

const HOME = 'http://127.0.0.1:3000';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let app: TestApp;
let provider: StandIn;
let running: Promise<StandIn> | undefined;

beforeEach(async () => {
  running ??= startProvider([`${HOME}/api/auth/oidc/district/callback`]);
  provider = await running;
  for (const fault of Object.keys(provider.faults)) delete provider.faults[fault as 'down'];
  await start();
});

async function start(given: object = {}): Promise<void> {
  app = await startApp(
    { PUBLIC_URL: HOME, OIDC_PROVIDERS: JSON.stringify([provider.settings(given)]) },
    { clock: runningClock() },
  );
}

/** Signs somebody in whose session at the provider has this name there; returns the token of the session here. */
async function signedIn(sub: string, sid: string | undefined): Promise<string> {
  const { token } = await comeBackAs(sub, sid);
  expect(token).toMatch(/^[\w-]{43}$/);
  return token;
}

/** The same up to what the exchange answers. */
async function comeBackAs(sub: string, sid: string | undefined) {
  return (await arriveAs(sub, sid)).fetched();
}

/** The same up to the page that fetches it, in a browser of its own. */
async function arriveAs(sub: string, sid: string | undefined) {
  provider.now.person = { sub, email: `${sub}@maplegrove.example`, email_verified: true };
  provider.faults.claims = (claims) => ({ ...claims, sid });
  const leaving = await app.call('GET /api/auth/oidc/district/start');
  const cookie = String(leaving.headers['set-cookie']).split(';')[0] ?? '';
  const back = await provider.visit(String(leaving.headers['location']));
  const arriving = await app.call(`GET ${back.replace(HOME, '')}`, { headers: { cookie } });
  const code = new URL(String(arriving.headers['location'])).searchParams.get('signin');
  const inBrowser = async (endpoint: string, body: object) =>
    (await app.call(endpoint, { body, headers: { cookie } })).body;
  return { inBrowser, fetched: () => inBrowser('POST /api/auth/oidc/exchange', { code }) };
}

const seconds = () => Math.floor(millisecondsOf(app.clock.now()) / 1000);

/** What a provider says of somebody who signed out there. */
const message = (given: object) => ({
  iss: provider.issuer,
  aud: CLIENT.clientId,
  iat: seconds(),
  exp: seconds() + 120,
  jti: randomUUID(),
  events: { [EVENT]: {} },
  ...given,
});

const tell = (token: string, name = 'district') =>
  app.call(`POST /api/auth/oidc/${name}/backchannel-logout`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString() as unknown as object,
  });

const isIn = async (token: string) => (await app.call('GET /api/profile', { token })).status === 200;

const recorded = async () => {
  const rows = await app.deps.database.db.selectFrom('audit_events').selectAll().orderBy('id').execute();
  return rows.filter(({ action }) => action === 'session.end-provider');
};

describe('a logout token from the provider', () => {
  test('ends only the session it names, with an audit event', async () => {
    const [here, elsewhere, others] = [
      await signedIn('vera', 's-1'),
      await signedIn('vera', 's-2'),
      await signedIn('omar', 's-3'),
    ];
    const reply = await tell(provider.signed(message({ sid: 's-1' }), { typ: 'logout+jwt' }));
    expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect([await isIn(here), await isIn(elsewhere), await isIn(others)]).toEqual([false, true, true]);
    const [row, ...more] = await recorded();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ subject: 'user', after: JSON.stringify({ provider: 'district', ended: 1 }) });
    expect(row?.actor_id).toBe(row?.subject_id);
  });

  test('that names a provider account ends all of its sessions, but no others', async () => {
    const [first, second, others] = [
      await signedIn('vera', 's-1'),
      await signedIn('vera', undefined),
      await signedIn('omar', 's-3'),
    ];
    const person = await aPerson(app);
    expect((await tell(provider.signed(message({ sub: 'vera' })))).status).toBe(200);
    expect([await isIn(first), await isIn(second), await isIn(others)]).toEqual([false, false, true]);
    expect(await isIn(person.token)).toBe(true);
    expect((await recorded()).map(({ after }) => after)).toEqual([
      JSON.stringify({ provider: 'district', ended: 2 }),
    ]);
  });

  test('ends a sign-in that waits for a two-factor code, but not a later one', async () => {
    await signedIn('vera', 's-0');
    const { db } = app.deps.database;
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'vera@maplegrove.example')
      .executeTakeFirstOrThrow();
    const secret = await anAuthenticator(app, { id });
    const second = (asked: { challenge: string }, steps: number) =>
      app.call('POST /api/auth/second-factor', {
        body: { challenge: asked.challenge, code: codeOf(secret, app.clock.now(), steps) },
      });
    const waiting = await comeBackAs('vera', 's-1');
    expect(waiting.next).toBe('second-factor');
    expect((await tell(provider.signed(message({ sub: 'vera', sid: 's-1' })))).status).toBe(200);
    expect(await second(waiting, -1)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect((await second(await comeBackAs('vera', 's-2'), 0)).status).toBe(200);
  });

  test('ends sign-ins that wait for their exchange or a password, but not later ones', async () => {
    await aPerson(app, { email: 'omar@maplegrove.example' });
    const linking = async () => {
      const { inBrowser, fetched } = await arriveAs('omar', undefined);
      const { challenge } = await fetched();
      return () => inBrowser('POST /api/auth/oidc/link', { challenge, password: PASSWORD });
    };
    const [page, other, link] = [
      await arriveAs('vera', 's-1'),
      await arriveAs('nora', 's-2'),
      await linking(),
    ];
    for (const sub of ['vera', 'omar']) {
      expect((await tell(provider.signed(message({ sub })))).status).toBe(200);
    }
    const startAgain = {
      error: 'This sign-in took too long or was started in another window. Please start again.',
    };
    expect(await page.fetched()).toEqual(startAgain);
    expect(await link()).toEqual(startAgain);
    expect(await app.deps.database.db.selectFrom('provider_links').selectAll().execute()).toEqual([]);
    expect(await other.fetched()).toMatchObject({ token: expect.any(String) });
    expect(await signedIn('vera', 's-1')).toBeDefined();
    expect(await (await linking())()).toMatchObject({ token: expect.any(String) });
    expect((await tell(provider.signed(message({ sub: 'vera' })))).status).toBe(200);
    expect(
      await app.deps.database.db.selectFrom('provider_logouts').select('token_hash').execute(),
    ).toHaveLength(5);
  });

  test('ends nothing if the user and the session do not match, or if the session is unknown', async () => {
    const token = await signedIn('vera', 's-1');
    expect((await tell(provider.signed(message({ sub: 'omar', sid: 's-1' })))).status).toBe(200);
    expect((await tell(provider.signed(message({ sid: 'unknown' })))).status).toBe(200);
    expect(await isIn(token)).toBe(true);
    expect(await recorded()).toEqual([]);
  });

  test('is rejected if it, or another token with the same ID, was used before', async () => {
    const token = await signedIn('vera', 's-1');
    const said = provider.signed(message({ sub: 'omar' }));
    expect((await tell(said)).status).toBe(200);
    expect((await tell(said)).status).toBe(400);
    const again = message({ sid: 's-1', jti: 'the same' });
    expect((await tell(provider.signed(message({ sid: 's-2', jti: 'the same' })))).status).toBe(200);
    expect((await tell(provider.signed(again))).status).toBe(400);
    expect(await isIn(token)).toBe(true);
  });

  test.each<[string, (said: object) => string]>([
    ['with another key', (said) => forged(said)],
    ['with the algorithm none', (said) => `${part({ alg: 'none' })}.${part(said)}.`],
    ['with the client secret', (said) => provider.signed(said, { alg: 'HS256' })],
    ['for another client', (said) => provider.signed({ ...said, aud: 'somebody-else' })],
    ['by another issuer', (said) => provider.signed({ ...said, iss: 'https://elsewhere.example' })],
    ['with a nonce', (said) => provider.signed({ ...said, nonce: 'n' })],
    ['without an event', (said) => provider.signed({ ...said, events: undefined })],
    ['with another event', (said) => provider.signed({ ...said, events: { [`${EVENT}-not`]: {} } })],
    ['with a string as the event', (said) => provider.signed({ ...said, events: { [EVENT]: 'yes' } })],
    ['after it expired', (said) => provider.signed({ ...said, exp: seconds() - 120 })],
    ['from yesterday', (said) => provider.signed({ ...said, iat: seconds() - 86_400 })],
    ['from tomorrow', (said) => provider.signed({ ...said, iat: seconds() + 86_400 })],
    ['without a time', (said) => provider.signed({ ...said, iat: undefined })],
    ['without an identifier', (said) => provider.signed({ ...said, jti: undefined })],
    ['with an empty identifier', (said) => provider.signed({ ...said, jti: '' })],
    ['without a session or user', (said) => provider.signed({ ...said, sid: undefined })],
    ['with a NUL character in the session ID', (said) => provider.signed({ ...said, sid: 'a\0b' })],
    ['with a number as the session ID', (said) => provider.signed({ ...said, sid: 1 })],
    ['as an access token', (said) => provider.signed(said, { typ: 'at+jwt' })],
    ['if it is empty', () => ''],
    ['if it is malformed', () => 'a.b.c'],
  ])('is rejected %s', async (_case, made) => {
    const token = await signedIn('vera', 's-1');
    const reply = await tell(made(message({ sid: 's-1' })));
    expect([reply.status, reply.body, reply.headers['cache-control']]).toEqual([
      400,
      { error: 'invalid_request' },
      'no-store',
    ]);
    expect(await isIn(token)).toBe(true);
  });

  test('is rejected at another provider’s endpoint', async () => {
    const other = await startProvider([]);
    const settings = [provider.settings(), other.settings({ name: 'other' })];
    app = await startApp(
      { PUBLIC_URL: HOME, OIDC_PROVIDERS: JSON.stringify(settings) },
      { clock: runningClock() },
    );
    const token = await signedIn('vera', 's-1');
    expect((await tell(provider.signed(message({ sid: 's-1' })), 'other')).status).toBe(400);
    expect((await tell(other.signed(message({ sid: 's-1', iss: other.issuer })), 'other')).status).toBe(200);
    expect((await tell(provider.signed(message({ sid: 's-1' })), 'nobody')).status).toBe(404);
    expect(await isIn(token)).toBe(true);
  });

  test('is accepted if signed with a key that the provider has just published', async () => {
    const token = await signedIn('vera', 's-1');
    provider.rotateKeys();
    expect((await tell(provider.signed(message({ sid: 's-1' })))).status).toBe(200);
    expect(await isIn(token)).toBe(false);
  });

  test('causes at most two provider requests and one warning if forged 400 times', async () => {
    const token = await signedIn('vera', 's-1');
    provider.asked.length = 0;
    const warned = vi.spyOn(app.deps.log, 'warn');
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, index) => tell(forged(message({ sid: 's-1' }), `key ${index}`))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]));
    for (const kid of ['one', 'two', 'three']) await tell(forged(message({ sid: 's-1' }), kid));
    expect(provider.asked.length).toBeLessThanOrEqual(2);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.lastCall?.[0]).toMatch(/^a provider signed nobody out/);
    expect(await isIn(token)).toBe(true);
    expect((await tell(provider.signed(message({ sid: 's-1' })))).status).toBe(200);
    expect(await isIn(token)).toBe(false);
  });
});

describe('a front-channel logout request', () => {
  const open = (query: object, method = 'GET') =>
    app.call(
      `${method} /api/auth/oidc/district/frontchannel-logout?${new URLSearchParams({ ...query } as Record<string, string>)}`,
    );

  test('ends only the session it names, with or without an issuer', async () => {
    const [here, elsewhere] = [await signedIn('vera', 's-1'), await signedIn('vera', 's-2')];
    const said = { iss: provider.issuer, sid: 's-1' };
    await open(said, 'HEAD');
    expect(await isIn(here)).toBe(true);
    const reply = await open(said);
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([false, true]);
    expect(await recorded()).toHaveLength(1);
    expect((await open(said)).status).toBe(200);
    expect(await recorded()).toHaveLength(1);
    // Microsoft's does not always say who it is.
    expect((await open({ sid: 's-2' })).status).toBe(200);
    expect(await isIn(elsewhere)).toBe(false);
  });

  test('ends nothing for another issuer or without a session ID', async () => {
    const token = await signedIn('vera', undefined);
    for (const said of [
      {},
      { iss: provider.issuer },
      { iss: provider.issuer, sid: '' },
      { iss: 'https://elsewhere.example', sid: 's-1' },
      { iss: 'no address', sid: 's-1' },
    ]) {
      expect((await open(said)).status).toBe(400);
    }
    expect((await open({ iss: provider.issuer, sid: 'a\0b' })).status).toBeLessThan(500);
    expect(await isIn(token)).toBe(true);
  });
});

describe('signing out', () => {
  const signOut = (token: string) => app.call('POST /api/auth/oidc/sign-out', { token });

  test('ends the session and redirects to the provider with its ID token and a return address', async () => {
    const token = await signedIn('vera', 's-1');
    const { status, body } = await signOut(token);
    expect([status, await isIn(token)]).toEqual([200, false]);
    const to = new URL(body.to);
    expect(to.origin).toBe(provider.issuer);
    expect(to.searchParams.get('post_logout_redirect_uri')).toBe(`${HOME}/`);
    expect(to.searchParams.get('client_id')).toBe(CLIENT.clientId);
    const [, claims = ''] = (to.searchParams.get('id_token_hint') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'vera' });
  });

  test('deletes the provider’s ID token, which is stored encrypted in the session', async () => {
    const token = await signedIn('vera', 's-1');
    const kept = async () =>
      (await app.deps.database.db.selectFrom('sessions').select('provider_id_token').execute()).map(
        (row) => row.provider_id_token,
      );
    const [sealed] = await kept();
    expect(sealed?.length).toBeGreaterThan(100);
    expect(sealed).not.toContain('.');
    await signOut(token);
    expect(await kept()).toEqual([]);
  });

  test('skips the provider after a password sign-in or if signOut is "here"', async () => {
    expect((await signOut((await aPerson(app)).token)).body).toEqual({ to: null });
    await start({ signOut: 'here' });
    const token = await signedIn('vera', 's-1');
    expect((await app.deps.database.db.selectFrom('sessions').selectAll().execute())[0]).toMatchObject({
      provider_id_token: null,
    });
    expect((await signOut(token)).body).toEqual({ to: null });
    expect(await isIn(token)).toBe(false);
  });

  test('ends the session even if the provider does not respond', async () => {
    const token = await signedIn('vera', 's-1');
    provider.faults.down = /./;
    // As in a server that has just been started.
    const providers = app.deps.config.providers.map((settings) => ({ ...settings }));
    Object.assign(app.deps.config, { providers });
    const reply = await signOut(token);
    expect([reply.status, reply.body]).toEqual([200, { to: null }]);
    expect(await isIn(token)).toBe(false);
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Signed by somebody else, under the provider's key or one that nobody knows. */
function forged(claims: object, kid?: string): string {
  const [header = ''] = provider.signed(claims, kid === undefined ? {} : { kid }).split('.');
  const text = `${header}.${part(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
}
