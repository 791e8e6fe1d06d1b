import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let one: TestApp;
let other: TestApp;
let admin: Awaited<ReturnType<typeof anAdministrator>>;
/** A second server with the database, the folder and the secret of the first. */
const beside = (app: TestApp) =>
  startApp(
    {
      DATA_DIR: app.dataDir,
      ...(app.databaseUrl === undefined ? {} : { DATABASE_URL: app.databaseUrl }),
      SECRET_KEY: app.deps.secretKey.toString('utf8'),
    },
    { clock: app.clock },
  );
beforeAll(async () => {
  one = await startApp();
  other = await beside(one);
  admin = await anAdministrator(one);
});

describe('a role that ends on one server', () => {
  const put = (id: number, body: object) =>
    one.call(`PUT /api/admin/users/${id}`, { token: admin.token, body });
  const ENDS: readonly (readonly [
    string,
    number,
    (person: { id: number }, school: { id: number }, away: { id: number }) => Promise<unknown>,
  ])[] = [
    ['revoked', 403, ({ id }, _, away) => put(id, { grants: [], schoolIds: [away.id] })],
    [
      'moved to another school',
      404,
      ({ id }, _, away) => put(id, { grants: [{ role: 'coordinator', schoolId: away.id }] }),
    ],
    ['reduced to auditor', 200, ({ id }, at) => put(id, { grants: [{ role: 'auditor', schoolId: at.id }] })],
    ['ended by deactivation', 401, ({ id }) => put(id, { isActive: false })],
  ];

  test.each(ENDS)('permits no more edits on either server if it was %s', async (_, read, end) => {
    const school = await aSchool(one);
    const away = await aSchool(one);
    const activity = await anActivity(one, { school });
    const cora = await aPersonWithRole(one, 'coordinator', school, { schools: [away] });
    const entry = await anEntry(one, { by: await aPerson(one, { schools: [school] }), activity });
    const { token } = cora;
    const look = (app: TestApp) => app.call(`GET /api/admin/time-entries?schoolId=${school.id}`, { token });
    const edit = (app: TestApp) =>
      app.call(`PUT /api/admin/time-entries/${entry.id}`, { token, body: { hours: 3 } });
    const links: string[] = [];
    for (const app of [one, other]) {
      expect([(await look(app)).status, (await edit(app)).status]).toEqual([200, 200]);
      const body = { format: 'csv', schoolId: school.id };
      links.push((await app.call('POST /api/admin/time-entries/export', { token, body })).body.url);
    }
    await end(cora, school, away);
    for (const app of [other, one]) {
      expect((await look(app)).status).toBe(read);
      expect((await edit(app)).status).not.toBe(200);
      const isDead = read !== 200;
      expect((await app.call(`GET ${links.shift()}`)).status).toBe(isDead ? 404 : 200);
    }
  });
});

test('of two district administrators who remove each other on two servers, one remains', async () => {
  const own = await startApp();
  const second = await beside(own);
  const school = await aSchool(own);
  const deeds = [
    (app: TestApp, by: { token: string }, id: number) =>
      app.call(`PUT /api/admin/users/${id}`, {
        token: by.token,
        body: { role: 'user', schoolIds: [school.id] },
      }),
    (app: TestApp, by: { token: string }, id: number) =>
      app.call(`PUT /api/admin/users/${id}`, { token: by.token, body: { isActive: false } }),
    (app: TestApp, by: { token: string }, id: number) =>
      app.call(`DELETE /api/admin/users/${id}`, { token: by.token }),
  ];
  const { db } = own.deps.database;
  const left = () =>
    db.selectFrom('users').select('id').where('role', '=', 'admin').where('is_active', '=', 1).execute();
  for (const first of deeds) {
    for (const then of deeds) {
      const [ann, bea] = [await anAdministrator(own), await anAdministrator(own)];
      const replies = await Promise.all([first(own, ann, bea.id), then(second, bea, ann.id)]);
      expect(await left()).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      await db.updateTable('users').set({ is_active: 0 }).where('role', '=', 'admin').execute();
    }
  }
});
