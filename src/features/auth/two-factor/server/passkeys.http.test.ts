import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { aDevice, type Twist } from '#test/passkey-device.ts';
import { emailsSentTo } from '#test/sent-emails.ts';

const ORIGIN = 'https://hours.maplegrove.example';
const PASSKEYS = '/api/profile/second-factor/passkeys';
const MINUTE = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: ORIGIN });
});
beforeEach(() => app.clock.advance(60 * MINUTE));

type Person = { id: number; token: string; email: string };

const list = async ({ token }: { token: string }, at = app) =>
  (await at.call(`GET ${PASSKEYS}`, { token })).body;

async function offer({ token }: { token: string }) {
  return (await app.call(`POST ${PASSKEYS}/options`, { token })).body.options;
}

async function add(
  person: { token: string },
  device = aDevice(ORIGIN),
  twist: Twist = {},
  name = 'My phone',
) {
  const passkey = device.create(await offer(person), twist);
  const reply = await app.call(`POST ${PASSKEYS}`, { token: person.token, body: { name, passkey } });
  return { ...reply, device };
}

async function someoneWithPasskey(given: Parameters<typeof aPerson>[1] = {}) {
  const person = await aPerson(app, { isProven: true, ...given });
  const { device, body } = await add(person);
  return { ...person, device, passkey: body.passkey };
}

async function signIn(device: ReturnType<typeof aDevice>, twist: Twist = {}) {
  const { options } = (await app.call('POST /api/auth/passkey/options')).body;
  return app.call('POST /api/auth/passkey', { body: { passkey: device.get(options, twist) } });
}

const subjects = async ({ email }: Pick<Person, 'email'>) =>
  (await emailsSentTo(app, email)).map(({ subject }) => subject);
const actions = async ({ id }: Pick<Person, 'id'>) =>
  (await recordOf(app, 'user', id)).map(({ action }) => action);

describe('adding a passkey', () => {
  test('returns recovery codes for the first one, sends an email and records it', async () => {
    const ann = await aPerson(app, { isProven: true });
    const first = await add(ann);
    expect([first.status, first.body.message]).toEqual([201, 'You can now sign in with My phone']);
    expect(first.body.recoveryCodes).toHaveLength(10);
    const second = await add(ann, aDevice(ORIGIN), {}, 'Laptop');
    expect(second.body.recoveryCodes).toBe(null);
    expect(await list(ann)).toEqual({
      passkeys: [
        {
          id: expect.any(Number),
          name: 'My phone',
          createdAt: app.clock.now(),
          lastUsedAt: null,
          worksAt: null,
        },
        {
          id: expect.any(Number),
          name: 'Laptop',
          createdAt: app.clock.now(),
          lastUsedAt: null,
          worksAt: null,
        },
      ],
      offeredAt: ORIGIN,
    });
    expect(await subjects(ann)).toEqual([
      'A passkey was added to your account',
      'A passkey was added to your account',
    ]);
    expect(await actions(ann)).toContain('passkey.add');
  });

  test('requires user verification and excludes existing passkeys', async () => {
    const { token, device, email } = await someoneWithPasskey({ firstName: 'Ann', lastName: 'Lee' });
    const options = await offer({ token });
    expect(options).toMatchObject({
      rp: { id: 'hours.maplegrove.example', name: 'Maple Grove Schools' },
      user: { name: email, displayName: 'Ann Lee' },
      excludeCredentials: [{ id: device.made[0]?.id, type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
  });

  test.each<[string, Twist]>([
    ['from another origin', { origin: 'https://hours.maplegrove.example.evil.example' }],
    ['for another relying party', { rpId: 'maplegrove.example' }],
    ['without unlocking the device', { isVerified: false }],
    ['of another type', { type: 'webauthn.get' }],
    ['to a challenge that this server did not issue', { challenge: 'bm90IG91cnM' }],
  ])('rejects a response %s', async (_, twist) => {
    const ann = await aPerson(app);
    const reply = await add(ann, aDevice(ORIGIN), twist);
    expect([reply.status, reply.body.error]).toEqual([
      400,
      "We couldn't add this passkey. Please try again.",
    ]);
    expect((await list(ann)).passkeys).toEqual([]);
  });

  test('rejects a response that was used before, is late or belongs to another user', async () => {
    const [ann, bob] = [await aPerson(app), await aPerson(app)];
    const device = aDevice(ORIGIN);
    const passkey = device.create(await offer(ann));
    const send = ({ token }: { token: string }) =>
      app.call(`POST ${PASSKEYS}`, { token, body: { name: 'My phone', passkey } });
    expect((await send(bob)).status).toBe(400);
    expect((await send(ann)).status).toBe(201);
    expect((await send(ann)).status).toBe(400);
    const late = device.create(await offer(bob));
    app.clock.advance(10 * MINUTE + 1);
    await app.call('POST /api/auth/fresh', { token: bob.token, body: { password: PASSWORD } });
    const reply = await app.call(`POST ${PASSKEYS}`, {
      token: bob.token,
      body: { name: 'My phone', passkey: late },
    });
    expect([reply.status, reply.body.error]).toEqual([400, 'That took too long. Please try again.']);
  });

  test.each(['', '  ', 'x'.repeat(61), null])('rejects the name %j', async (name) => {
    const ann = await aPerson(app);
    const passkey = aDevice(ORIGIN).create(await offer(ann));
    const reply = await app.call(`POST ${PASSKEYS}`, { token: ann.token, body: { name, passkey } });
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([400, ['name']]);
  });

  test('is not offered at addresses where browsers do not support passkeys', async () => {
    for (const url of ['http://hours.maplegrove.example', 'http://192.168.1.20:3000', 'https://[fd00::1]']) {
      const other = await startApp({ PUBLIC_URL: url });
      const ann = await aPerson(other);
      expect([url, (await list(ann, other)).offeredAt]).toEqual([url, null]);
      const reply = await other.call(`POST ${PASSKEYS}/options`, { token: ann.token });
      expect([reply.status, reply.body.error]).toEqual([
        409,
        'Passkeys work once this site has an https address. Ask your IT team.',
      ]);
      await other.close();
    }
  });
});

describe('signing in with a passkey', () => {
  test('requires no password', async () => {
    const { device, id, email } = await someoneWithPasskey();
    const { status, body } = await signIn(device);
    expect([status, body.user.email, body.message]).toEqual([200, email, 'Signed in']);
    expect((await app.call('GET /api/profile', { token: body.token })).status).toBe(200);
    const { sessions } = (await app.call('GET /api/profile/sessions', { token: body.token })).body;
    expect(sessions.find(({ current }: { current: boolean }) => current).signedInBy).toBe('passkey');
    const [passkey] = (await list(body)).passkeys;
    expect(passkey.lastUsedAt).toBe(app.clock.now());
    expect(await actions({ id })).toContain('session.passkey');
  });

  test('counts as re-authentication', async () => {
    const { device } = await someoneWithPasskey();
    const { token } = (await signIn(device)).body;
    const body = { email: `moved-by-passkey@maplegrove.example` };
    expect((await app.call('PUT /api/profile', { token, body })).status).toBe(200);
  });

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  test.each<[string, Twist]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without unlocking the device', { isVerified: false }],
    ['of another type', { type: 'webauthn.create' }],
    ['to a challenge that this server did not issue', { challenge: 'bm90IG91cnM' }],
    ['signed with another key', { key: privateKey }],
    ['that names another user', { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
    ['that names no user', { userHandle: undefined }],
  ])('rejects a response %s', async (_, twist) => {
    const { device, id } = await someoneWithPasskey();
    const reply = await signIn(device, twist);
    expect([reply.status, reply.body.error]).toEqual([
      401,
      "This passkey isn't linked to an account here. Sign in another way.",
    ]);
    expect(await actions({ id })).not.toContain('session.passkey');
    expect((await signIn(device)).status).toBe(200);
  });

  test('returns the same reply for an unknown passkey and a deactivated account', async () => {
    const { device, id } = await someoneWithPasskey();
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute();
    const deactivated = await signIn(device);
    const stranger = aDevice(ORIGIN);
    stranger.create({ rp: { id: 'hours.maplegrove.example' }, user: { id: 'eA' }, challenge: 'eA' });
    const unknown = await signIn(stranger);
    expect([deactivated.status, deactivated.body]).toEqual([unknown.status, unknown.body]);
    expect(unknown.status).toBe(401);
  });

  test('accepts each response once, even two at the same moment', async () => {
    const person = await aPerson(app);
    // Its count would tell.
    const { device } = await add(person, aDevice(ORIGIN, { counts: false }));
    const { options } = (await app.call('POST /api/auth/passkey/options')).body;
    const passkey = device.get(options);
    const send = () => app.call('POST /api/auth/passkey', { body: { passkey } });
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401]);
    expect((await send()).status).toBe(401);
  });

  test('must be completed within half an hour', async () => {
    const { device } = await someoneWithPasskey();
    const { options } = (await app.call('POST /api/auth/passkey/options')).body;
    const passkey = device.get(options);
    app.clock.advance(30 * MINUTE + 1);
    const reply = await app.call('POST /api/auth/passkey', { body: { passkey } });
    expect([reply.status, reply.body.error]).toEqual([401, 'That took too long. Please try again.']);
  });

  test('rejects a clone whose counter has not increased, and warns the owner', async () => {
    const { device, id, email } = await someoneWithPasskey();
    expect((await signIn(device, { counter: 7 })).status).toBe(200);
    const reply = await signIn(device, { counter: 7 });
    expect([reply.status, reply.body.error]).toEqual([
      401,
      'This passkey may have been copied, so it was rejected. Sign in another way, remove it in Settings, and add a new one.',
    ]);
    expect(await actions({ id })).toContain('passkey.cloned');
    expect((await subjects({ email })).at(-1)).toBe('A copy of your passkey was rejected');
    expect((await signIn(device, { counter: 0 })).status).toBe(401);
    expect((await signIn(device, { counter: 8 })).status).toBe(200);
  });

  test('does not report a forged response with a low counter as a clone', async () => {
    const { device, id } = await someoneWithPasskey();
    await signIn(device, { counter: 7 });
    expect((await signIn(device, { counter: 1, key: privateKey })).status).toBe(401);
    expect(await actions({ id })).not.toContain('passkey.cloned');
  });

  test('works with devices without a signature counter', async () => {
    const person = await aPerson(app);
    const { device } = await add(person, aDevice(ORIGIN, { counts: false }));
    expect([(await signIn(device)).status, (await signIn(device)).status]).toEqual([200, 200]);
  });

  test('works with each of several devices', async () => {
    const { device, token } = await someoneWithPasskey();
    const { device: other } = await add({ token }, aDevice(ORIGIN), {}, 'Laptop');
    expect([(await signIn(device)).status, (await signIn(other)).status]).toEqual([200, 200]);
  });

  test('is offered once any user has a passkey for this address', async () => {
    const other = await startApp({ PUBLIC_URL: ORIGIN });
    expect((await other.call('GET /api/config')).body.passkeysAt).toBe(undefined);
    await other.close();
    await someoneWithPasskey();
    expect((await app.call('GET /api/config')).body.passkeysAt).toBe(ORIGIN);
  });

  test.each(['', null, 'x', { id: 1 }, { id: 'x'.repeat(20_000) }])(
    'rejects the response %j',
    async (passkey) => {
      const { status } = await app.call('POST /api/auth/passkey', { body: { passkey } });
      expect(status).toBe(400);
    },
  );
});

describe('a passkey as the second factor', () => {
  const first = async (email: string) =>
    (await app.call('POST /api/auth/login', { body: { email, password: PASSWORD } })).body;
  const ask = (challenge: string) =>
    app.call('POST /api/auth/second-factor/passkey', { body: { challenge } });
  const second = (challenge: string, passkey: object) =>
    app.call('POST /api/auth/second-factor', { body: { challenge, passkey } });

  test('is requested after the password', async () => {
    const { email, device } = await someoneWithPasskey();
    const { next, challenge } = await first(email);
    expect(next).toBe('second-factor');
    const { options } = (await ask(challenge)).body;
    expect(options.allowCredentials).toEqual([expect.objectContaining({ id: device.made[0]?.id })]);
    const { status, body } = await second(challenge, device.get(options));
    expect([status, body.user.email]).toEqual([200, email]);
    expect((await second(challenge, device.get(options))).status).toBe(400);
  });

  test('must belong to the account and answer this sign-in', async () => {
    const [ann, bob] = [await someoneWithPasskey(), await someoneWithPasskey()];
    const { challenge } = await first(ann.email);
    const { options } = (await ask(challenge)).body;
    expect((await second(challenge, bob.device.get(options))).status).toBe(401);
    const { options: other } = (await app.call('POST /api/auth/passkey/options')).body;
    expect((await second(challenge, ann.device.get(other))).status).toBe(401);
    expect((await second(challenge, ann.device.get(options))).status).toBe(200);
  });

  test('can be replaced by a recovery code', async () => {
    const ann = await aPerson(app, { isProven: true });
    const { recoveryCodes } = (await add(ann)).body;
    const { challenge } = await first(ann.email);
    const body = { challenge, code: recoveryCodes[0] };
    expect((await app.call('POST /api/auth/second-factor', { body })).status).toBe(200);
  });

  test('is required unless a code is sent', async () => {
    const { email } = await someoneWithPasskey();
    const { challenge } = await first(email);
    expect((await app.call('POST /api/auth/second-factor', { body: { challenge } })).status).toBe(400);
  });
});

describe('a passkey for re-authentication', () => {
  const ask = (token: string) => app.call('POST /api/auth/fresh/passkey', { token });
  const prove = (token: string, passkey: object) =>
    app.call('POST /api/auth/fresh', { token, body: { passkey } });
  const isFresh = async (token: string) =>
    (await app.call(`POST ${PASSKEYS}/options`, { token })).status === 200;

  test('is accepted only from its own account', async () => {
    const [ann, bob] = [await someoneWithPasskey(), await someoneWithPasskey()];
    app.clock.advance(11 * MINUTE);
    expect((await app.call('GET /api/auth/fresh', { token: ann.token })).body.passkey).toBe(true);
    const { options } = (await ask(ann.token)).body;
    const strange = await prove(ann.token, bob.device.get(options));
    expect([strange.status, await isFresh(ann.token)]).toEqual([400, false]);
    const { options: ofBob } = (await ask(bob.token)).body;
    expect((await prove(ann.token, ann.device.get(ofBob))).status).toBe(400);
    expect((await prove(ann.token, ann.device.get(options, { isVerified: false }))).status).toBe(400);
    expect((await prove(ann.token, ann.device.get(options))).status).toBe(200);
    expect(await isFresh(ann.token)).toBe(true);
    expect(await isFresh(bob.token)).toBe(false);
  });

  test('cannot be requested by a user without one', async () => {
    const ann = await aPerson(app);
    expect((await ask(ann.token)).status).toBe(409);
  });
});

describe('removing and renaming passkeys', () => {
  const remove = (token: string, id: number) => app.call(`DELETE ${PASSKEYS}/${id}`, { token });
  const rename = (token: string, id: number, name: string) =>
    app.call(`PUT ${PASSKEYS}/${id}`, { token, body: { name } });

  test('sends an email about the removal, after which the passkey cannot sign in', async () => {
    const { token, device, passkey, email, id } = await someoneWithPasskey();
    expect((await rename(token, passkey.id, 'Old phone')).body.passkey.name).toBe('Old phone');
    const reply = await remove(token, passkey.id);
    expect([reply.status, reply.body.message]).toEqual([200, 'You can no longer sign in with Old phone']);
    expect((await signIn(device)).status).toBe(401);
    expect((await subjects({ email })).at(-1)).toBe('A passkey was removed from your account');
    expect(await actions({ id })).toContain('passkey.remove');
    const login = await app.call('POST /api/auth/login', { body: { email, password: PASSWORD } });
    expect(login.body.token).toBeDefined();
  });

  test('is limited to one’s own passkeys', async () => {
    const [ann, bob] = [await someoneWithPasskey(), await someoneWithPasskey()];
    expect((await remove(bob.token, ann.passkey.id)).status).toBe(404);
    expect((await rename(bob.token, ann.passkey.id, 'x')).status).toBe(404);
    expect((await list(ann)).passkeys).toMatchObject([{ name: 'My phone' }]);
  });

  test('cannot remove the last way to sign in, even with two requests at once', async () => {
    const { token, passkey, id } = await someoneWithPasskey();
    await app.deps.database.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', id)
      .execute();
    expect(await remove(token, passkey.id)).toMatchObject({ status: 409 });
    const { body } = await add({ token }, aDevice(ORIGIN), {}, 'Laptop');
    const replies = await Promise.all([remove(token, passkey.id), remove(token, body.passkey.id)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await list({ token })).passkeys).toHaveLength(1);
  });

  test('cannot leave only a passkey for another address, which cannot sign in', async () => {
    const { token, passkey, id, device } = await someoneWithPasskey();
    const { db } = app.deps.database;
    await db.updateTable('passkeys').set({ rp_id: 'old.example' }).where('id', '=', passkey.id).execute();
    expect((await list({ token })).passkeys).toMatchObject([{ worksAt: 'old.example' }]);
    expect((await signIn(device, { rpId: 'old.example' })).status).toBe(401);
    await add({ token }, aDevice(ORIGIN), {}, 'Laptop');
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute();
    const laptop = (await list({ token })).passkeys[1];
    expect((await remove(token, laptop.id)).status).toBe(409);
    expect((await remove(token, passkey.id)).status).toBe(200);
  });

  test('cannot remove the last second factor of an administrator who must have one', async () => {
    const ada = await anAdministrator(app);
    const { body } = await add(ada);
    const demand = { secondFactor: 'administrators', secondFactorGraceDays: 0, since: app.clock.now() };
    await app.deps.database.db
      .insertInto('district_settings')
      .values({ name: 'secondProof', value: JSON.stringify(demand) } as never)
      .execute();
    expect((await remove(ada.token, body.passkey.id)).status).toBe(409);
    await app.deps.database.db.deleteFrom('district_settings').where('name', '=', 'secondProof').execute();
  });
});
