import { describe, expect, test } from 'vitest';
import { lockUser } from '#features/users/server/accounts.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import { anAuthenticator, codeOf } from '#test/authenticator.ts';
import { aGrant, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { runningClock, startApp, type TestApp } from '#test/harness.ts';
import { type Person, type StandIn, startProvider } from '#test/oidc/provider.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { deleteProviderLinksOf, insertLink } from './store.ts';

const HOME = 'http://127.0.0.1:3000';
const START = '/api/auth/oidc/district/start';
const BACK = '/api/auth/oidc/district/callback';
const EXCHANGE = 'POST /api/auth/oidc/exchange';
const LINK = 'POST /api/auth/oidc/link';

const VERA: Person = {
  sub: 'vera-1',
  email: 'vera@maplegrove.example',
  email_verified: true,
  given_name: 'Vera',
  family_name: 'Moss',
};

type District = Readonly<{ app: TestApp; provider: StandIn }>;

let running: Promise<StandIn> | undefined;

/** A district with a provider where Vera signs in, unless told otherwise. */
async function aDistrict(settings: Record<string, string> = {}, given: object = {}): Promise<District> {
  running ??= startProvider([`${HOME}${BACK}`, `${HOME}/api/auth/oidc/other/callback`]);
  const provider = await running;
  provider.now.person = { ...VERA };
  provider.now.isDeclining = false;
  for (const fault of Object.keys(provider.faults)) delete provider.faults[fault as 'down'];
  const app = await startApp(
    { PUBLIC_URL: HOME, OIDC_PROVIDERS: JSON.stringify([provider.settings(given)]), ...settings },
    { clock: runningClock() },
  );
  return { app, provider };
}

/** A browser: it keeps its cookie. */
type Browser = { cookie?: string | undefined; language?: string };

async function go(app: TestApp, browser: Browser, address: string): Promise<string> {
  const { cookie, language } = browser;
  const headers = {
    ...(cookie === undefined ? {} : { cookie }),
    ...(language === undefined ? {} : { 'accept-language': language }),
  };
  const reply = await app.call(`GET ${address.replace(HOME, '')}`, { headers });
  const kept = reply.headers['set-cookie'] as string | undefined;
  if (kept !== undefined) browser.cookie = kept.split(';')[0];
  if (reply.status !== 303) throw new Error(`${reply.status} ${reply.text}`);
  return String(reply.headers['location']);
}

/** Leaves for the provider and comes back as far as its redirect. */
async function comingBack({ app, provider }: District, browser: Browser): Promise<string> {
  return provider.visit(await go(app, browser, START));
}

/** The whole way to the page, with a code or a reason. */
async function landing(district: District, browser: Browser = {}): Promise<URLSearchParams> {
  const address = await go(district.app, browser, await comingBack(district, browser));
  expect(address.startsWith(`${HOME}/?`)).toBe(true);
  return new URL(address).searchParams;
}

const send = (app: TestApp, browser: Browser, call: string, body: object) =>
  app.call(call, {
    body,
    headers: { cookie: browser.cookie ?? '', 'accept-language': browser.language ?? 'en' },
  });

async function signIn(district: District, browser: Browser = {}) {
  const code = (await landing(district, browser)).get('signin');
  expect(code).not.toBeNull();
  return send(district.app, browser, EXCHANGE, { code });
}

const recorded = async (app: TestApp) =>
  (await app.deps.database.db.selectFrom('audit_events').select('action').orderBy('id').execute()).map(
    ({ action }) => action,
  );

describe('the first sign-in with a provider', () => {
  test('creates an account, which the next sign-in opens again', async () => {
    const district = await aDistrict();
    const { app } = district;
    expect((await app.call('GET /api/auth/providers')).body).toEqual({
      providers: [{ name: 'district', title: 'Maple Grove' }],
    });
    const { status, body } = await signIn(district);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: 'Welcome, Vera! Choose your schools in Settings.',
      user: { email: VERA.email, firstName: 'Vera', lastName: 'Moss', role: 'user', schools: [] },
    });
    expect((await app.call('GET /api/profile', { token: body.token })).status).toBe(200);
    const again = await signIn(district);
    expect([again.body.user.id, again.body.message]).toEqual([body.user.id, 'Signed in']);
    expect(await recorded(app)).toEqual([
      'account.register',
      'provider.link',
      'session.provider',
      'session.provider',
    ]);
  });

  test('sets the account’s language from the browser if it differs from the district’s', async () => {
    for (const [language, kept] of [
      ['es-MX', 'es'],
      ['en-US', null],
      ['de', null],
    ] as const) {
      const { body } = await signIn(await aDistrict(), { language });
      expect([language, body.user.language]).toEqual([language, kept]);
    }
  });

  test('is rejected with an explanation if the provider has not confirmed the address', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    for (const said of [{ email_verified: false }, { email_verified: 'no' }, { email_verified: undefined }]) {
      provider.now.person = { ...VERA, ...said } as Person;
      const { status, body } = await signIn(district);
      expect([status, body.error]).toEqual([
        403,
        "Maple Grove hasn't confirmed that vera@maplegrove.example is yours. Ask the district's help desk, or sign in with your password.",
      ]);
    }
    provider.now.person = { sub: 'vera-1' };
    expect((await signIn(district)).body.error).toMatch(/^Maple Grove didn't share your email address/);
    expect(await recorded(app)).toEqual(Array.from({ length: 4 }, () => 'session.fail'));
  });

  test('shortens a long name, and fills in a name if the provider sends none', async () => {
    const district = await aDistrict();
    const { provider } = district;
    const { given_name: _given, family_name: _family, ...nameless } = VERA;
    provider.now.person = { ...nameless, sub: 'a', email: 'a@x.example', name: 'Mary Ann \u0000Lee' };
    expect((await signIn(district)).body.user).toMatchObject({ firstName: 'Mary Ann', lastName: 'Lee' });
    provider.now.person = { ...nameless, sub: 'b', email: 'bo.lee@x.example' };
    expect((await signIn(district)).body.user).toMatchObject({ firstName: 'bo.lee', lastName: '-' });
    provider.now.person = { ...VERA, sub: 'c', email: 'c@x.example', given_name: 'V'.repeat(100) };
    expect((await signIn(district)).body.user.firstName).toBe('V'.repeat(60));
  });

  test('requires approval to join schools in approval mode, unless the domain is the provider’s', async () => {
    const join = async (district: District) => {
      const school = await aSchool(district.app);
      const { token } = (await signIn(district)).body;
      const { body } = await district.app.call('PUT /api/profile', {
        token,
        body: { schoolIds: [school.id] },
      });
      return [body.user.schools.length, body.user.pendingSchools.length];
    };
    expect(await join(await aDistrict({ REGISTRATION: 'approval' }))).toEqual([0, 1]);
    const known = await aDistrict({ REGISTRATION: 'approval' }, { domains: ['MapleGrove.example'] });
    expect(await join(known)).toEqual([1, 0]);
  });

  test('is rejected for an address outside the provider’s domains', async () => {
    const district = await aDistrict({}, { domains: ['maplegrove.example'] });
    for (const email of ['vera@other.example', 'vera@sub.maplegrove.example', 'vera@notmaplegrove.example']) {
      district.provider.now.person = { ...VERA, email };
      expect((await signIn(district)).body.error).toBe(
        `${email} isn't an address of this district (maplegrove.example). Choose another Maple Grove account, or sign in with your password.`,
      );
    }
    expect(await recorded(district.app)).not.toContain('account.register');
  });

  test('requires an invitation in invitation mode, and grants its schools and roles only with its code', async () => {
    const district = await aDistrict({ REGISTRATION: 'invite' });
    const { app } = district;
    const admin = await aPerson(app, { role: 'admin' });
    const school = await aSchool(app);
    expect((await signIn(district)).body.error).toMatch(/^The district creates new accounts/);
    const grants = [{ role: 'coordinator', schoolId: school.id }];
    const sent = await app.call('POST /api/admin/invites', {
      token: admin.token,
      body: { email: VERA.email, schoolIds: [school.id], grants },
    });
    const { body } = await signIn(district);
    expect(body.user).toMatchObject({ role: 'user', schools: [], grants: [] });
    const accepted = await app.call('PUT /api/profile', {
      token: body.token,
      body: { schoolIds: [school.id], inviteCode: new URL(sent.body.link).searchParams.get('invite') },
    });
    expect(accepted.body.user).toMatchObject({
      schools: [{ id: school.id }],
      grants: [{ role: 'coordinator' }],
    });
  });

  test('creates one account if two windows return at the same moment', async () => {
    const district = await aDistrict();
    const browser: Browser = {};
    const first = await comingBack(district, browser);
    const second = await comingBack(district, browser);
    const codes = [];
    for (const back of [second, first]) {
      codes.push(new URL(await go(district.app, browser, back)).searchParams.get('signin'));
    }
    const answers = await Promise.all(codes.map((code) => send(district.app, browser, EXCHANGE, { code })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.user.id).toBe(answers[1]?.body.user.id);
  });

  test('succeeds while another window of the same user links the account', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const vera = await aPerson(app, { email: String(VERA.email) });
    await setPassword(app, vera.id, null);
    const browser: Browser = {};
    const code = new URL(await go(app, browser, await comingBack(district, browser))).searchParams.get(
      'signin',
    );
    const { issuer } = provider.settings() as { issuer: string };
    const identity = { issuer, subject: VERA.sub };
    const linkFirst = async (trx: Trx) => {
      await lockUser(trx, vera.id);
      await insertLink(trx, { ...identity, userId: vera.id, provider: 'district', at: app.clock.now() });
    };
    const reply = await sendDuring(app, linkFirst, () => send(app, browser, EXCHANGE, { code }));
    expect([reply.status, reply.body.user?.id]).toEqual([200, vera.id]);
  });
});

describe('an account with a second factor', () => {
  const SECOND = 'POST /api/auth/second-factor';

  async function withCode(given: Parameters<typeof aPerson>[1] = {}) {
    const district = await aDistrict();
    const { app } = district;
    const vera = await aPerson(app, { email: String(VERA.email), ...given });
    const secret = await anAuthenticator(app, vera);
    const browser: Browser = {};
    const second = (challenge: string, steps = 0) =>
      send(app, browser, SECOND, { challenge, code: codeOf(secret, app.clock.now(), steps) });
    const { challenge } = (await signIn(district, browser)).body;
    const linked = await send(app, browser, LINK, { challenge, password: PASSWORD });
    return { district, app, vera, browser, second, linked };
  }

  test('requires both the provider and a code, even while it is being linked', async () => {
    const { district, app, vera, browser, second, linked } = await withCode();
    expect(linked.body).toEqual({ next: 'second-factor', challenge: expect.any(String) });
    expect((await second(linked.body.challenge, -1)).body.user.id).toBe(vera.id);
    const asked = await signIn(district, browser);
    expect([asked.status, asked.body]).toEqual([
      200,
      { next: 'second-factor', challenge: expect.any(String) },
    ]);
    expect((await send(app, browser, SECOND, { ...asked.body, code: '000000' })).status).toBe(401);
    const { status, body } = await second(asked.body.challenge);
    expect([status, body.user.id, body.message]).toEqual([200, vera.id, 'Signed in']);
    const { sessions } = (await app.call('GET /api/profile/sessions', { token: body.token })).body;
    expect(sessions.find(({ current }: { current: boolean }) => current)).toMatchObject({
      signedInBy: 'provider',
      provider: 'Maple Grove',
    });
  });

  test('requires a code even if the provider confirms the address for the first time', async () => {
    const { linked } = await withCode({ isProven: false });
    expect(linked.body).toEqual({ next: 'second-factor', challenge: expect.any(String) });
  });

  test('cannot be opened if its provider link is removed while the code is pending', async () => {
    const { app, browser, second, linked, district } = await withCode();
    const { token } = (await second(linked.body.challenge, -1)).body;
    const { challenge } = (await signIn(district, browser)).body;
    const [{ id }] = (await app.call('GET /api/profile/providers', { token })).body.providers;
    expect((await app.call(`DELETE /api/profile/providers/${id}`, { token })).status).toBe(200);
    expect((await second(challenge)).status).toBe(400);
    expect((await recorded(app)).filter((action) => action === 'session.provider')).toHaveLength(1);
  });
});

describe('a provider account that is already linked', () => {
  test('requires the password again if another window removes the link at the same moment', async () => {
    const district = await aDistrict();
    const { app } = district;
    const browser: Browser = {};
    const vera = await aPerson(app, { email: String(VERA.email) });
    const { challenge } = (await signIn(district, browser)).body;
    expect((await send(app, browser, LINK, { challenge, password: PASSWORD })).status).toBe(200);
    const code = (await landing(district, browser)).get('signin');
    const endLink = async (trx: Trx) => {
      await lockUser(trx, vera.id);
      await deleteProviderLinksOf(trx, vera.id);
    };
    const reply = await sendDuring(app, endLink, () => send(app, browser, EXCHANGE, { code }));
    expect([reply.status, reply.body.next]).toEqual([200, 'link']);
  });

  test('cannot be linked to another account with an earlier password challenge', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const browser: Browser = {};
    await aPerson(app, { email: String(VERA.email) });
    const { challenge } = (await signIn(district, browser)).body;
    const other = await aPerson(app);
    const { issuer } = provider.settings() as { issuer: string };
    const link = { issuer, subject: VERA.sub, userId: other.id, provider: 'district', at: app.clock.now() };
    await transaction(app.deps.database, (trx) => insertLink(trx, link));
    const reply = await send(app, browser, LINK, { challenge, password: PASSWORD });
    expect([reply.status, reply.body.token]).toEqual([400, undefined]);
  });
});

describe('an account with the same address', () => {
  test('is linked once if its password is entered in two windows', async () => {
    const district = await aDistrict();
    const { app } = district;
    await aPerson(app, { email: String(VERA.email) });
    const browser: Browser = {};
    const challenges = [await signIn(district, browser), await signIn(district, browser)].map(
      ({ body }) => body.challenge,
    );
    const answers = await Promise.all(
      challenges.map((challenge) => send(app, browser, LINK, { challenge, password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await recorded(app)).filter((action) => action === 'provider.link')).toHaveLength(1);
  });

  test('is linked once its password is entered', async () => {
    const district = await aDistrict();
    const { app } = district;
    const vera = await aPerson(app, { email: 'Vera@maplegrove.example' });
    const browser: Browser = {};
    const asked = await signIn(district, browser);
    expect([asked.status, asked.body]).toEqual([200, { next: 'link', challenge: expect.any(String) }]);
    const { challenge } = asked.body;
    const wrong = await send(app, browser, LINK, { challenge, password: 'not it' });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'That password is not correct for this account']);
    const elsewhere = await send(app, {}, LINK, { challenge, password: PASSWORD });
    expect(elsewhere.status).toBe(400);
    const right = await send(app, browser, LINK, { challenge, password: PASSWORD });
    expect([right.status, right.body.user.id, right.body.message]).toEqual([200, vera.id, 'Signed in']);
    expect((await send(app, browser, LINK, { challenge, password: PASSWORD })).status).toBe(400);
    expect((await signIn(district)).body.user.id).toBe(vera.id);
    expect(await recorded(app)).toEqual([
      'session.fail',
      'provider.link',
      'session.provider',
      'session.provider',
    ]);
  });

  test('shares the limit on wrong passwords with sign-in', async () => {
    const district = await aDistrict();
    const { app } = district;
    await aPerson(app, { email: 'vera@maplegrove.example' });
    const browser: Browser = {};
    const { challenge } = (await signIn(district, browser)).body;
    const guess = () => send(app, browser, LINK, { challenge, password: 'not it' });
    for (let tries = 0; tries < 5; tries++) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    const body = { email: VERA.email, password: PASSWORD };
    expect((await app.call('POST /api/auth/login', { body })).status).toBe(429);
  });

  test('with a staff role is linked only by its password, and is rejected if it has none', async () => {
    const district = await aDistrict();
    const { app } = district;
    const admin = await aPerson(app, { role: 'admin', email: 'vera@maplegrove.example' });
    expect((await signIn(district)).body.next).toBe('link');
    await setPassword(app, admin.id, null);
    await aGrant(app, admin, 'coordinator', await aSchool(app));
    await app.deps.database.db
      .updateTable('users')
      .set({ role: 'user' })
      .where('id', '=', admin.id)
      .execute();
    expect((await signIn(district)).status).toBe(403);
    await app.deps.database.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', admin.id)
      .execute();
    const refused = await signIn(district);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'vera@maplegrove.example belongs to an administrator account, which needs its password once. Choose “Forgot your password?” and set one, then sign in with Maple Grove again.',
    ]);
  });

  test('opens without a password if it has none, but not for a later owner of the address', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const vera = await aPerson(app, { email: 'vera@maplegrove.example' });
    await setPassword(app, vera.id, null);
    expect((await signIn(district)).body.user.id).toBe(vera.id);
    provider.now.person = { ...VERA, sub: 'another-vera' };
    const refused = await signIn(district);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'The account for vera@maplegrove.example is linked to a different Maple Grove account. Please contact help@maplegrove.example.',
    ]);
  });

  test('cannot sign in while deactivated, whether matched by link or by address', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const { body } = await signIn(district);
    const deactivate = app.deps.database.db.updateTable('users').set({ is_active: 0 });
    await deactivate.where('id', '=', body.user.id).execute();
    const said = 'This account is not active. Please contact help@maplegrove.example.';
    expect((await signIn(district)).body.error).toBe(said);
    provider.now.person = { ...VERA, sub: 'another-vera' };
    expect((await signIn(district)).body.error).toBe(said);
    expect((await app.call('GET /api/profile', { token: body.token })).status).toBe(401);
  });

  test('keeps its own address when the provider’s address changes', async () => {
    const district = await aDistrict();
    const { provider, app } = district;
    const { body } = await signIn(district);
    const other = await aPerson(app, { email: 'vera.other@maplegrove.example' });
    provider.now.person = { ...VERA, email: 'vera.other@maplegrove.example', email_verified: false };
    const again = await signIn(district);
    expect([again.body.user.id, again.body.user.email]).toEqual([body.user.id, VERA.email]);
    expect(again.body.user.id).not.toBe(other.id);
  });
});

describe('a callback', () => {
  test('returns a code that works once, within a minute, and only in the same browser', async () => {
    const district = await aDistrict();
    const { app } = district;
    const browser: Browser = {};
    const other: Browser = {};
    await go(app, other, START);
    const code = (await landing(district, browser)).get('signin');
    for (const stranger of [{}, other]) {
      const { status, body } = await send(app, stranger, EXCHANGE, { code });
      expect([status, body.error]).toEqual([
        400,
        'This sign-in took too long or was started in another window. Please start again.',
      ]);
    }
    expect((await send(app, browser, EXCHANGE, { code })).status).toBe(200);
    expect((await send(app, browser, EXCHANGE, { code })).status).toBe(400);
    const late = (await landing(district, browser)).get('signin');
    app.clock.advance(61_000);
    expect((await send(app, browser, EXCHANGE, { code: late })).status).toBe(400);
    const kept = await app.deps.database.db.selectFrom('provider_redirects').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(late);
    expect(JSON.stringify(kept)).not.toContain('maplegrove');
  });

  test('fails in another browser, without the cookie and after ten minutes', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const browser: Browser = {};
    const back = await comingBack(district, browser);
    const before = tokensAsked(provider);
    const other: Browser = {};
    await go(app, other, START);
    for (const stranger of [{}, other]) {
      expect(await go(app, stranger, back)).toBe(`${HOME}/?signin-failed=expired&provider=district`);
    }
    app.clock.advance(10 * 60_000);
    expect(await go(app, browser, back)).toContain('signin-failed=expired');
    app.clock.advance(-10 * 60_000);
    expect(tokensAsked(provider)).toBe(before);
    expect(await go(app, browser, back)).toContain('?signin=');
  });

  test('is rejected if it was used before or altered', async () => {
    const district = await aDistrict();
    const { app } = district;
    const browser: Browser = {};
    const back = await comingBack(district, browser);
    const altered = new URL(back);
    altered.searchParams.set('state', `x${altered.searchParams.get('state')}`);
    expect(await go(app, browser, altered.href)).toContain('signin-failed=expired');
    expect(await go(app, browser, `${BACK}?state=&code=x`)).toContain('signin-failed=expired');
    expect(await go(app, browser, back)).toContain('?signin=');
    expect(await go(app, browser, back)).toContain('signin-failed=unbelievable');
  });

  test('is rejected if its issuer is not the one it started with', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const other = { ...provider.settings(), name: 'other', title: 'Other' };
    const mixed = await startApp(
      { PUBLIC_URL: HOME, OIDC_PROVIDERS: JSON.stringify([provider.settings(), other]) },
      { clock: runningClock() },
    );
    const browser: Browser = {};
    const back = new URL(await comingBack({ app: mixed, provider }, browser));
    const elsewhere = back.href.replace('/district/', '/other/');
    expect(await go(mixed, browser, elsewhere)).toContain('signin-failed=expired');
    for (const issuer of ['https://evil.example', undefined]) {
      const changed = new URL(await comingBack(district, browser));
      if (issuer === undefined) changed.searchParams.delete('iss');
      else changed.searchParams.set('iss', issuer);
      expect(await go(app, browser, changed.href)).toContain('signin-failed=unbelievable');
    }
  });

  test('is rejected if its token has expired, or has a wrong or missing claim', async () => {
    const district = await aDistrict();
    const { provider } = district;
    const past = () => Math.floor(millisecondsOf(district.app.clock.now()) / 1000) - 120;
    for (const claims of [
      { aud: 'another-client' },
      { iss: 'https://evil.example' },
      { nonce: 'another' },
      { nonce: undefined },
      { exp: past() },
      { sub: undefined },
    ]) {
      provider.faults.claims = (own) => ({ ...own, ...claims });
      expect((await landing(district)).toString()).toBe('signin-failed=unbelievable&provider=district');
    }
    delete provider.faults.claims;
    expect((await landing(district)).get('signin')).not.toBeNull();
  });

  test('tolerates a clock difference of 30 seconds, but not of 15 minutes', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    provider.faults.claims = (own) => ({ ...own, exp: Number(own['iat']) + 10 });
    for (const seconds of [-30, 60]) {
      app.clock.advance(seconds * 1000);
      expect((await landing(district)).get('signin')).not.toBeNull();
    }
    app.clock.advance(15 * 60_000);
    expect((await landing(district)).get('signin-failed')).toBe('unbelievable');
  });

  test('accepts keys that the provider has just published', async () => {
    const district = await aDistrict();
    const { provider } = district;
    expect((await signIn(district)).status).toBe(200);
    const keysAsked = () => provider.asked.filter((path) => path === '/jwks').length;
    const before = keysAsked();
    expect((await signIn(district)).status).toBe(200);
    expect(keysAsked()).toBe(before);
    provider.rotateKeys();
    expect((await signIn(district)).status).toBe(200);
    expect(keysAsked()).toBe(before + 1);
  });

  test('explains that the user declined', async () => {
    const district = await aDistrict();
    district.provider.now.isDeclining = true;
    expect((await landing(district)).get('signin-failed')).toBe('declined');
  });
});

describe('a failing or unknown provider', () => {
  test('does not affect password sign-in, and is retried at the next sign-in', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const vera = await aPerson(app, {});
    provider.faults.down = /./;
    const failed = `${HOME}/?signin-failed=unreachable&provider=district`;
    expect(await go(app, {}, START)).toBe(failed);
    const body = { email: vera.email, password: PASSWORD };
    expect((await app.call('POST /api/auth/login', { body })).status).toBe(200);
    expect((await app.call('GET /readyz')).status).toBe(200);
    delete provider.faults.down;
    expect((await signIn(district)).status).toBe(200);
    for (const path of ['/token', '/me']) {
      provider.faults.down = new RegExp(path);
      expect((await landing(district)).get('signin-failed')).toBe('unreachable');
    }
    // What it said of itself is still known.
    provider.faults.down = /well-known/;
    expect((await signIn(district)).status).toBe(200);
  });

  test('signs in no user if its response never ends', async () => {
    const district = await aDistrict();
    district.provider.faults.endless = /well-known/;
    expect(await go(district.app, {}, START)).toContain('signin-failed=unreachable');
    delete district.provider.faults.endless;
    await signIn(district);
    district.provider.faults.endless = /token/;
    expect((await landing(district)).get('signin')).toBeNull();
  });

  test('returns 404 if it is unknown, and a HEAD request starts no sign-in', async () => {
    const { app } = await aDistrict();
    expect((await app.call('GET /api/auth/oidc/nobody/start')).status).toBe(404);
    expect((await app.call('GET /api/auth/oidc/nobody/callback')).status).toBe(404);
    expect((await app.call(`HEAD ${START}`)).status).not.toBe(303);
  });
});

describe('the sign-in cookie', () => {
  test('is HttpOnly, SameSite=Lax, and Secure if the district uses https', async () => {
    const { app, provider } = await aDistrict();
    const plain = String((await app.call(`GET ${START}`)).headers['set-cookie']);
    expect(plain).toMatch(/^vtt-sign-in=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/);
    const https = await startApp(
      { PUBLIC_URL: 'https://hours.example', OIDC_PROVIDERS: JSON.stringify([provider.settings()]) },
      { clock: runningClock() },
    );
    const secure = String((await https.call(`GET ${START}`)).headers['set-cookie']);
    expect(secure).toMatch(/^__Host-vtt-sign-in=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
  });
});

describe('the account owner', () => {
  const told = async (app: TestApp, email: string) =>
    (await emailsSentTo(app, email)).map(({ subject, text }) => ({ subject, text }));

  test('gets an email when a provider account is linked or unlinked', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const vera = await aPerson(app, { firstName: 'Vera' });
    // Nobody writes these words to her.
    provider.now.person = { ...VERA, email: vera.email, given_name: 'Call 555-0100', name: 'Call 555-0100' };
    const browser = {};
    const { challenge } = (await signIn(district, browser)).body;
    expect(await told(app, vera.email)).toEqual([]);
    const linked = await send(app, browser, LINK, { challenge, password: PASSWORD });
    const [letter] = await told(app, vera.email);
    expect(letter?.subject).toBe('You can now sign in with Maple Grove');
    expect(letter?.text).toContain('with a Maple Grove account too.');
    expect(letter?.text).toContain("If this wasn't you");
    expect(letter?.text).not.toContain('555');
    const { token } = linked.body;
    await signIn(district);
    const [{ id }] = (await app.call('GET /api/profile/providers', { token })).body.providers;
    await app.call(`DELETE /api/profile/providers/${id}`, { token });
    expect((await told(app, vera.email)).map(({ subject }) => subject)).toEqual([
      'You can now sign in with Maple Grove',
      'You can no longer sign in with Maple Grove',
    ]);
  });

  test('gets an email about a link even without a password, but not about a new account', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    await signIn(district);
    expect(await told(app, VERA.email ?? '')).toEqual([]);
    const made = await aPerson(app);
    await setPassword(app, made.id, null);
    provider.now.person = { ...VERA, sub: 'made', email: made.email };
    expect((await signIn(district)).status).toBe(200);
    expect((await told(app, made.email)).map(({ subject }) => subject)).toEqual([
      'You can now sign in with Maple Grove',
    ]);
  });
});

describe('link challenges for one account', () => {
  test('share one limit of five wrong passwords', async () => {
    const district = await aDistrict();
    const { app, provider } = district;
    const vera = await aPerson(app);
    const challenges: { browser: Browser; challenge: string }[] = [];
    for (const sub of ['a', 'b', 'c', 'd']) {
      provider.now.person = { ...VERA, sub, email: vera.email };
      const browser = {};
      challenges.push({ browser, challenge: (await signIn(district, browser)).body.challenge });
    }
    const guesses = Array.from({ length: 10 }).flatMap((_, round) =>
      challenges.map(({ browser, challenge }, index) =>
        app.call(LINK, {
          body: { challenge, password: `guess ${round} ${index}` },
          headers: { cookie: browser.cookie ?? '' },
          from: `10.9.${round}.${index}`,
        }),
      ),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });
});

describe('roles claimed by a provider', () => {
  test('grant no rights', async () => {
    const district = await aDistrict({}, { roleClaim: 'roles' });
    const { app, provider } = district;
    await aSchool(app, { name: 'Lincoln' });
    provider.faults.claims = (claims) => ({ ...claims, roles: ['admin', 'school-admin:Lincoln'] });
    const { user, token } = (await signIn(district)).body;
    expect([user.role, user.grants ?? []]).toEqual(['user', []]);
    expect((await app.call('GET /api/admin/users', { token })).status).toBe(403);
  });
});

describe('a provider link', () => {
  test('is listed in Settings and can be removed unless it is the last way to sign in', async () => {
    const district = await aDistrict();
    const { app } = district;
    const { token, user } = (await signIn(district)).body;
    const { body } = await app.call('GET /api/profile/providers', { token });
    expect(body.providers).toMatchObject([{ name: 'district', title: 'Maple Grove' }]);
    const remove = (by = token) =>
      app.call(`DELETE /api/profile/providers/${body.providers[0].id}`, { token: by });
    expect((await remove((await aPerson(app)).token)).status).toBe(404);
    const refused = await remove();
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'This is your only way to sign in. Set a password first: sign out and choose “Forgot your password?”.',
    ]);
    await resetPassword(app, user.email);
    const login = { email: VERA.email, password: 'sunny-meadow-21' };
    const withPassword = await app.call('POST /api/auth/login', { body: login });
    expect(withPassword.status).toBe(200);
    const removed = await remove(withPassword.body.token);
    expect([removed.status, removed.body.message]).toEqual([
      200,
      'You can no longer sign in here with Maple Grove',
    ]);
    expect((await signIn(district)).body.next).toBe('link');
    expect(await recorded(app)).toContain('provider.unlink');
  });

  test('is part of the user’s data export, and is deleted with the account', async () => {
    const district = await aDistrict();
    const { app } = district;
    const admin = await aPerson(app, { role: 'admin' });
    const { token, user } = (await signIn(district)).body;
    const { text } = await app.call('GET /api/profile/data', { token });
    expect(JSON.parse(text).providers).toMatchObject([{ provider: 'district', subject: 'vera-1' }]);
    const erased = await app.call(`POST /api/admin/users/${user.id}/erase`, {
      token: admin.token,
      body: { email: user.email },
    });
    expect(erased.status).toBeLessThan(300);
    expect(await app.deps.database.db.selectFrom('provider_links').selectAll().execute()).toEqual([]);
    expect((await signIn(district)).body.user.id).not.toBe(user.id);
  });
});

const tokensAsked = ({ asked }: StandIn) => asked.filter((path) => path === '/token').length;

const setPassword = (app: TestApp, id: number, hash: string | null) =>
  app.deps.database.db.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();

async function resetPassword(app: TestApp, email: string): Promise<void> {
  await app.call('POST /api/auth/forgot-password', { body: { email } });
  const letters = await emailsSentTo(app, email);
  const [, token] = /\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '') ?? [];
  const body = { token, newPassword: 'sunny-meadow-21' };
  expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
}
