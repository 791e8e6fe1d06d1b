import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const lincoln = await aSchool(app, { name: 'Lincoln' });
const maple = await aSchool(app, { name: 'Maple' });
const oak = await aSchool(app, { name: 'Oak' });
const thu = await aPerson(app, { schools: [lincoln, maple], firstName: 'Thu' });
const pat = await aPerson(app, { schools: [oak], firstName: 'Pat' });
const fair = await anActivity(app, { school: lincoln, name: 'Book fair' });
const garden = await anActivity(app, { school: maple, name: 'Garden' });
const RATE = { hourlyRate: 30, source: 'Independent Sector', year: 2026 };

const call = (methodAndPath: string, body?: object, token = ada.token) =>
  app.call(methodAndPath, { token, ...(body === undefined ? {} : { body }) });
const get = async (path: string, token = ada.token) =>
  (await call(`GET /api/${path}`, undefined, token)).body;
const decide = (body: object) => call('POST /api/admin/verifications', body);

// Lincoln verifies: 2 h and 3.5 h (adjusted to 3 h) are verified, 4 h are pending, 1 h is declined. Maple does not: 5
// h.
beforeAll(async () => {
  await call(`PUT /api/admin/schools/${lincoln.id}`, { verification: 'on' });
  const [two, more, , gone] = await Promise.all(
    [2, 3.5, 4, 1].map((hours) => anEntry(app, { by: thu, activity: fair, hours, date: '2026-03-02' })),
  );
  await anEntry(app, { by: thu, activity: garden, hours: 5, date: '2026-03-03' });
  await decide({ decision: 'verify', entryIds: [two?.id] });
  await decide({ decision: 'verify', entryIds: [more?.id], hours: 3 });
  await decide({ decision: 'decline', entryIds: [gone?.id], reason: 'Not there' });
  await call('PUT /api/admin/reports/rate', RATE);
});

describe('reports when a school verifies hours', () => {
  test.each(['', 'startDate=2026-03-01&'])('show verified hours next to logged ones: "%s"', async (days) => {
    const { summary } = await get(`admin/time-entries/summary?${days}`);
    expect(summary).toMatchObject({ totalHours: 15.5, verifiedHours: 5, totalEntries: 5 });
    const { activities } = await get(`admin/analytics/activities?${days}`);
    expect(activities).toMatchObject([
      { name: 'Book fair', totalHours: 10.5, verifiedHours: 5 },
      { name: 'Garden', totalHours: 5, verifiedHours: null },
    ]);
    const overview = await get(`admin/analytics/overview?${days}`);
    expect(overview.totals).toMatchObject({ totalHours: 15.5, verifiedHours: 5 });
    expect(overview.schools).toMatchObject([
      { name: 'Lincoln', totalHours: 10.5, verifiedHours: 5 },
      { name: 'Maple', totalHours: 5, verifiedHours: null },
      { name: 'Oak', totalHours: 0, verifiedHours: null },
    ]);
    expect(overview.weekdays[1]).toMatchObject({ totalHours: 10.5, verifiedHours: 5 });
    expect(overview.months.find((one: { month: string }) => one.month === '2026-03-01')).toMatchObject({
      totalHours: 15.5,
      verifiedHours: 5,
    });
    const { top } = await get(`admin/analytics/volunteers?${days}`);
    expect(top).toMatchObject([
      { totalHours: 15.5, verifiedHours: 5, schools: [{ verifiedHours: 5 }, { verifiedHours: null }] },
    ]);
    expect(await get('time-entries/most-active', thu.token)).toMatchObject({
      totalHours: 15.5,
      verifiedHours: 5,
      activities: [{ verifiedHours: 5 }, { verifiedHours: null }],
    });
    const { statement } = await get(`reports/statement?${days}`, thu.token);
    expect(statement).toMatchObject({ totalHours: 15.5, verifiedHours: 5, totalEntries: 5 });
  });

  test.each(['only=verified', 'only=verified&startDate=2026-03-01'])(
    'count only verified hours with the filter %s',
    async (only) => {
      const { summary } = await get(`admin/time-entries/summary?${only}`);
      expect(summary).toEqual({
        totalHours: 5,
        verifiedHours: 5,
        totalEntries: 2,
        uniqueUsers: 1,
        averageHoursPerEntry: 2.5,
      });
      const list = await get(`admin/time-entries?${only}`);
      expect([list.total, list.timeEntries.length]).toEqual([2, 2]);
      const { activities } = await get(`admin/analytics/activities?${only}`);
      expect(activities).toMatchObject([
        { name: 'Book fair', totalHours: 5, verifiedHours: 5, totalEntries: 2 },
      ]);
      const overview = await get(`admin/analytics/overview?${only}`);
      expect(overview.totals).toMatchObject({ totalHours: 5, totalEntries: 2, uniqueUsers: 1 });
      expect(overview.categories).toMatchObject([{ totalHours: 5, totalEntries: 2 }]);
      const { top } = await get(`admin/analytics/volunteers?${only}`);
      expect(top).toMatchObject([{ totalHours: 5, totalEntries: 2, schools: [{ name: 'Lincoln' }] }]);
      const { statement } = await get(`reports/statement?${only}`, thu.token);
      expect(statement).toMatchObject({ totalHours: 5, verifiedHours: 5, totalEntries: 2 });
    },
  );

  test("apply the verified filter to a volunteer's own lists", async () => {
    const { timeEntries } = await get('time-entries?only=verified', thu.token);
    expect(timeEntries.map((one: { hours: number }) => one.hours).toSorted()).toEqual([2, 3.5]);
    const active = await get('time-entries/most-active?only=verified', thu.token);
    expect(active).toMatchObject({ totalHours: 5, verifiedHours: 5, activities: [{ totalHours: 5 }] });
    expect(active.activities[0].recent.length).toBe(2);
  });

  test('calculate the in-kind value from verified hours there and logged hours elsewhere', async () => {
    expect(await get('admin/reports/in-kind')).toMatchObject({
      totalHours: 10,
      verifiedHours: 5,
      value: 300,
      schools: [
        { name: 'Lincoln', totalHours: 5, verifiedHours: 5, value: 150 },
        { name: 'Maple', totalHours: 5, verifiedHours: null, value: 150 },
        { name: 'Oak', totalHours: 0, verifiedHours: null },
      ],
    });
    expect(await get('admin/reports/in-kind?only=verified')).toMatchObject({ totalHours: 5, value: 150 });
    expect(await get('admin/reports/in-kind?only=logged')).toMatchObject({
      totalHours: 15.5,
      verifiedHours: 5,
      value: 465,
    });
  });
});

describe('PDF and CSV reports', () => {
  const saved = async (path: string, body: object, token = ada.token) => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await app.app.inject({ method: 'POST', url: `/api/${path}`, headers, payload: body });
    expect([path, reply.statusCode]).toEqual([path, 200]);
    return reply.rawPayload;
  };
  const wordsOf = async (path: string, body: object, token = ada.token) =>
    readPdf(await saved(path, body, token)).text.replaceAll(/\s+/g, ' ');
  const linesOf = async (body: object) =>
    parse(await saved('admin/reports/in-kind/csv', body), { bom: true });

  test('show logged and verified hours in a statement, or only verified ones with the filter', async () => {
    const both = await wordsOf('reports/statement', {}, thu.token);
    expect(both).toContain('Entries Logged Verified Book fair');
    expect(both).toContain('Total 4 10.5 5');
    expect(both).toContain('Total 1 5 ');
    expect(both).toContain('volunteered 15.5 h in 5 entries. Verified hours: 5.');
    const only = await wordsOf('reports/statement', { only: 'verified' }, thu.token);
    expect(only).toContain('Only verified hours');
    expect(only).toContain('volunteered 5 h in 2 entries, all verified by the school.');
    for (const word of ['Garden', 'Logged', '10.5']) expect(only).not.toContain(word);
    expect(await wordsOf('reports/statement', { only: 'verified' }, pat.token)).toContain(
      'No hours in this period are verified.',
    );
    const plain = await wordsOf('reports/statement', {}, pat.token);
    expect(plain).not.toMatch(/verified|logged (?!in)/i);
  });

  test('show logged and verified hours in the board summary, or only verified ones with the filter', async () => {
    const both = await wordsOf('admin/reports/summary', {});
    expect(both).toContain('1 volunteer gave 15.5 h in 5 entries. Verified hours: 5.');
    expect(both).toContain('Lincoln 10.5 5 4 1');
    expect(both).toContain('Maple 5 - 1 1');
    const only = await wordsOf('admin/reports/summary', { only: 'verified' });
    expect(only).toContain('Only verified hours 1 volunteer gave 5 verified h in 2 entries.');
    expect(only).not.toContain('10.5');
    expect(await wordsOf('admin/reports/summary', { schoolId: maple.id })).not.toMatch(/verified/i);
  });

  test('show on each in-kind line which hours count', async () => {
    const [titles, ...rows] = await linesOf({});
    expect(titles).toEqual(
      expect.arrayContaining(['Entries', 'Hours', 'Value', 'Period', 'Counted', 'Verified hours']),
    );
    const numbers = rows.map((row: string[]) => [row[0], row[3], row[4], row[6], ...row.slice(10)]);
    expect(numbers).toEqual([
      ['Lincoln', '2', '5', '150', 'Verified hours', '5'],
      ['Maple', '1', '5', '150', 'Logged hours', ''],
      ['Total', '3', '10', '300', "Verified hours; logged hours at schools that don't verify", '5'],
    ]);
    const logged = await linesOf({ only: 'logged', schoolId: lincoln.id });
    expect(logged.slice(1).map((row: string[]) => [row[4], row[6], ...row.slice(10)])).toEqual([
      ['10.5', '315', 'Logged hours', '5'],
      ['10.5', '315', 'Logged hours', '5'],
    ]);
    const [plain] = await linesOf({ schoolId: maple.id });
    expect(plain).toHaveLength(10);
  });
});

describe('reports when no school in the result verifies hours', () => {
  test('return null for verified hours, and 0 hours with the verified filter', async () => {
    for (const path of [
      `admin/time-entries/summary?schoolId=${maple.id}`,
      `admin/time-entries/summary?activityId=${garden.id}`,
    ]) {
      expect((await get(path)).summary).toMatchObject({ totalHours: 5, verifiedHours: null });
      expect((await get(`${path}&only=verified`)).summary).toMatchObject({
        totalHours: 0,
        verifiedHours: null,
      });
    }
    const overview = await get(`admin/analytics/overview?schoolId=${maple.id}`);
    const said = [overview.totals, ...overview.schools, ...overview.categories, ...overview.weekdays];
    expect(new Set(said.map((one) => one.verifiedHours))).toEqual(new Set([null]));
    expect(await get('time-entries/most-active', pat.token)).toMatchObject({ verifiedHours: null });
    expect((await get('reports/statement', pat.token)).statement).toMatchObject({ verifiedHours: null });
  });

  test('hide verified hours of other schools from a user with a role at one school', async () => {
    for (const role of ['auditor', 'coordinator', 'school-admin'] as const) {
      const { token } = await aPersonWithRole(app, role, maple);
      const { summary } = await get('admin/time-entries/summary', token);
      expect([role, summary]).toMatchObject([role, { totalHours: 5, verifiedHours: null }]);
      expect((await get('admin/analytics/overview', token)).totals).toMatchObject({ verifiedHours: null });
      expect((await get('admin/reports/in-kind', token)).verifiedHours).toBe(null);
    }
  });

  test('reject an unknown filter', async () => {
    for (const path of ['time-entries/summary', 'time-entries', 'analytics/overview', 'reports/in-kind']) {
      expect([path, (await call(`GET /api/admin/${path}?only=waiting`)).status]).toEqual([path, 400]);
    }
  });
});
