import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, editOf, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { readPages } from '#test/list-requests.ts';
import type { ListedAuditEvent } from '../contract.ts';

let app: TestApp;
let school: { id: number; name: string };
let admin: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln Elementary' });
});
beforeEach(async () => {
  app.clock.advance(60_000);
  admin = await anAdministrator(app);
});

const log = (query = '', token = admin.token) => app.call(`GET /api/admin/audit${query}`, { token });
const logged = async (query: string): Promise<ListedAuditEvent[]> => (await log(query)).body.records;
const actions = async (query: string) => (await logged(query)).map((record) => record.action);

const aMaria = () => aPerson(app, { schools: [school], firstName: 'Maria', lastName: 'Lopez' });
const edit = async (token: string, id: number, body: object) =>
  app.call(`PUT /api/time-entries/${id}`, { token, body: await editOf(app, id, body) });

describe('the audit log', () => {
  test('records the actor, action, item, owner, time, IP address and changes', async () => {
    const maria = await aMaria();
    const activity = await anActivity(app, { school, name: 'Library Helper' });
    const entry = await anEntry(app, { by: maria, activity, hours: 2, date: '2026-03-01' });
    const put = await app.call(`PUT /api/time-entries/${entry.id}`, {
      token: admin.token,
      body: await editOf(app, entry.id, { hours: 3 }),
      from: '192.0.2.7',
    });
    expect(put.status).toBe(200);
    const [record] = await logged(`?thing=time-entry&thingId=${entry.id}`);
    expect(record).toEqual({
      id: expect.any(Number),
      at: app.clock.now(),
      action: 'entry.edit',
      actor: { id: admin.id, name: `Ada ${admin.lastName}` },
      thing: { kind: 'time-entry', id: entry.id, name: 'Library Helper', day: '2026-03-01' },
      person: { id: maria.id, name: 'Maria Lopez' },
      school: { id: school.id, name: 'Lincoln Elementary' },
      changes: [{ field: 'hours', before: 2, after: 3 }],
      address: '192.0.2.7',
      isSystem: false,
    });
  });

  test('shows the names of schools instead of IDs', async () => {
    const other = await aSchool(app, { name: 'Oak Street' });
    const maria = await aMaria();
    await app.call(`PUT /api/admin/users/${maria.id}`, {
      token: admin.token,
      body: { schoolIds: [school.id, other.id], role: 'admin' },
    });
    const [record] = await logged(`?thing=user&thingId=${maria.id}`);
    expect(record?.changes).toEqual([
      { field: 'role', before: 'user', after: 'admin' },
      { field: 'schools', before: ['Lincoln Elementary'], after: ['Lincoln Elementary', 'Oak Street'] },
    ]);
  });

  test('filtered by user, shows what the user did and what was done to the account', async () => {
    const maria = await aMaria();
    const activity = await anActivity(app, { school });
    await app.call('POST /api/time-entries', {
      token: maria.token,
      body: { activityId: activity.id, hours: 1 },
    });
    app.clock.advance(1000);
    await app.call('POST /api/admin/time-entries', {
      token: admin.token,
      body: { userId: maria.id, activityId: activity.id, hours: 2 },
    });
    app.clock.advance(1000);
    await app.call('POST /api/auth/login', { body: { email: maria.email, password: 'wrong' } });
    const told = (await logged(`?userId=${maria.id}`)).map(({ action, actor }) => [action, actor?.id]);
    expect(told).toEqual([
      ['session.fail', undefined],
      ['entry.log', admin.id],
      ['entry.log', maria.id],
    ]);
  });

  test('includes failed sign-ins with unknown addresses and their IP addresses', async () => {
    await app.call('POST /api/auth/login', {
      body: { email: 'nobody@maplegrove.example', password: 'wrong' },
      from: '192.0.2.9',
    });
    const [record] = await logged('?kind=fail&limit=1');
    expect(record).toMatchObject({
      action: 'session.fail',
      actor: null,
      thing: { kind: 'user', id: null, name: null },
      address: '192.0.2.9',
    });
  });

  test('combines the filters for kind, subject and district day', async () => {
    const maria = await aMaria();
    const activity = await anActivity(app, { school });
    const entry = await anEntry(app, { by: maria, activity });
    // 23:30 and 00:30 in Chicago.
    app.clock.set('2026-03-11T04:30:00.000Z');
    const [ada, mia] = [await anAdministrator(app), await aPerson(app, { schools: [school] })];
    await edit(ada.token, entry.id, { hours: 2 });
    app.clock.set('2026-03-11T05:30:00.000Z');
    await app.call(`DELETE /api/time-entries/${entry.id}`, { token: ada.token });
    // Permanent deletion needs a recent sign-in.
    const bob = await anAdministrator(app);
    await app.call(`DELETE /api/admin/users/${mia.id}`, { token: bob.token });
    const seen = (query: string) =>
      app
        .call(`GET /api/admin/audit?${query}`, { token: ada.token })
        .then(({ body }) => (body.records as ListedAuditEvent[]).map((record) => record.action));
    expect(await seen('startDate=2026-03-10&endDate=2026-03-10')).toEqual(['entry.edit']);
    expect(await seen('startDate=2026-03-11')).toEqual(['account.delete', 'entry.delete']);
    expect(await seen('startDate=2026-03-10&kind=delete')).toEqual(['account.delete', 'entry.delete']);
    expect(await seen('startDate=2026-03-10&kind=delete&thing=user')).toEqual(['account.delete']);
    expect(await seen(`userId=${maria.id}&kind=change`)).toEqual(['entry.edit']);
    expect(await seen('kind=fail&thing=school')).toEqual([]);
    const reversed = await app.call('GET /api/admin/audit?startDate=2026-03-11&endDate=2026-03-10', {
      token: ada.token,
    });
    expect([reversed.status, reversed.body.fields]).toEqual([
      400,
      { endDate: "The end date can't be before the start date" },
    ]);
  });

  test('finds events by the name of a person or item, including deleted ones', async () => {
    const zoe = await aPerson(app, { schools: [school], firstName: 'Zoë', lastName: 'Quill' });
    const activity = await anActivity(app, { school, name: 'Xylophone' });
    await app.call('POST /api/time-entries', {
      token: zoe.token,
      body: { activityId: activity.id, hours: 1 },
    });
    const created = await app.call('POST /api/admin/schools', {
      token: admin.token,
      body: { name: 'Zephyr Hall' },
    });
    app.clock.advance(1000);
    await app.call(`DELETE /api/admin/schools/${created.body.school.id}`, { token: admin.token });
    expect(await actions('?search=quill zoe')).toEqual(['entry.log']);
    expect(await actions('?search=zephyr')).toEqual(['school.delete', 'school.create']);
    expect((await logged('?search=zephyr'))[0]?.thing.name).toBe('Zephyr Hall');
    expect(await actions('?search=xylophone')).toEqual(['entry.log']);
    expect(await actions('?search=nobody-is-called-this')).toEqual([]);
    expect(await actions(`?search=zephyr&userId=${zoe.id}`)).toEqual([]);
    expect(await actions(`?search=zephyr&userId=${admin.id}&kind=delete`)).toEqual(['school.delete']);
  });

  test('finds events by a name that hundreds of people share', async () => {
    const one = await aPerson(app, { schools: [school], firstName: 'Legion', lastName: 'Number 0' });
    await app.deps.database.db
      .insertInto('users')
      .values(
        Array.from({ length: 200 }, (_, index) => ({
          email: `legion${index}@maplegrove.example`,
          email_key: `legion${index}@maplegrove.example`,
          password_hash: null,
          first_name: 'Legion',
          last_name: `Number ${index + 1}`,
          sort_key: `number ${index + 1} legion`,
          search_key: `legion number ${index + 1}`,
          role: 'user' as const,
          is_active: 1 as const,
          created_at: app.clock.now(),
          last_login_at: null,
          email_verified_at: null,
          erased_at: null,
        })),
      )
      .execute();
    const activity = await anActivity(app, { school, name: 'Parade of the legion' });
    const body = { activityId: activity.id, hours: 1 };
    await app.call('POST /api/time-entries', { token: (await aMaria()).token, body });
    app.clock.advance(1000);
    await app.call('POST /api/auth/logout', { token: one.token });
    expect(await actions('?search=legion')).toEqual(['session.end', 'entry.log']);
  });

  test('lists each event once across pages, newest first', async () => {
    const maria = await aMaria();
    const activity = await anActivity(app, { school });
    const entry = await anEntry(app, { by: maria, activity, hours: 1 });
    for (const hours of [2, 3, 4, 5]) {
      await edit(hours % 2 === 0 ? maria.token : admin.token, entry.id, { hours });
    }
    const pages = await readPages(app, `/api/admin/audit?userId=${maria.id}`, admin.token, 3);
    const records = pages.flatMap((page) => page['records'] as ListedAuditEvent[]);
    expect(pages.length).toBe(2);
    expect(records.map(({ changes }) => changes[0]?.after)).toEqual([5, 4, 3, 2]);
    const whole = await readPages(app, '/api/admin/audit', admin.token, 7);
    const ids = whole.flatMap((page) => (page['records'] as ListedAuditEvent[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const cursor = (await log('?limit=1')).body.nextCursor;
    expect((await log(`?cursor=${cursor}x`)).status).toBe(400);
  });
});

describe('the history', () => {
  test('of a time entry includes logging, changes, deletion and restoration', async () => {
    const maria = await aMaria();
    const activity = await anActivity(app, { school, name: 'Book Fair' });
    const { body } = await app.call('POST /api/time-entries', {
      token: maria.token,
      body: { activityId: activity.id, hours: 1, entryDate: '2026-03-04', notes: 'Tables' },
    });
    const { id } = body.timeEntry;
    for (const step of [
      () => edit(maria.token, id, { notes: 'Tables and chairs' }),
      () => app.call(`DELETE /api/time-entries/${id}`, { token: maria.token }),
      () => app.call(`POST /api/time-entries/${id}/restore`, { token: maria.token }),
    ]) {
      app.clock.advance(1000);
      expect((await step()).status).toBe(200);
    }
    const history = await logged(`?thing=time-entry&thingId=${id}`);
    expect(history.map(({ action }) => action)).toEqual([
      'entry.restore',
      'entry.delete',
      'entry.edit',
      'entry.log',
    ]);
    expect(history.map(({ thing }) => [thing.name, thing.day])).toEqual(
      history.map(() => ['Book Fair', '2026-03-04']),
    );
    expect(history[2]?.changes).toEqual([{ field: 'notes', before: 'Tables', after: 'Tables and chairs' }]);
    expect(history[3]?.changes).toContainEqual({ field: 'notes', before: null, after: 'Tables' });
    expect(history[1]?.changes).toContainEqual({ field: 'hours', before: 1, after: null });
  });

  test('of an activity remains after its deletion', async () => {
    const category = await app.call('POST /api/admin/categories', {
      token: admin.token,
      body: { schoolId: school.id, name: 'Events' },
    });
    const made = await app.call('POST /api/admin/activities', {
      token: admin.token,
      body: { schoolId: school.id, categoryId: category.body.category.id, name: 'Fun Run' },
    });
    const { id } = made.body.activity;
    app.clock.advance(1000);
    await app.call(`PUT /api/admin/activities/${id}`, {
      token: admin.token,
      body: { activeFrom: '2026-04-01', name: 'Spring Run' },
    });
    app.clock.advance(1000);
    await app.call(`DELETE /api/admin/activities/${id}`, { token: admin.token });
    const history = await logged(`?thing=activity&thingId=${id}`);
    expect(history.map(({ action, thing }) => [action, thing.name])).toEqual([
      ['activity.delete', 'Spring Run'],
      ['activity.edit', 'Spring Run'],
      ['activity.create', 'Spring Run'],
    ]);
    expect(history[1]?.changes).toEqual([
      { field: 'name', before: 'Fun Run', after: 'Spring Run' },
      { field: 'activeFrom', before: null, after: '2026-04-01' },
    ]);
    expect(history[2]?.changes).toContainEqual({ field: 'category', before: null, after: 'Events' });
  });

  test('of a user includes their data export', async () => {
    const maria = await aMaria();
    expect((await app.call('GET /api/profile/data', { token: maria.token })).status).toBe(200);
    expect(await actions(`?userId=${maria.id}&kind=export`)).toEqual(['account.download']);
  });
});

test('the audit log shows no personal data of a deleted account', async () => {
  const ann = await aPerson(app, {
    schools: [school],
    firstName: 'Wilhelmina',
    lastName: 'Featherstone',
    email: 'w.featherstone@maplegrove.example',
  });
  const activity = await anActivity(app, { school });
  const invite = (email: string) =>
    app.call('POST /api/admin/invites', { token: admin.token, body: { email, schoolIds: [school.id] } });
  // A withdrawn invitation, which only the audit log still knows, to an address that the account had later changed.
  const { body } = await invite('w.featherstone@maplegrove.example');
  await app.call(`DELETE /api/admin/invites/${body.invite.id}`, { token: admin.token });
  await app.call('POST /api/auth/login', {
    body: { email: ann.email, password: 'wrong' },
    from: '192.0.2.77',
  });
  await app.call('POST /api/time-entries', {
    token: ann.token,
    body: { activityId: activity.id, hours: 1 },
    from: '192.0.2.77',
  });
  await app.call('POST /api/admin/time-entries', {
    token: admin.token,
    body: { userId: ann.id, activityId: activity.id, hours: 2 },
  });
  await app.call('PUT /api/profile', {
    token: ann.token,
    body: { email: 'mina.featherstone@maplegrove.example', lastName: 'Feather' },
  });
  await app.call(`PUT /api/admin/users/${ann.id}`, { token: admin.token, body: { firstName: 'Mina' } });
  const told = /Wilhelmina|Mina|Feather|192\.0\.2\.77/i;
  expect(told.test((await log()).text)).toBe(true);

  expect((await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: admin.token })).status).toBe(200);
  const records = (await readPages(app, '/api/admin/audit', admin.token, 500)).map((page) =>
    JSON.stringify(page),
  );
  expect(told.exec(records.join('\n'))?.[0]).toBeUndefined();
  const own = await logged(`?userId=${ann.id}`);
  expect(own.map(({ action }) => action)).toContain('account.erase');
  expect(own.find(({ action }) => action === 'entry.log')).toMatchObject({
    person: { id: ann.id, name: 'Former volunteer' },
  });
  expect(
    (await app.call('POST /api/auth/login', { body: { email: ann.email, password: PASSWORD } })).status,
  ).toBe(401);
});
