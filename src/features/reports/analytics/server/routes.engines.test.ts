import { describe, expect, test } from 'vitest';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const school = await aSchool(app, { name: 'Lincoln' });
const other = await aSchool(app, { name: 'Maple' });
const [pat, sam] = [
  await aPerson(app, { schools: [school] }),
  await aPerson(app, { schools: [school, other] }),
];
const events = await aCategory(app, { school, name: 'Events', color: '#e74c3c' });
const fair = await anActivity(app, { school, category: events, name: 'Book fair' });
const library = await anActivity(app, { school, name: 'Library' });
await anActivity(app, { school, name: 'Nobody came' });
const garden = await anActivity(app, { school: other, name: 'Garden' });
await anEntry(app, { by: pat, activity: fair, hours: 2.5, date: '2026-03-01' });
await anEntry(app, { by: sam, activity: fair, hours: 0.25, date: '2026-03-02' });
await anEntry(app, { by: pat, activity: library, hours: 4, date: '2025-11-01' });
await anEntry(app, { by: pat, activity: fair, hours: 9, date: '2026-03-02', deletedBy: ada });
await anEntry(app, { by: sam, activity: garden, hours: 1, date: '2026-03-02' });

const get = (query: string, token = ada.token) =>
  app.call(`GET /api/admin/analytics/activities${query}`, { token });

describe('analytics by activity', () => {
  test('returns hours, entries and distinct volunteers, most hours first', async () => {
    const { status, body } = await get(`?schoolId=${school.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      activities: [
        {
          id: library.id,
          name: 'Library',
          category: { name: expect.any(String), color: '#3498db' },
          schoolId: school.id,
          totalHours: 4,
          verifiedHours: null,
          totalEntries: 1,
          uniqueUsers: 1,
        },
        {
          id: fair.id,
          name: 'Book fair',
          category: { name: 'Events', color: '#e74c3c' },
          schoolId: school.id,
          totalHours: 2.75,
          verifiedHours: null,
          totalEntries: 2,
          uniqueUsers: 2,
        },
      ],
    });
  });

  test('counts both the first and the last day of the period', async () => {
    const names = async (query: string) =>
      (await get(query)).body.activities.map((one: { name: string; totalHours: number }) => [
        one.name,
        one.totalHours,
      ]);
    const at = `?schoolId=${school.id}`;
    expect(await names(`${at}&startDate=2026-03-01&endDate=2026-03-01`)).toEqual([['Book fair', 2.5]]);
    expect(await names(`${at}&startDate=2026-03-02`)).toEqual([['Book fair', 0.25]]);
    expect(await names(`${at}&endDate=2025-11-01`)).toEqual([['Library', 4]]);
    expect(await names(`${at}&endDate=2025-10-31`)).toEqual([]);
  });

  test('covers the whole district by default', async () => {
    const { body } = await get('');
    expect(body.activities.map((one: { name: string }) => one.name)).toEqual([
      'Library',
      'Book fair',
      'Garden',
    ]);
  });

  test('rejects an end before the start, an invalid day and an unknown school', async () => {
    expect(await get('?startDate=2026-03-02&endDate=2026-03-01')).toMatchObject({
      status: 400,
      body: { fields: { endDate: 'The end date cannot be before the start date' } },
    });
    expect((await get('?startDate=2026-02-30')).status).toBe(400);
    expect(await get('?schoolId=999999')).toMatchObject({ status: 404, body: { error: 'School not found' } });
  });
});

test.each(['activities', 'overview', 'volunteers'])(
  'only administrators can read /api/admin/analytics/%s',
  async (what) => {
    const path = `GET /api/admin/analytics/${what}`;
    expect((await app.call(path, { token: pat.token })).status).toBe(403);
    expect((await app.call(path)).status).toBe(401);
    expect((await app.call(`${path}?schoolId=999999`, { token: ada.token })).status).toBe(404);
  },
);

test('the overview counts new and returning volunteers', async () => {
  const { body } = await app.call(
    `GET /api/admin/analytics/overview?schoolId=${school.id}&startDate=2026-01-01`,
    { token: ada.token },
  );
  expect(body.totals).toEqual({
    totalHours: 2.75,
    verifiedHours: null,
    totalEntries: 2,
    uniqueUsers: 2,
    newUsers: 1,
    returningUsers: 1,
  });
});

test('the overview counts a volunteer of two schools once per school and once in the district', async () => {
  const { body } = await app.call('GET /api/admin/analytics/overview', { token: ada.token });
  expect(body.totals.uniqueUsers).toBe(2);
  expect(body.schools.map((one: { uniqueUsers: number }) => one.uniqueUsers)).toEqual([2, 1]);
});

test('the overview counts a volunteer new to a school as returning in the district', async () => {
  const returning = async (query: string) => {
    const path = `GET /api/admin/analytics/overview?startDate=2026-04-01&endDate=2026-12-31${query}`;
    const { newUsers, returningUsers } = (await app.call(path, { token: ada.token })).body.totals;
    return { newUsers, returningUsers };
  };
  await anEntry(app, { by: sam, activity: library, hours: 1, date: '2026-04-02' });
  const tim = await aPerson(app, { schools: [school, other] });
  await anEntry(app, { by: tim, activity: garden, hours: 1, date: '2026-01-02' });
  await anEntry(app, { by: tim, activity: library, hours: 1, date: '2026-04-02' });
  expect(await returning('')).toEqual({ newUsers: 0, returningUsers: 2 });
  expect(await returning(`&schoolId=${school.id}`)).toEqual({ newUsers: 1, returningUsers: 1 });
});
