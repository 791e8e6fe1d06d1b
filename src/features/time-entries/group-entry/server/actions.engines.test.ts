import { describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const ada = await anAdministrator(app);

async function aSheet() {
  const school = await aSchool(app, {});
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Lee' });
  const activity = await anActivity(app, { school, name: 'Book fair' });
  const zoe = { firstName: 'Zoë', lastName: 'Hall' };
  const entries = [
    { userId: ann.id, hours: 2 },
    { walkIn: zoe, hours: 1.5 },
  ];
  const body = { activityId: activity.id, schoolId: school.id, entryDate: '2026-03-01', entries };
  return { school, ann, activity, body };
}

const send = (call: string, body?: object, token = ada.token) =>
  app.call(call, { token, ...(body === undefined ? {} : { body }) });
const log = (body: object, token?: string) => send('POST /api/admin/time-entries/roster', body, token);
const undo = (batch: unknown, token?: string) =>
  send('POST /api/admin/time-entries/roster/undo', { batch }, token);
const peopleAt = async (school: { id: number }) =>
  (await send(`GET /api/admin/users?schoolId=${school.id}`)).body.users;
const totalAt = async (school: { id: number }) =>
  (await send(`GET /api/admin/time-entries?schoolId=${school.id}`)).body.total;

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

describe('a guest volunteer in a group entry', () => {
  test('gets an account at the school in the same request, which is audited', async () => {
    const { school, body } = await aSheet();
    const { status, body: reply } = await log(body);
    expect([status, reply.message]).toEqual([201, 'Logged 3.5 h for 2 volunteers: Book fair, Mar 1, 2026']);
    expect(reply.timeEntries[1]).toMatchObject({
      user: { firstName: 'Zoë', lastName: 'Hall' },
      hours: 1.5,
    });
    const zoe = (await peopleAt(school)).find((user: { lastName: string }) => user.lastName === 'Hall');
    expect(zoe).toMatchObject({ isWalkIn: true, email: '', isActive: true, lastLogin: null });
    const [line] = await recordOf(app, 'user', zoe.id);
    expect(line).toMatchObject({ action: 'account.create', actorId: ada.id });
    expect(line?.after).toMatchObject({ firstName: 'Zoë', lastName: 'Hall', isWalkIn: true });
  });

  test('can be added by a coordinator of that school, but not of another', async () => {
    const { school, body } = await aSheet();
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    expect((await log(body, coordinator.token)).status).toBe(201);
    const { body: other } = await aSheet();
    expect((await log(other, coordinator.token)).status).toBe(404);
  });

  test('needs a name, and is not created when another row is invalid', async () => {
    const { school, body } = await aSheet();
    const nameless = [{ walkIn: { firstName: ' ', lastName: 'Hall' }, hours: 1 }];
    expect((await log({ ...body, entries: nameless })).status).toBe(400);
    const both = [{ ...body.entries[1], userId: body.entries[0]?.userId }];
    expect((await log({ ...body, entries: both })).body.fields).toHaveProperty('entries.0.userId');
    const stranger = await aPerson(app);
    const wrong = await log({ ...body, entries: [...body.entries, { userId: stranger.id, hours: 1 }] });
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['entries.2.userId']]);
    expect(await peopleAt(school)).toHaveLength(1);
  });
});

describe('undoing a group entry', () => {
  test('removes its entries and the guest volunteers it created, once', async () => {
    const { school, body } = await aSheet();
    const { batch, timeEntries } = (await log(body)).body;
    const { status, body: reply } = await undo(batch);
    expect([status, reply]).toEqual([200, { deleted: 2, message: 'Undone: hours of 2 volunteers removed' }]);
    expect(await totalAt(school)).toBe(0);
    expect(await peopleAt(school)).toHaveLength(1);
    expect((await recordOf(app, 'time-entry', timeEntries[0].id)).map(({ action }) => action)).toContain(
      'entry.delete',
    );
    // The deletion is found by the volunteer, too.
    const { db } = app.deps.database;
    const deleted = db.selectFrom('audit_events').select('person_id').where('action', '=', 'entry.delete');
    const people = timeEntries.map(({ user }: { user: { id: number } }) => user.id);
    const found = await deleted.where('subject_id', 'in', idsOf(timeEntries)).orderBy('subject_id').execute();
    expect(found.map(({ person_id }) => person_id)).toEqual(people);
    expect((await undo(batch)).status).toBe(409);
  });

  test('requires the permission to log hours at the school of the entry', async () => {
    const { school, body } = await aSheet();
    const elsewhere = await aSchool(app, {});
    const carl = await aPersonWithRole(app, 'coordinator', school);
    const { batch } = (await log(body, carl.token)).body;
    const { db } = app.deps.database;
    await db
      .updateTable('user_grants')
      .set({ school_id: elsewhere.id })
      .where('user_id', '=', carl.id)
      .execute();
    expect((await undo(batch, carl.token)).status).toBe(404);
    expect(await totalAt(school)).toBe(2);
  });

  test('does not remove changed entries, or guest volunteers with other hours', async () => {
    const { school, body } = await aSheet();
    const { batch, timeEntries } = (await log(body)).body;
    await send(`PUT /api/admin/time-entries/${timeEntries[0].id}`, { hours: 3 });
    const again = [{ userId: timeEntries[1].user.id, hours: 1 }];
    await log({ ...body, entries: again });
    expect((await undo(batch)).body.message).toBe(
      'Hours of 1 volunteer removed. Changed since then and kept: 1',
    );
    expect(await totalAt(school)).toBe(2);
    expect(await peopleAt(school)).toHaveLength(2);
  });

  test('requires the same user and an unaltered batch, within 15 minutes', async () => {
    const { body, school } = await aSheet();
    const { batch } = (await log(body)).body;
    const other = await anAdministrator(app);
    expect((await undo(batch, other.token)).status).toBe(404);
    for (const odd of ['', 'x', `${batch}x`.slice(3), '\u0000', 'a'.repeat(10_000)]) {
      expect((await undo(odd)).status).toBe(404);
    }
    app.clock.advance(15 * 60_000 + 1);
    expect((await undo(batch)).status).toBe(409);
    expect(await totalAt(school)).toBe(2);
  });
});
