import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import {
  aCategory,
  aGrant,
  anActivity,
  anAdministrator,
  aPerson,
  aPersonWithRole,
  aSchool,
} from '#test/builders.ts';
import { startApp, TODAY } from '#test/harness.ts';
import { sheetsOf } from '#test/workbook.ts';

const app = await startApp();
const ada = await anAdministrator(app);

async function saved(list: string, body: object, token = ada.token) {
  const reply = await app.app.inject({
    method: 'POST',
    url: `/api/admin/${list}/export`,
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  expect([reply.statusCode, reply.statusCode === 200 ? '' : reply.body]).toEqual([200, '']);
  return reply;
}

const rowsOf = async (list: string, body: object, token?: string) =>
  parse((await saved(list, { format: 'csv', ...body }, token)).rawPayload, { bom: true }) as string[][];

const shown = async (path: string, token = ada.token) =>
  (await app.call(`GET /api/admin/${path}`, { token })).body;

/** A school with people, categories, activities and suggestions of its own. */
async function aFullSchool() {
  const school = await aSchool(app, {});
  const first = `Zoë${school.id}`;
  const ann = await aPerson(app, { schools: [school], firstName: first, lastName: '=Adams', isProven: true });
  const bob = await aPerson(app, { schools: [school], firstName: first, lastName: 'Brown' });
  const category = await aCategory(app, { school, name: 'Fairs' });
  await anActivity(app, { school, name: '@Book fair' });
  const suggest = async (name: string) =>
    app.call('POST /api/activity-suggestions', { token: ann.token, body: { name, schoolId: school.id } });
  expect((await suggest('Chess club')).status).toBe(201);
  return { school, first, ann, bob, category };
}

describe('exported users', () => {
  test('match the filters and sort order on screen, without formulas', async () => {
    const { school, first, ann, bob } = await aFullSchool();
    await app.call(`PUT /api/admin/users/${bob.id}`, { token: ada.token, body: { isActive: false } });
    for (const filter of [
      { schoolId: school.id },
      { search: first, sortBy: 'name', sortOrder: 'desc' },
      { schoolId: school.id, state: 'inactive' },
      { schoolId: school.id, role: 'coordinator' },
      { schoolId: school.id, photos: 'hidden' },
    ]) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
      const { users } = await shown(`users?${query}`);
      const [, ...rows] = await rowsOf('users', filter);
      expect(rows.map((row) => Number(row.at(-1)))).toEqual((users as { id: number }[]).map(({ id }) => id));
    }
    const [titles, ...rows] = await rowsOf('users', { schoolId: school.id });
    const columns = ['First Name', 'Last Name', 'Email', 'Schools', 'Role', 'Status', 'Last login'];
    expect(titles).toEqual([...columns, 'Created', 'Account']);
    const name = school.name;
    expect(rows).toEqual([
      [first, "'=Adams", ann.email, name, 'User', 'Active', '', TODAY, String(ann.id)],
      [first, 'Brown', bob.email, name, 'User', 'Inactive', '', TODAY, String(bob.id)],
    ]);
  });

  test('have no email addresses for a coordinator, unless another role at a school allows them', async () => {
    const { school, ann, bob } = await aFullSchool();
    const other = await aSchool(app, {});
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    const file = await saved('users', { format: 'csv' }, coordinator.token);
    expect(file.body).toContain(String(ann.id));
    expect(file.body).not.toContain('@');
    await aGrant(app, coordinator, 'school-admin', other);
    const member = await aPerson(app, { schools: [other] });
    const rows = await rowsOf('users', {}, coordinator.token);
    const addressOf = (id: number) => rows.find((row) => row.at(-1) === String(id))?.[2];
    expect([ann, bob, member].map(({ id }) => addressOf(id))).toEqual(['', '', member.email]);
    expect(rows.flat()).not.toContain(String(ada.id));
  });

  test('are complete if the list has more than one page, also for Excel', async () => {
    const school = await aSchool(app, {});
    const { id } = await aPerson(app, { schools: [school] });
    const { db } = app.deps.database;
    const like = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { id: _, ...columns } = like;
    for (let at = 0; at < 1_000; at += 1) {
      const email = `page${school.id}-${at}@maplegrove.example`;
      const one = await db
        .insertInto('users')
        .values({ ...columns, email, email_key: email })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('user_schools')
        .values({ user_id: one.id, school_id: school.id, status: 'active', created_at: like.created_at })
        .execute();
    }
    const rows = await rowsOf('users', { schoolId: school.id });
    expect(new Set(rows.slice(1).map((row) => row[2])).size).toBe(1_001);
    const { rawPayload, headers } = await saved('users', { format: 'xlsx', schoolId: school.id });
    expect(sheetsOf(rawPayload).get('Users')).toHaveLength(1_002);
    expect(headers).toMatchObject({
      'content-disposition': `attachment; filename="maple-grove-schools_users_${TODAY}.xlsx"`,
      'cache-control': 'no-store',
    });
  });
});

test('exported schools, categories, activities and suggestions match their lists', async () => {
  const { school, ann } = await aFullSchool();
  const { id: schoolId, name } = school;
  expect(await rowsOf('schools', { search: name })).toContainEqual([name, '2', expect.any(String)]);
  const categories = await rowsOf('categories', { schoolId });
  expect(categories[0]).toEqual(['School', 'Name', 'Kind', 'Color', 'Description', 'Activities']);
  expect(categories).toContainEqual([name, 'Fairs', 'Event', '#3498db', '', '0']);
  expect(await rowsOf('categories', { schoolId, search: 'fairs' })).toHaveLength(2);
  const activities = await rowsOf('activities', { schoolId });
  expect(activities).toEqual([
    [
      ...[
        'School',
        'Name',
        'Category',
        'Status',
        'Start date',
        'End date',
        'Description',
        'Description prompt',
      ],
      'Time entries',
    ],
    [name, "'@Book fair", expect.any(String), 'Active', '', '', '', '', '0'],
  ]);
  const [titles, row, ...others] = await rowsOf('activity-suggestions', { schoolId });
  expect(others).toEqual([]);
  expect(Object.fromEntries((titles ?? []).map((title, at) => [title, row?.[at]]))).toMatchObject({
    School: name,
    Name: 'Chess club',
    Status: 'Pending',
    Created: TODAY,
    'Last Name': "'=Adams",
    Email: ann.email,
    Account: String(ann.id),
  });
  const coordinator = await aPersonWithRole(app, 'coordinator', school);
  const theirs = await rowsOf('activity-suggestions', { status: 'pending' }, coordinator.token);
  expect(theirs[0]).not.toContain('Email');
  expect(theirs.flat()).not.toContain(ann.email);
});

test('the audit log shows who exported which list with which filters', async () => {
  const { school } = await aFullSchool();
  await saved('users', { format: 'xlsx', schoolId: school.id, search: 'zo', state: null });
  const row = await app.deps.database.db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'list.export')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect([row.actor_id, row.school_id]).toEqual([ada.id, school.id]);
  expect(JSON.parse(row.after ?? '')).toEqual({
    list: 'users',
    format: 'xlsx',
    schoolId: school.id,
    search: 'zo',
  });
});

test('an export for an unknown school returns 404, without an audit event', async () => {
  const count = async () =>
    (
      await app.deps.database.db
        .selectFrom('audit_events')
        .select('id')
        .where('action', '=', 'list.export')
        .execute()
    ).length;
  const before = await count();
  for (const list of ['users', 'categories', 'activities', 'activity-suggestions']) {
    const { status } = await app.call(`POST /api/admin/${list}/export`, {
      token: ada.token,
      body: { format: 'csv', schoolId: 999_999 },
    });
    expect([list, status]).toEqual([list, 404]);
  }
  expect(await count()).toBe(before);
});
