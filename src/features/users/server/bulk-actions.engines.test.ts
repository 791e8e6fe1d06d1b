import { beforeEach, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { readPages } from '#test/list-requests.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: { id: number };
let harbor: { id: number };
let ben: Awaited<ReturnType<typeof aPerson>>;
let cleo: Awaited<ReturnType<typeof aPerson>>;

beforeEach(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
  lincoln = await aSchool(app, { name: 'Lincoln' });
  harbor = await aSchool(app, { name: 'Harbor' });
  ben = await aPerson(app, { schools: [lincoln], firstName: 'Ben', lastName: 'Abel', email: 'z@a.example' });
  cleo = await aPerson(app, { schools: [harbor], firstName: 'Cleo', lastName: 'Zorn', email: 'a@a.example' });
});

const many = (by: { token: string }, body: Record<string, unknown>) =>
  app.call('POST /api/admin/users/many', { token: by.token, body });
const stateOf = async (person: { id: number }) => {
  const { body } = await app.call('GET /api/admin/users', { token: ada.token });
  const found = body.users.find(({ id }: { id: number }) => id === person.id);
  return { isActive: found.isActive, schools: found.schools.map(({ id }: { id: number }) => id) };
};
const both = () => [ben.id, cleo.id];

describe('bulk actions', () => {
  test('deactivate and reactivate accounts, end sessions, and return only changed accounts', async () => {
    const off = await many(ada, { userIds: both(), count: 2, deed: 'deactivate' });
    expect(off.body).toEqual({ changed: both(), message: '2 accounts deactivated' });
    expect((await app.call('GET /api/profile', { token: ben.token })).status).toBe(401);
    const again = await many(ada, { userIds: both(), count: 2, deed: 'deactivate' });
    expect(again.body.changed).toEqual([]);
    await many(ada, { userIds: [ben.id], count: 1, deed: 'activate' });
    expect([(await stateOf(ben)).isActive, (await stateOf(cleo)).isActive]).toEqual([true, false]);
    const lines = await recordOf(app, 'user', ben.id);
    expect(lines.map(({ action }) => action)).toEqual(['account.change', 'account.change']);
  });

  test('add accounts to a school and remove them again, but not from their last one', async () => {
    const joined = await many(ada, { userIds: both(), count: 2, deed: 'join', schoolId: harbor.id });
    expect(joined.body).toEqual({ changed: [ben.id], message: '1 person added to the school' });
    expect((await stateOf(ben)).schools.toSorted()).toEqual([lincoln.id, harbor.id].toSorted());
    await many(ada, { userIds: [ben.id], count: 1, deed: 'leave', schoolId: harbor.id });
    expect((await stateOf(ben)).schools).toEqual([lincoln.id]);
    // Nobody is left without a school.
    const last = await many(ada, { userIds: [ben.id], count: 1, deed: 'leave', schoolId: lincoln.id });
    expect(last.body.changed).toEqual([]);
  });

  test('change nothing if the count is wrong, or if they include oneself or another school’s user', async () => {
    const counted = await many(ada, { userIds: both(), count: 3, deed: 'deactivate' });
    expect(counted.status).toBe(409);
    const own = await many(ada, { userIds: [ben.id, ada.id], count: 2, deed: 'deactivate' });
    expect(own.status).toBe(403);
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    expect((await many(head, { userIds: both(), count: 2, deed: 'deactivate' })).status).toBe(404);
    const elsewhere = { userIds: [ben.id], count: 1, deed: 'join', schoolId: harbor.id };
    expect((await many(head, elsewhere)).status).toBe(404);
    const above = await many(head, { userIds: [ada.id], count: 1, deed: 'join', schoolId: lincoln.id });
    expect([403, 404]).toContain(above.status);
    expect((await many(ben, { userIds: [cleo.id], count: 1, deed: 'deactivate' })).status).toBe(403);
    expect((await stateOf(ben)).isActive).toBe(true);
    for (const userIds of [[], Array.from({ length: 501 }, (_, at) => at + 1)]) {
      const reply = await many(ada, { userIds, count: userIds.length, deed: 'deactivate' });
      expect(reply.status).toBe(400);
    }
    const nowhere = await many(ada, { userIds: [ben.id], count: 1, deed: 'join' });
    expect(nowhere.status).toBe(400);
  });
});

test.each(['asc', 'desc'])(
  'users are sorted across pages by name, address or last sign-in (%s)',
  async (order) => {
    await app.deps.database.db
      .updateTable('users')
      .set({ last_login_at: app.clock.now() })
      .where('id', '=', ben.id)
      .execute();
    await app.deps.database.db
      .updateTable('users')
      .set({ last_login_at: null })
      .where('id', '=', cleo.id)
      .execute();
    const listed = async (sortBy: string) => {
      const pages = await readPages(
        app,
        `/api/admin/users?role=user&sortBy=${sortBy}&sortOrder=${order}`,
        ada.token,
        1,
      );
      return pages.flatMap(({ users }) => (users as { id: number }[]).map(({ id }) => id));
    };
    const upwards = (ids: number[]) => (order === 'asc' ? ids : ids.toReversed());
    expect(await listed('name')).toEqual(upwards([ben.id, cleo.id]));
    expect(await listed('email')).toEqual(upwards([cleo.id, ben.id]));
    expect(await listed('lastLogin')).toEqual(upwards([cleo.id, ben.id]));
    const page = await app.call('GET /api/admin/users?limit=1&sortBy=email', { token: ada.token });
    const other = await app.call(`GET /api/admin/users?limit=1&cursor=${page.body.nextCursor}`, {
      token: ada.token,
    });
    expect(other.status).toBe(400);
  },
);

describe('photo approval', () => {
  const list = async (by: { token: string }, query = '') =>
    (await app.call(`GET /api/admin/users${query}`, { token: by.token })).body;
  const hiddenAt = async (by: { token: string }, person: { id: number }) =>
    (await list(by)).users.find(({ id }: { id: number }) => id === person.id)?.photosHiddenAt;
  const choose = (photosSeenBy: string) =>
    app.call('PUT /api/admin/settings', { token: ada.token, body: { photosSeenBy } });
  const registered = async () => {
    const { body } = await app.call('POST /api/auth/register', {
      body: {
        email: 'sam@maplegrove.example',
        password: 'maple-lantern-42',
        firstName: 'Sam',
        lastName: 'Self',
        schoolIds: [lincoln.id, harbor.id],
      },
    });
    return body.user as { id: number };
  };
  const approvals = async (person: { id: number }) =>
    (await recordOf(app, 'user', person.id)).filter(({ action }) => action === 'membership.approve');

  test('is listed as missing only if the district requires it, and can be filtered then', async () => {
    const sam = await registered();
    expect(await hiddenAt(ada, sam)).toBeUndefined();
    expect((await list(ada)).photosSeenBy).toBe('members');
    await choose('approved');
    expect(await hiddenAt(ada, sam)).toEqual([
      { id: harbor.id, name: 'Harbor' },
      { id: lincoln.id, name: 'Lincoln' },
    ]);
    expect(await hiddenAt(ada, ben)).toBeUndefined();
    const found = await list(ada, '?photos=hidden');
    expect([found.total, found.users.map(({ id }: { id: number }) => id)]).toEqual([1, [sam.id]]);
    await choose('members');
    expect(await hiddenAt(ada, sam)).toBeUndefined();
  });

  test('is granted in bulk at the approver’s schools, and recorded once', async () => {
    const sam = await registered();
    await choose('approved');
    const lead = await aPersonWithRole(app, 'school-admin', lincoln);
    expect(await hiddenAt(lead, sam)).toEqual([{ id: lincoln.id, name: 'Lincoln' }]);
    const approved = await many(lead, {
      userIds: [ben.id, sam.id],
      count: 2,
      deed: 'approve',
      unconfirmed: true,
    });
    expect(approved.body).toEqual({ changed: [sam.id], message: '1 person approved for photos' });
    expect(await hiddenAt(ada, sam)).toEqual([{ id: harbor.id, name: 'Harbor' }]);
    expect(await approvals(sam)).toMatchObject([{ actorId: lead.id, schoolId: lincoln.id }]);
    expect(
      (await many(lead, { userIds: [cleo.id], count: 1, deed: 'approve', unconfirmed: true })).status,
    ).toBe(404);
    await many(ada, { userIds: [sam.id], count: 1, deed: 'approve', unconfirmed: true });
    const again = await many(ada, { userIds: [sam.id], count: 1, deed: 'approve', unconfirmed: true });
    expect(again.body).toEqual({ changed: [], message: 'They were already approved for photos' });
    expect(await hiddenAt(ada, sam)).toBeUndefined();
    expect(await approvals(sam)).toHaveLength(2);
    expect((await list(ada, '?photos=hidden')).total).toBe(0);
  });
});
