import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { anAdministrator, aPerson, aPersonWithRole, aSchool, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { startSession } from './actions.ts';

const HOUR = 3_600_000;

type Person = Awaited<ReturnType<typeof anAdministrator>>;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.clock.advance(2 * HOUR));

const set = (person: Person, values: { is_active?: 0; role?: 'user' }) =>
  app.deps.database.db.updateTable('users').set(values).where('id', '=', person.id).execute();

/** What ends a session, or an administrator's rights, and what the next request gets. */
const EVENTS: readonly {
  event: string;
  happen: (person: Person) => Promise<unknown>;
  /** Of the session that did it, or that it happened to. */
  here: { profile: number; admin: number };
  /** Of another session of the same person. */
  elsewhere: { profile: number; admin: number };
}[] = [
  {
    event: 'nothing',
    happen: async () => undefined,
    here: { profile: 200, admin: 200 },
    elsewhere: { profile: 200, admin: 200 },
  },
  {
    event: 'logout',
    happen: ({ token }) => app.call('POST /api/auth/logout', { token }),
    here: { profile: 401, admin: 401 },
    elsewhere: { profile: 200, admin: 200 },
  },
  {
    event: 'a password change',
    happen: ({ token }) =>
      app.call('PUT /api/auth/change-password', {
        token,
        body: { currentPassword: PASSWORD, newPassword: 'brand-new-91' },
      }),
    here: { profile: 200, admin: 200 },
    elsewhere: { profile: 401, admin: 401 },
  },
  {
    event: 'a password reset',
    happen: async ({ email }) => {
      await app.call('POST /api/auth/forgot-password', { body: { email } });
      const token = linkIn((await emailsSentTo(app, email)).at(-1), 'token');
      await app.call('POST /api/auth/reset-password', { body: { token, newPassword: 'brand-new-91' } });
    },
    here: { profile: 401, admin: 401 },
    elsewhere: { profile: 401, admin: 401 },
  },
  {
    event: 'signing out everywhere else',
    happen: ({ token }) => app.call('POST /api/auth/sign-out-others', { token }),
    here: { profile: 200, admin: 200 },
    elsewhere: { profile: 401, admin: 401 },
  },
  {
    event: 'deactivation',
    happen: (person) => set(person, { is_active: 0 }),
    here: { profile: 401, admin: 401 },
    elsewhere: { profile: 401, admin: 401 },
  },
  {
    event: 'deletion',
    happen: ({ id }) => app.deps.database.db.deleteFrom('users').where('id', '=', id).execute(),
    here: { profile: 401, admin: 401 },
    elsewhere: { profile: 401, admin: 401 },
  },
  {
    event: 'erasure',
    happen: async ({ id }) => {
      const { token } = await anAdministrator(app);
      return app.call(`POST /api/admin/users/${id}/erase`, { token });
    },
    here: { profile: 401, admin: 401 },
    elsewhere: { profile: 401, admin: 401 },
  },
  {
    event: 'demotion',
    happen: (person) => set(person, { role: 'user' }),
    here: { profile: 200, admin: 403 },
    elsewhere: { profile: 200, admin: 403 },
  },
  {
    event: 'an idle hour',
    happen: async () => app.clock.advance(HOUR + 1),
    here: { profile: 401, admin: 401 },
    elsewhere: { profile: 401, admin: 401 },
  },
];

describe.each(EVENTS)('after $event', ({ happen, here, elsewhere }) => {
  async function statusesOf(token: string) {
    return {
      profile: (await app.call('GET /api/profile', { token })).status,
      admin: (await app.call('GET /api/admin/schools', { token })).status,
    };
  }

  test('each session has the expected permissions at its next request', async () => {
    const person = await anAdministrator(app);
    const request = { at: app.clock.now(), address: '10.0.0.2', requestId: 'test', agent: 'test' };
    const other = await transaction(app.deps.database, (trx) => startSession(trx, person.id, request));
    await happen(person);
    expect({ here: await statusesOf(person.token), elsewhere: await statusesOf(other) }).toEqual({
      here,
      elsewhere,
    });
  });
});

describe.each([
  ['it is revoked', 200, 403, (id: number) => grants().where('user_id', '=', id).execute()],
  ['its school is deleted', 200, 403, (_: number, schoolId: number) => deleteSchool(schoolId)],
  [
    'the account is deactivated',
    401,
    401,
    (id: number) =>
      app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute(),
  ],
  ['the session was idle for an hour', 401, 401, async () => app.clock.advance(HOUR + 1)],
] as const)('a role at a school once %s', (_event, profile, admin, happen) => {
  test('has no effect on the next request', async () => {
    const school = await aSchool(app);
    const head = await aPersonWithRole(app, 'school-admin', school);
    const statuses = async () => [
      (await app.call('GET /api/profile', { token: head.token })).status,
      (await app.call('GET /api/admin/schools', { token: head.token })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await happen(head.id, school.id);
    expect(await statuses()).toEqual([profile, admin]);
  });
});

const grants = () => app.deps.database.db.deleteFrom('user_grants');
const deleteSchool = (id: number) =>
  app.deps.database.db.deleteFrom('schools').where('id', '=', id).execute();

test('an ended session gets the same response as a missing one', async () => {
  const ann = await aPerson(app);
  await app.call('POST /api/auth/logout', { token: ann.token });
  for (const token of [ann.token, 'x'.repeat(43), undefined]) {
    const reply = await app.call('GET /api/profile', { token });
    expect([reply.status, reply.text]).toEqual([401, '{"error":"Authentication required"}']);
  }
});
