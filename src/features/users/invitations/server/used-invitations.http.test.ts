import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anAddress, anAdministrator, aPerson, aPersonWithRole, aSchool, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});
beforeEach(async () => {
  school = await aSchool(app);
});

const by = (token: string) => (call: string, body?: object) =>
  app.call(call, { token, ...(body === undefined ? {} : { body }) });

/** An open invitation that somebody sent. */
async function anInvitation(sender: { token: string }, given: object = {}) {
  const email = anAddress();
  const { body } = await by(sender.token)('POST /api/admin/invites', {
    email,
    schoolIds: [school.id],
    ...given,
  });
  const code = new URL(body.link).searchParams.get('invite') as string;
  return { email, code, id: body.invite.id as number };
}

const use = ({ email, code }: { email: string; code: string }) =>
  app.call('POST /api/auth/register', {
    body: {
      email,
      firstName: 'Ida',
      lastName: 'Invited',
      password: PASSWORD,
      schoolIds: [school.id],
      inviteCode: code,
    },
  });

describe('an invitation', () => {
  const role = { role: 'admin' };
  const grant = () => ({ grants: [{ role: 'school-admin', schoolId: school.id }] });

  // Each way to lose rights that a person has, with what is sent for it.
  const LOSSES: Readonly<
    Record<string, (id: number) => Promise<{ status: number; body: { message: string } }>>
  > = {
    'is demoted': (id) =>
      by(ada.token)(`PUT /api/admin/users/${id}`, { role: 'user', grants: [], schoolIds: [school.id] }),
    'is deactivated': (id) => by(ada.token)(`PUT /api/admin/users/${id}`, { isActive: false }),
    'is deactivated in bulk': (id) =>
      by(ada.token)('POST /api/admin/users/many', { userIds: [id], count: 1, deed: 'deactivate' }),
    'is erased': (id) => by(ada.token)(`POST /api/admin/users/${id}/erase`),
  };

  test.each(Object.entries(LOSSES))(
    'is revoked with a message and an audit event when its sender %s',
    async (_, lose) => {
      const former = await anAdministrator(app);
      const head = await aPersonWithRole(app, 'school-admin', school);
      const invitations = [
        await anInvitation(former, role),
        await anInvitation(former, grant()),
        await anInvitation(former),
        await anInvitation(head, grant()),
      ];
      for (const sender of [former, head]) {
        const { status, body } = await lose(sender.id);
        expect([status, body.message]).toEqual([200, expect.stringMatching(/invitation/)]);
      }
      for (const invitation of invitations) {
        const { status, body } = await use(invitation);
        expect([status, body.error]).toEqual([400, expect.stringContaining('invitation')]);
        const deeds = await recordOf(app, 'invite', invitation.id);
        expect(deeds.map(({ action }) => action)).toContain('invite.revoke');
      }
    },
  );

  test('is rejected while its sender may not grant what it offers', async () => {
    const former = await anAdministrator(app);
    const invitation = await anInvitation(former, role);
    const { db } = app.deps.database;
    await db.updateTable('users').set({ role: 'user' }).where('id', '=', former.id).execute();
    expect((await use(invitation)).status).toBe(400);
    expect((await app.call(`GET /api/auth/invites/${invitation.code}`)).status).toBe(400);
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', former.id).execute();
    const { status, body } = await use(invitation);
    expect([status, body.user.role]).toEqual([201, 'admin']);
  });

  test('to several schools works only for the invited address, and only for one account', async () => {
    const other = await aSchool(app);
    const home = await aSchool(app);
    const { email, code: inviteCode } = await anInvitation(ada, { schoolIds: [school.id, other.id] });
    const friend = await aPerson(app, { schools: [home] });
    const join = ({ token }: { token: string }, schools: { id: number }[], more: object = {}) =>
      by(token)('PUT /api/profile', { schoolIds: schools.map(({ id }) => id), inviteCode, ...more });
    expect((await join(friend, [home, school], { email })).body.error).toContain('different email address');
    const guest = await aPerson(app, { schools: [home], email });
    expect((await join(guest, [home, school])).status).toBe(200);
    await by(guest.token)('PUT /api/profile', { email: anAddress() });
    await by(friend.token)('PUT /api/profile', { email });
    expect((await join(friend, [home, other])).body.error).toContain('invitation');
  });

  test('stays valid while its sender may still grant what it offers', async () => {
    const head = await aPersonWithRole(app, 'school-admin', school);
    const invitation = await anInvitation(head);
    await by(ada.token)(`PUT /api/admin/users/${head.id}`, { firstName: 'Renamed' });
    expect((await use(invitation)).status).toBe(201);
  });
});

describe('invitations', () => {
  test('to one address are limited per hour, including resent ones', async () => {
    const head = await aPersonWithRole(app, 'school-admin', school);
    const other = await aPersonWithRole(app, 'school-admin', school);
    const { email, id } = await anInvitation(head);
    const statuses = [];
    for (const sender of [head, other, head, other, head]) {
      const sent = await by(sender.token)('POST /api/admin/invites', { email, schoolIds: [school.id] });
      statuses.push(sent.status);
    }
    statuses.push((await by(head.token)(`POST /api/admin/invites/${id}/resend`)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
  });

  test('by one sender are limited per hour across all recipients', async () => {
    const head = await aPersonWithRole(app, 'school-admin', school);
    const invite = (sender: { token: string }) =>
      by(sender.token)('POST /api/admin/invites', { email: anAddress(), schoolIds: [school.id] });
    expect((await invite(head)).status).toBe(201);
    const sent = app.deps.database.db.updateTable('rate_limits').set({ failures: 199 });
    await sent.where('key', '=', `invites-by:${head.id}`).execute();
    expect([(await invite(head)).status, (await invite(head)).status]).toEqual([201, 429]);
    expect((await invite(await aPersonWithRole(app, 'school-admin', school))).status).toBe(201);
  });
});
