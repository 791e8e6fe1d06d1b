import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Trx, transaction } from '#server/db/database.ts';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { startSession } from '../../sessions/server/actions.ts';

const MINUTE = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.clock.advance(120 * MINUTE));

let moved = 0;
const move = (token: string) =>
  app.call('PUT /api/profile', { token, body: { email: `moved${++moved}@maplegrove.example` } });
const prove = (token: string, password: unknown = PASSWORD) =>
  app.call('POST /api/auth/fresh', { token, body: { password } });

async function aSession(person: { id: number }, by: 'password' | 'link'): Promise<string> {
  const request = { at: app.clock.now(), address: '10.0.0.2', requestId: 'test', agent: 'test' };
  return transaction(app.deps.database, (trx) => startSession(trx, person.id, request, { by }));
}

describe('re-authentication', () => {
  test('is satisfied by a sign-in for exactly ten minutes, then requires the password', async () => {
    const ann = await aPerson(app);
    app.clock.advance(10 * MINUTE);
    expect((await move(ann.token)).status).toBe(200);
    app.clock.advance(1);
    const late = await move(ann.token);
    expect([late.status, late.body]).toEqual([
      403,
      {
        error:
          "Confirm it's you: sign in again, or send your password to POST /api/auth/fresh, then repeat the request",
        fresh: true,
      },
    ]);
    expect(await prove(ann.token)).toMatchObject({ status: 200, body: { message: 'Confirmed' } });
    expect((await move(ann.token)).status).toBe(200);
    expect((await recordOf(app, 'user', ann.id)).map(({ action }) => action)).toContain('session.prove');
  });

  test('applies only to its own session', async () => {
    const ann = await aPerson(app);
    const phone = await aSession(ann, 'password');
    app.clock.advance(11 * MINUTE);
    await prove(ann.token);
    expect((await move(phone)).status).toBe(403);
  });

  test('is not satisfied by an emailed link alone', async () => {
    const ann = await aPerson(app);
    const token = await aSession(ann, 'link');
    expect(await move(token)).toMatchObject({ status: 403, body: { fresh: true } });
    await prove(token);
    expect((await move(token)).status).toBe(200);
  });

  test('is satisfied by registering and by changing the password with the current one', async () => {
    const school = await aSchool(app);
    const { body } = await app.call('POST /api/auth/register', {
      body: {
        email: 'nia@maplegrove.example',
        password: PASSWORD,
        firstName: 'Nia',
        lastName: 'New',
        schoolIds: [school.id],
      },
    });
    expect((await move(body.token)).status).toBe(200);
    app.clock.advance(11 * MINUTE);
    expect((await move(body.token)).status).toBe(403);
    await app.call('PUT /api/auth/change-password', {
      token: body.token,
      body: { currentPassword: PASSWORD, newPassword: 'sunny-meadow-19' },
    });
    expect((await move(body.token)).status).toBe(200);
  });

  test('is required if another window changes the email before the form is submitted', async () => {
    const ann = await aPerson(app);
    app.clock.advance(11 * MINUTE);
    const email = `elsewhere${ann.id}@maplegrove.example`;
    const moveFirst = (trx: Trx) =>
      trx.updateTable('users').set({ email, email_key: email }).where('id', '=', ann.id).execute();
    const body = { firstName: 'Anna', email: ann.email };
    const reply = await sendDuring(app, moveFirst, () =>
      app.call('PUT /api/profile', { token: ann.token, body }),
    );
    expect([reply.status, reply.body.fresh]).toEqual([403, true]);
  });

  test('is not required if the submitted email is unchanged', async () => {
    const ann = await aPerson(app);
    app.clock.advance(11 * MINUTE);
    const body = { firstName: 'Anna', email: ann.email.toUpperCase() };
    expect((await app.call('PUT /api/profile', { token: ann.token, body })).status).toBe(200);
  });

  test.each([
    ['wrong', 'That password is not correct'],
    ['', 'Current password is required'],
    [null, 'Current password is required'],
  ])('rejects the password %j', async (password, error) => {
    const ann = await aPerson(app);
    app.clock.advance(11 * MINUTE);
    expect(await prove(ann.token, password)).toMatchObject({
      status: 400,
      body: { error, fields: { password: error } },
    });
    expect((await move(ann.token)).status).toBe(403);
  });

  test('pauses after five wrong passwords, including those on the password form', async () => {
    const ann = await aPerson(app);
    for (let i = 0; i < 3; i++) expect((await prove(ann.token, 'wrong')).status).toBe(400);
    const form = { currentPassword: 'wrong', newPassword: 'sunny-meadow-19' };
    for (let i = 0; i < 2; i++) {
      await app.call('PUT /api/auth/change-password', { token: ann.token, body: form });
    }
    expect(await prove(ann.token)).toMatchObject({ status: 429 });
    expect(
      (await recordOf(app, 'user', ann.id)).filter(({ action }) => action === 'password.fail'),
    ).toHaveLength(5);
    app.clock.advance(61_000);
    expect((await prove(ann.token)).status).toBe(200);
  });

  test('offers a password only to accounts that have one', async () => {
    const ann = await aPerson(app);
    const ways = async () => (await app.call('GET /api/auth/fresh', { token: ann.token })).body;
    expect(await ways()).toEqual({ password: true, passkey: false, providers: [] });
    await app.deps.database.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', ann.id)
      .execute();
    expect(await ways()).toEqual({ password: false, passkey: false, providers: [] });
    expect((await prove(ann.token)).status).toBe(400);
  });

  test('is not recorded as denied access if missing', async () => {
    const ada = await anAdministrator(app);
    const ann = await aPerson(app);
    app.clock.advance(11 * MINUTE);
    const reply = await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: ada.token });
    expect(reply.body.fresh).toBe(true);
    const actions = (await recordOf(app, 'user', ada.id)).map(({ action }) => action);
    expect(actions).not.toContain('access.refuse');
  });
});
