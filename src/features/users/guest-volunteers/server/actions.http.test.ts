import { describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { anActivity, anAddress, anAdministrator, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { emailsSentTo, fileNames, sendMail } from '#test/sent-emails.ts';
import type { AdminUser } from '../../admin-contract.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const { db } = app.deps.database;

/** A walk-in of a school, with hours. */
async function aWalkIn(given: { email?: string } = {}) {
  const school = await aSchool(app, {});
  const activity = await anActivity(app, { school });
  const { body } = await send('POST /api/admin/time-entries/roster', {
    activityId: activity.id,
    entries: [{ walkIn: { firstName: 'Zoë', lastName: 'Hall', ...given }, hours: 1 }],
  });
  return { id: body.timeEntries[0].user.id as number, school };
}

const send = (call: string, body?: object, token = ada.token) =>
  app.call(call, { token, ...(body === undefined ? {} : { body }) });
const row = (id: number) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const shown = async (id: number) =>
  (await send('GET /api/admin/users?search=hall')).body.users.find((user: { id: number }) => user.id === id);

describe('a guest volunteer', () => {
  test('cannot sign in, even with the address on the sign-in sheet', async () => {
    const email = 'zoe@maplegrove.example';
    const { id } = await aWalkIn({ email });
    const before = fileNames(app).length;
    for (const address of [email, (await row(id)).email]) {
      const reset = await app.call('POST /api/auth/forgot-password', { body: { email: address } });
      const link = await app.call('POST /api/auth/sign-in-link', { body: { email: address } });
      const login = await app.call('POST /api/auth/login', { body: { email: address, password: PASSWORD } });
      expect([reset.status, link.status < 500, login.status]).toEqual([200, true, 401]);
    }
    await sendMail(app);
    expect(fileNames(app)).toHaveLength(before);
    for (const table of ['password_links', 'sign_in_links'] as const) {
      expect(await db.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).toEqual([]);
    }
  });

  test('is listed and found by the address on the sign-in sheet, never by the generated one', async () => {
    const { id } = await aWalkIn({ email: 'hall.family@maplegrove.example' });
    expect(await shown(id)).toMatchObject({ isWalkIn: true, email: 'hall.family@maplegrove.example' });
    const found = await send('GET /api/admin/users?search=hall.family');
    expect(found.body.users.map((user: { id: number }) => user.id)).toEqual([id]);
    const whole = await send('GET /api/admin/users');
    expect(JSON.stringify(whole.body)).not.toContain('walk-in.invalid');
    expect((await send('GET /api/admin/users?search=invalid')).body.users).toEqual([]);
  });

  test('may share an address with an account and with other guest volunteers', async () => {
    const parent = await aPerson(app, { email: 'shared@maplegrove.example' });
    const [one, other] = [await aWalkIn({ email: parent.email }), await aWalkIn({ email: parent.email })];
    expect((await row(one.id)).contact_email).toBe(parent.email);
    expect((await row(other.id)).contact_email).toBe(parent.email);
  });

  test('can be renamed and given an address, but no password, role or grant', async () => {
    const { id, school } = await aWalkIn();
    const changed = await send(`PUT /api/admin/users/${id}`, {
      firstName: 'Zoe',
      email: 'z@maplegrove.example',
    });
    expect([changed.status, changed.body.user]).toMatchObject([
      200,
      { firstName: 'Zoe', email: 'z@maplegrove.example', isWalkIn: true },
    ]);
    expect((await row(id)).email).toMatch(/@walk-in\.invalid$/);
    const grants = [{ role: 'coordinator', schoolId: school.id }];
    for (const opening of [{ password: PASSWORD }, { role: 'admin' }, { grants }]) {
      expect((await send(`PUT /api/admin/users/${id}`, opening)).status).toBe(409);
    }
  });

  test('gets no email at the generated address', async () => {
    const { id } = await aWalkIn();
    const { email } = await row(id);
    const at = app.clock.now();
    const to = { name: 'Zoë', address: email };
    const letter = { to, language: 'en', subject: 'Hello', paragraphs: [], footnotes: [] };
    await transaction(app.deps.database, (trx) =>
      queueEmail(trx, app.deps, {
        kind: 'password-changed',
        userId: id,
        letter,
        at,
      }),
    );
    expect(await emailsSentTo(app, email)).toEqual([]);
  });

  test('loses the address on the sheet when erased, but an invitation to that address stays', async () => {
    const email = 'mother@maplegrove.example';
    const { id, school } = await aWalkIn({ email });
    expect((await send('POST /api/admin/invites', { email, schoolIds: [school.id] })).status).toBe(201);
    const invites = () => db.selectFrom('invites').select('id').where('email', '=', email).execute();
    expect(await invites()).toHaveLength(1);
    expect((await send(`POST /api/admin/users/${id}/erase`, {})).status).toBe(200);
    expect(await row(id)).toMatchObject({ contact_email: null, is_walk_in: 0, first_name: 'Former' });
    expect((await row(id)).search_key).not.toContain('mother');
    expect(await invites()).toHaveLength(1);
  });
});

describe('inviting a guest volunteer', () => {
  test('gives them an account with their hours, and emails a link to choose a password', async () => {
    const { id } = await aWalkIn({ email: 'invited@maplegrove.example' });
    const { status, body } = await send(`POST /api/admin/users/${id}/invite`, {});
    expect([status, body.user]).toMatchObject([
      200,
      { isWalkIn: false, email: 'invited@maplegrove.example' },
    ]);
    expect(await emailsSentTo(app, 'invited@maplegrove.example')).toHaveLength(1);
    const token = new URL(body.link).searchParams.get('token');
    const newPassword = 'quiet-river-9';
    await app.call('POST /api/auth/reset-password', { body: { token, newPassword } });
    const login = { email: 'invited@maplegrove.example', password: newPassword };
    const signedIn = await app.call('POST /api/auth/login', { body: login });
    expect([signedIn.status, signedIn.body.user.id]).toEqual([200, id]);
    const own = await app.call('GET /api/time-entries', { token: signedIn.body.token });
    expect(own.body.timeEntries).toHaveLength(1);
    expect((await send(`POST /api/admin/users/${id}/invite`, {})).status).toBe(409);
  });

  test('requires an unused address', async () => {
    const { id } = await aWalkIn();
    const invite = (body: object) => send(`POST /api/admin/users/${id}/invite`, body);
    expect((await invite({})).body.fields).toHaveProperty('email');
    const taken = await aPerson(app);
    expect((await invite({ email: taken.email })).status).toBe(409);
    expect((await row(id)).is_walk_in).toBe(1);
  });
});

describe('a new password link from an administrator', () => {
  const make = async () => {
    const schoolIds = [(await aSchool(app, {})).id];
    const body = { firstName: 'Zoe', lastName: 'Unal', email: anAddress(), schoolIds };
    return (await send('POST /api/admin/users', body)).body as { user: AdminUser; link: string };
  };
  const linked = (id: number, body: object = {}) => send(`POST /api/admin/users/${id}/invite`, body);
  const tokenOf = (link: string) => new URL(link).searchParams.get('token');
  const opensWith = (link: string) =>
    app.call('POST /api/auth/reset-password', {
      body: { token: tokenOf(link), newPassword: 'quiet-river-9' },
    });

  test('replaces the previous link, and is unavailable once a password is set', async () => {
    const { user, link } = await make();
    expect(user.needsLink).toBe(true);
    const { status, body } = await linked(user.id);
    expect([status, body.message]).toEqual([
      200,
      'The new link is ready. The previous link no longer works.',
    ]);
    expect((await opensWith(link)).status).toBe(400);
    expect((await opensWith(body.link)).status).toBe(200);
    expect((await linked(user.id)).status).toBe(409);
    const again = await send(`GET /api/admin/users?search=${user.email}`);
    expect(again.body.users[0]).not.toHaveProperty('needsLink');
    const deeds = await db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', '=', user.id)
      .where('action', '=', 'account.link')
      .execute();
    expect(deeds).toHaveLength(1);
  });

  test('is unavailable if the account is inactive, self-registered or in use, or for another address', async () => {
    const { user } = await make();
    expect((await linked(user.id, { email: anAddress() })).status).toBe(409);
    const change = (to: object) => db.updateTable('users').set(to).where('id', '=', user.id).execute();
    await change({ is_active: 0 });
    expect((await linked(user.id)).status).toBe(409);
    await change({ is_active: 1, vouched_at: null });
    expect((await linked(user.id)).status).toBe(409);
    await change({ vouched_at: app.clock.now(), last_login_at: app.clock.now() });
    expect((await linked(user.id)).status).toBe(409);
    await change({ last_login_at: null });
    expect((await linked(user.id)).status).toBe(200);
  });

  test('can be sent five times an hour', async () => {
    const { user } = await make();
    const statuses = [];
    for (let at = 0; at < 6; at += 1) statuses.push((await linked(user.id)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
