import { beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';

const GOAL = '/api/profile/goal';

let app: TestApp;
let ann: Awaited<ReturnType<typeof aPerson>>;
let activity: Awaited<ReturnType<typeof anActivity>>;
beforeEach(async () => {
  app = await startApp();
  const school = await aSchool(app);
  activity = await anActivity(app, { school });
  ann = await aPerson(app, { schools: [school] });
});

const read = async (who = ann) => (await app.call(`GET ${GOAL}`, { token: who.token })).body.goal;
const set = (hours: unknown, who = ann) => app.call(`PUT ${GOAL}`, { token: who.token, body: { hours } });

describe("a volunteer's own goal", () => {
  test('can be set, changed and removed, and counts hours at all schools', async () => {
    expect(await read()).toEqual({ hours: null, logged: 0, yearStart: '2025-07-01' });
    const other = await anActivity(app, { school: await aSchool(app) });
    await anEntry(app, { by: ann, activity, hours: 2.25, date: '2025-07-01' });
    await anEntry(app, { by: ann, activity: other, hours: 1.5 });
    await anEntry(app, { by: ann, activity, hours: 8, date: '2025-06-30' });
    await anEntry(app, { by: await aPerson(app), activity, hours: 4 });
    expect((await set(20)).body).toEqual({
      goal: { hours: 20, logged: 3.75, yearStart: '2025-07-01' },
      message: 'Goal saved',
    });
    expect((await set(12.5)).body.goal.hours).toBe(12.5);
    expect((await set(null)).body).toMatchObject({ goal: { hours: null }, message: 'Goal removed' });
    expect((await set(null)).status).toBe(200);
    expect((await read()).hours).toBe(null);
  });

  test('does not count deleted hours', async () => {
    const { id } = await anEntry(app, { by: ann, activity, hours: 3 });
    await app.call(`DELETE /api/time-entries/${id}`, { token: ann.token });
    expect((await read()).logged).toBe(0);
  });

  test('applies to one school year', async () => {
    // Chicago is five hours behind UTC in summer.
    app.clock.set('2026-07-01T04:59:59.000Z');
    const ben = await aPerson(app);
    await set(20, ben);
    expect((await read(ben)).hours).toBe(20);
    app.clock.set('2026-07-01T05:00:00.000Z');
    expect(await read(ben)).toEqual({ hours: null, logged: 0, yearStart: '2026-07-01' });
    await set(30, ben);
    const { text } = await app.call('GET /api/profile/data', { token: ben.token });
    expect(JSON.parse(text).goals).toEqual([
      { schoolYearFrom: '2025-07-01', hours: 20 },
      { schoolYearFrom: '2026-07-01', hours: 30 },
    ]);
  });

  test.each([0, -1, 0.2, 5000.01, 1.234, Number.MAX_VALUE, '5', undefined, [5]])(
    'cannot be %s',
    async (hours) => {
      await set(20);
      const reply = await set(hours);
      expect([reply.status, (await read()).hours]).toEqual([400, 20]);
    },
  );

  test('is private, and deleted with the account', async () => {
    const ada = await anAdministrator(app);
    await set(4321);
    await anEntry(app, { by: ann, activity, hours: 1 });
    for (const path of [`/api/admin/users/${ann.id}`, '/api/admin/users', '/api/admin/audit', GOAL]) {
      expect((await app.call(`GET ${path}`, { token: ada.token })).text).not.toContain('4321');
    }
    expect(
      (await app.call(`GET ${GOAL}?userId=${ann.id}`, { token: ada.token })).body.goal?.hours ?? null,
    ).toBe(null);
    const erased = await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: ada.token });
    expect(erased.status, erased.text).toBe(200);
    expect(await app.deps.database.db.selectFrom('hour_goals').selectAll().execute()).toEqual([]);
  });

  test('cannot be set by a session that ends concurrently', async () => {
    const { db } = app.deps.database;
    const reply = await sendDuring(
      app,
      async (trx) => {
        await trx.updateTable('users').set({ failed_logins: 0 }).where('id', '=', ann.id).execute();
        await trx.deleteFrom('sessions').where('user_id', '=', ann.id).execute();
      },
      () => set(20),
    );
    expect(reply.status).toBe(401);
    expect(await db.selectFrom('hour_goals').selectAll().execute()).toEqual([]);
  });

  test('is stored once for concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => set(index + 1)));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await app.deps.database.db.selectFrom('hour_goals').selectAll().execute()).toHaveLength(1);
  });
});
