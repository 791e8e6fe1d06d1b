import { beforeAll, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { SORT_ORDERS, SORTS, type TimeEntry } from '../../contract.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const lincoln = await aSchool(app, { name: 'Lincoln' });
const maple = await aSchool(app, { name: 'Maple' });
const thu = await aPerson(app, { schools: [lincoln, maple], firstName: 'Thu' });
const fair = await anActivity(app, { school: lincoln, name: 'Book fair' });
const garden = await anActivity(app, { school: maple, name: 'Garden' });

const call = (methodAndPath: string, body?: object) =>
  app.call(methodAndPath, { token: ada.token, ...(body === undefined ? {} : { body }) });
const hoursOf = ({ timeEntries }: { timeEntries: TimeEntry[] }) =>
  timeEntries.map(({ hours }) => hours).toSorted((a, b) => a - b);

// Lincoln verifies: 2 h and 3.5 h (3 h count) are verified, 4 h wait, 1 h is declined. Maple does not: 5 h.
beforeAll(async () => {
  const entries = await Promise.all(
    [2, 3.5, 4, 1].map((hours) => anEntry(app, { by: thu, activity: fair, hours, date: '2026-03-02' })),
  );
  await anEntry(app, { by: thu, activity: garden, hours: 5, date: '2026-03-03' });
  await call(`PUT /api/admin/schools/${lincoln.id}`, { verification: 'on' });
  const [two, more, , gone] = entries.map(({ id }) => id);
  const decide = (body: object) => call('POST /api/admin/verifications', body);
  await decide({ decision: 'verify', entryIds: [two] });
  await decide({ decision: 'verify', entryIds: [more], hours: 3 });
  await decide({ decision: 'decline', entryIds: [gone], reason: 'Not there' });
});

test.each([
  ['waiting', [4], 0],
  ['verified', [2, 3.5], 5],
  ['declined', [1], 0],
])('the list and its summary can be filtered by the status %s', async (status, hours, verifiedHours) => {
  for (const where of ['', `&schoolId=${lincoln.id}`, `&userId=${thu.id}`, '&startDate=2026-03-01']) {
    const { body: list } = await call(`GET /api/admin/time-entries?status=${status}${where}`);
    expect(hoursOf(list)).toEqual(hours);
    expect(list.total).toBe(hours.length);
    const { body } = await call(`GET /api/admin/time-entries/summary?status=${status}${where}`);
    expect(body.summary).toMatchObject({
      totalEntries: hours.length,
      totalHours: hours.reduce((sum, one) => sum + one, 0),
      verifiedHours,
      uniqueUsers: 1,
    });
  }
});

test.each(SORTS.flatMap((by) => SORT_ORDERS.map((order) => [by, order])))(
  'the status filter works in every order: %s %s',
  async (by, order) => {
    const { body } = await call(
      `GET /api/admin/time-entries?status=verified&sortBy=${by}&sortOrder=${order}`,
    );
    expect(hoursOf(body)).toEqual([2, 3.5]);
  },
);

test('the status filter finds nothing at a school that does not verify hours, and rejects unknown values', async () => {
  const { body } = await call(`GET /api/admin/time-entries?status=waiting&schoolId=${maple.id}`);
  expect(body).toMatchObject({ timeEntries: [], total: 0 });
  expect((await call('GET /api/admin/time-entries?status=lost')).status).toBe(400);
});
