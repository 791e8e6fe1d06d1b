import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockSettings } from '#features/schools/district-settings/server/settings.ts';
import { lockUser } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import { recordOf } from '#test/audit-log.ts';
import { anAuthenticator, codeOf } from '#test/authenticator.ts';
import { anAdministrator, aPerson, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { ENGINE, startApp, type TestApp } from '#test/harness.ts';
import { aDevice } from '#test/passkey-device.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { endSessionsOf } from '../../sessions/server/store.ts';
import { removeTwoFactor } from './removal.ts';
import { saveTwoFactorRequirement } from './requirement.ts';

const ORIGIN = 'https://hours.maplegrove.example';
const PASSKEYS = '/api/profile/second-factor/passkeys';
const TOTP = '/api/profile/second-factor/totp';
const SETTINGS = '/api/admin/settings';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: ORIGIN });
});
beforeEach(() => app.clock.advance(3_600_000));

type Person = { id: number; token: string; email: string };

const again = async (person: { email: string }) =>
  (await app.call('POST /api/auth/login', { body: { email: person.email, password: PASSWORD } })).body;

async function made(person: { token: string }, device = aDevice(ORIGIN)) {
  const { options } = (await app.call(`POST ${PASSKEYS}/options`, { token: person.token })).body;
  return device.create(options);
}

async function withPasskey<Somebody extends Person>(person: Somebody) {
  const device = aDevice(ORIGIN);
  const body = { name: 'My phone', passkey: await made(person, device) };
  const added = await app.call(`POST ${PASSKEYS}`, { token: person.token, body });
  expect(added.status).toBe(201);
  return { ...person, device, passkeyId: added.body.passkey.id as number };
}

const removed = (person: Person & { passkeyId: number }) => async (trx: Trx) => {
  await lockUser(trx, person.id);
  await trx.deleteFrom('passkeys').where('id', '=', person.passkeyId).execute();
};

/** Confirms an offered authenticator during a change. Returns the status, and whether the password alone still signs in. */
async function confirmDuring(person: Person, change: (trx: Trx) => Promise<unknown>) {
  const { secret } = (await app.call(`POST ${TOTP}`, { token: person.token })).body;
  const body = { code: codeOf(secret, app.clock.now()) };
  const reply = await sendDuring(app, change, () =>
    app.call(`POST ${TOTP}/confirm`, { token: person.token, body }),
  );
  return [reply.status, 'token' in (await again(person))];
}

const subjects = async ({ email }: Person) => (await emailsSentTo(app, email)).map(({ subject }) => subject);
const actions = async ({ id }: Person) => (await recordOf(app, 'user', id)).map(({ action }) => action);

describe('while another window removes the passkey', () => {
  test('the authenticator cannot be removed if the district requires a second factor', async () => {
    const head = await anAdministrator(app);
    const person = await withPasskey(head);
    await anAuthenticator(app, head);
    const demand = { secondFactor: 'administrators', secondFactorGraceDays: 0 };
    const set = (body: object) => app.call(`PUT ${SETTINGS}`, { token: head.token, body });
    expect((await set(demand)).status).toBe(200);
    const reply = await sendDuring(app, removed(person), () =>
      app.call(`DELETE ${TOTP}`, { token: head.token }),
    );
    expect([reply.status, (await set({ secondFactor: 'optional' })).status]).toEqual([409, 200]);
  });

  test('a sign-in with the passkey is rejected, but not reported as a clone', async () => {
    const person = await withPasskey(await aPerson(app, { isProven: true }));
    const { options } = (await app.call('POST /api/auth/passkey/options')).body;
    const passkey = person.device.get(options);
    const reply = await sendDuring(app, removed(person), () =>
      app.call('POST /api/auth/passkey', { body: { passkey } }),
    );
    expect([reply.status, reply.body.error]).toEqual([
      401,
      "This passkey isn't linked to an account here. Sign in another way.",
    ]);
    expect(await actions(person)).not.toContain('passkey.cloned');
    expect(await subjects(person)).not.toContain('A copy of your passkey was rejected');
  });
});

describe('while an administrator resets two-factor authentication of a compromised account', () => {
  const reset = (person: Person) => async (trx: Trx) => {
    await lockUser(trx, person.id);
    await removeTwoFactor(trx, person.id);
    await endSessionsOf(trx, person.id);
  };

  test('the stranger’s passkey is not added', async () => {
    const person = await aPerson(app);
    const body = { name: 'Theirs', passkey: await made(person) };
    const reply = await sendDuring(app, reset(person), () =>
      app.call(`POST ${PASSKEYS}`, { token: person.token, body }),
    );
    expect([reply.status, 'token' in (await again(person))]).toEqual([401, true]);
  });

  test('the stranger’s authenticator is not added', async () => {
    const person = await aPerson(app);
    // SQLite reads the offer only after the reset, which deletes it.
    const status = ENGINE === 'sqlite' ? 409 : 401;
    expect(await confirmDuring(person, reset(person))).toEqual([status, true]);
  });
});

test('an authenticator is not added if its session ends at the same time', async () => {
  const person = await aPerson(app);
  const ended = async (trx: Trx) => {
    await lockUser(trx, person.id);
    await endSessionsOf(trx, person.id);
  };
  expect(await confirmDuring(person, ended)).toEqual([401, true]);
});

test('a sign-in starts over if another window removed the last second factor', async () => {
  const person = await withPasskey(await aPerson(app));
  const { challenge } = await again(person);
  await app.call(`DELETE ${PASSKEYS}/${person.passkeyId}`, { token: person.token });
  const body = { challenge, code: '123456' };
  expect((await app.call('POST /api/auth/second-factor', { body })).status).toBe(400);
});

test('two administrators can change different parts of the requirement at once', async () => {
  const head = await anAdministrator(app);
  const actor = { userId: head.id, at: app.clock.now(), address: null, requestId: null };
  const turnOn = async (trx: Trx) => {
    await lockSettings(trx);
    await saveTwoFactorRequirement(trx, actor, { secondFactor: 'administrators' });
  };
  const set = (body: object) => app.call(`PUT ${SETTINGS}`, { token: head.token, body });
  await set({ secondFactorGraceDays: 14 });
  const reply = await sendDuring(app, turnOn, () => set({ secondFactorGraceDays: 30 }));
  expect(reply.body.settings).toMatchObject({ secondFactor: 'administrators', secondFactorGraceDays: 30 });
  expect((await set({ secondFactor: 'optional' })).status).toBe(200);
});
