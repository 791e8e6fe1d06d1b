import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { asViewer } from '#server/http/viewer.ts';
import { sumHours } from '#shared/hours.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { NOW, startApp } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';
import { sheetsOf } from '#test/workbook.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const lincoln = await aSchool(app, { name: 'Lincoln' });
const maple = await aSchool(app, { name: 'Maple' });
const thu = await aPerson(app, { schools: [lincoln, maple], firstName: 'Đặng Thu', lastName: 'Hữu Nguyễn' });
const pat = await aPerson(app, { schools: [lincoln] });
const events = await aCategory(app, { school: lincoln, name: 'Events' });
const fair = await anActivity(app, { school: lincoln, category: events, name: 'Book fair' });
const garden = await anActivity(app, { school: maple, name: '=Garden' });
await anEntry(app, { by: thu, activity: fair, hours: 2.25, date: '2025-10-01' });
await anEntry(app, { by: thu, activity: fair, hours: 0.5, date: '2026-03-01' });
await anEntry(app, { by: thu, activity: garden, hours: 3, date: '2026-03-02' });
await anEntry(app, { by: thu, activity: garden, hours: 5, date: '2026-03-02', deletedBy: thu });
await anEntry(app, { by: pat, activity: fair, hours: 1.33, date: '2026-03-03' });

const RATE = { hourlyRate: 33.49, source: 'Independent Sector', year: 2024 };
const THIS_YEAR = { startDate: '2025-07-01', endDate: '2026-06-30' };

async function file(path: string, token: string, body: object) {
  const reply = await app.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  return { status: reply.statusCode, bytes: reply.rawPayload, headers: reply.headers };
}

const recorded = async (action: string) =>
  app.deps.database.db
    .selectFrom('audit_events')
    .select(['actor_id', 'after'])
    .where('action', '=', action)
    .execute();

describe('statement of hours', () => {
  test("contains only the viewer's own hours in the period, by school and activity", async () => {
    const { body } = await app.call('GET /api/reports/statement?startDate=2026-03-01', { token: thu.token });
    expect(body.statement).toEqual({
      person: { id: thu.id, firstName: 'Đặng Thu', lastName: 'Hữu Nguyễn' },
      totalHours: 3.5,
      verifiedHours: null,
      totalEntries: 2,
      schools: [
        {
          id: lincoln.id,
          name: 'Lincoln',
          totalHours: 0.5,
          verifiedHours: null,
          totalEntries: 1,
          activities: [
            {
              id: fair.id,
              name: 'Book fair',
              category: 'Events',
              firstDate: '2026-03-01',
              lastDate: '2026-03-01',
              totalHours: 0.5,
              verifiedHours: null,
              totalEntries: 1,
            },
          ],
        },
        expect.objectContaining({ id: maple.id, totalHours: 3, totalEntries: 1 }),
      ],
    });
  });

  test('is a tagged PDF that renders a Vietnamese name, and records an audit event', async () => {
    const { status, bytes, headers } = await file('/reports/statement', thu.token, THIS_YEAR);
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
    const pdf = readPdf(bytes);
    for (const words of [
      'Volunteer hours report',
      'Đặng Thu Hữu Nguyễn',
      'Jul 1, 2025 to Jun 30, 2026',
      'Lincoln',
      'Book fair',
      'Oct 1, 2025 to Mar 1, 2026',
      '2.75',
      'volunteered 5.75 h in 3 entries',
      'Signed by the volunteer',
      'Page 1 of 1',
    ]) {
      expect(pdf.text.replaceAll(/\s+/g, ' '), words).toContain(words);
    }
    expect(pdf.text).not.toContain('?');
    expect(pdf.tags).toMatchObject({ Document: 1, H1: 1, H2: 2, Table: 2, TR: 6 });
    // Five column headers, and a row header in each row.
    expect(pdf.tags['TH']).toBe(2 * (5 + 2));
    expect(pdf.frame).toContain('/Marked true');
    expect(pdf.frame).toMatch(/\/Lang \(en/);
    expect(await recorded('report.statement')).toEqual([
      { actor_id: thu.id, after: JSON.stringify({ ...THIS_YEAR, totalHours: 5.75 }) },
    ]);
  });

  test('shows a message for a period without hours', async () => {
    const { bytes } = await file('/reports/statement', pat.token, { endDate: '2025-01-01' });
    expect(readPdf(bytes).text).toContain('No hours were logged in this period.');
  });

  test('requires a session, and an end after the start', async () => {
    expect((await app.call('GET /api/reports/statement')).status).toBe(401);
    const reversed = { startDate: '2026-02-01', endDate: '2026-01-01' };
    expect((await file('/reports/statement', pat.token, reversed)).status).toBe(400);
  });
});

describe('board summary', () => {
  test('contains the totals of the Analytics screen and charts with alt texts, and is audited', async () => {
    const { status, bytes } = await file('/admin/reports/summary', ada.token, THIS_YEAR);
    expect(status).toBe(200);
    const pdf = readPdf(bytes);
    const { body } = await app.call(
      `GET /api/admin/analytics/overview?startDate=${THIS_YEAR.startDate}&endDate=${THIS_YEAR.endDate}`,
      { token: ada.token },
    );
    const { totalHours, totalEntries, uniqueUsers, newUsers } = body.totals;
    const text = pdf.text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`${uniqueUsers} volunteers gave ${totalHours} h in ${totalEntries} entries.`);
    expect(text).toContain(`${newUsers} first-time volunteers`);
    for (const school of body.schools) expect(text).toContain(`${school.name} ${school.totalHours}`);
    expect(text).toContain('Book fair (Lincoln)');
    for (const category of body.categories) expect(text).toContain(category.name);
    expect(pdf.tags).toMatchObject({ H1: 1, H2: 5, Figure: 5, Table: 5 });
    expect(pdf.frame.match(/\/Alt/g)).toHaveLength(5);
    expect(await recorded('report.summary')).toHaveLength(1);
  });

  test('covers one school on request', async () => {
    const { bytes } = await file('/admin/reports/summary', ada.token, { schoolId: maple.id });
    const { text } = readPdf(bytes);
    expect(text).toContain('=Garden');
    expect(text).not.toContain('Book fair');
  });
});

describe('in-kind match', () => {
  const match = (query = '') => app.call(`GET /api/admin/reports/in-kind${query}`, { token: ada.token });

  test('requires a rate with its source and year', async () => {
    expect(await match()).toMatchObject({ status: 409, body: { error: 'Please set the hourly rate first' } });
    const save = (body: object) => app.call('PUT /api/admin/reports/rate', { token: ada.token, body });
    for (const [field, value] of [
      ['hourlyRate', 0],
      ['hourlyRate', 1.005],
      ['hourlyRate', '30'],
      ['source', ' '],
      ['year', 1999],
    ] as const) {
      const refused = await save({ ...RATE, [field]: value });
      expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, [field]]);
    }
    expect(await save(RATE)).toMatchObject({
      status: 200,
      body: { rate: RATE, message: 'Hourly rate saved' },
    });
    expect((await app.call('GET /api/admin/reports/rate', { token: ada.token })).body).toEqual({
      rate: RATE,
    });
    expect(await recorded('report.rate')).toEqual([{ actor_id: ada.id, after: JSON.stringify(RATE) }]);
  });

  test('adds up values that are rounded once per activity', async () => {
    const { body } = await match('?startDate=2025-07-01');
    expect(body.schools).toMatchObject([
      // 4.08 h x 33.49 = 136.6392
      { name: 'Lincoln', totalHours: 4.08, value: 136.64, activities: [{ value: 136.64 }] },
      { name: 'Maple', totalHours: 3, value: 100.47 },
    ]);
    expect([body.totalHours, body.totalEntries, body.value]).toEqual([7.08, 4, 237.11]);
  });

  test('can be downloaded as CSV and Excel without formulas, each with an audit event', async () => {
    const { bytes, headers } = await file('/admin/reports/in-kind/csv', ada.token, THIS_YEAR);
    expect(headers['content-disposition']).toBe('attachment; filename="in-kind-match.csv"');
    const [head, ...rows] = parse(bytes, { bom: true }) as string[][];
    expect(head?.slice(0, 7)).toEqual([
      'School',
      'Activity',
      'Category',
      'Entries',
      'Hours',
      'Hourly rate',
      'Value',
    ]);
    expect(rows.map((row) => [row[1], row[4], row[6]])).toEqual([
      ['Book fair', '4.08', '136.64'],
      ["'=Garden", '3', '100.47'],
      ['', '7.08', '237.11'],
    ]);
    expect(rows[0]?.slice(7)).toEqual(['Independent Sector', '2024', 'Jul 1, 2025 to Jun 30, 2026']);
    const workbook = await file('/admin/reports/in-kind/xlsx', ada.token, { schoolId: maple.id });
    const [sheet = []] = sheetsOf(workbook.bytes).values();
    expect(sheet[1]).toMatchObject({ B: '=Garden', E: { number: 3 }, G: { number: 100.47 } });
    expect((await file('/admin/reports/in-kind/doc', ada.token, {})).status).toBe(400);
    expect((await recorded('report.in-kind')).map((row) => JSON.parse(row.after ?? '{}').format)).toEqual([
      'csv',
      'xlsx',
    ]);
  });
});

test('entry summary, analytics, in-kind match and board summary show the same totals for a period', async () => {
  const query = `startDate=${THIS_YEAR.startDate}&endDate=${THIS_YEAR.endDate}`;
  const get = async (path: string) =>
    (await app.call(`GET /api/admin/${path}?${query}`, { token: ada.token })).body;
  const { totalHours, totalEntries, uniqueUsers } = (await get('time-entries/summary')).summary;
  const said = { totalHours, totalEntries };
  expect(said).toEqual({ totalHours: 7.08, totalEntries: 4 });
  const overview = await get('analytics/overview');
  expect(overview.totals).toMatchObject({ ...said, uniqueUsers });
  const { activities } = await get('analytics/activities');
  for (const parts of [activities, overview.schools, overview.categories, overview.weekdays]) {
    expect(addedUp(parts)).toEqual(said);
  }
  const inKind = await get('reports/in-kind');
  expect(inKind).toMatchObject(said);
  const table = parse((await file('/admin/reports/in-kind/csv', ada.token, THIS_YEAR)).bytes, { bom: true });
  expect((table as string[][]).at(-1)?.slice(3, 7)).toEqual(['4', '7.08', '33.49', String(inKind.value)]);
  const { text } = readPdf((await file('/admin/reports/summary', ada.token, THIS_YEAR)).bytes);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`${uniqueUsers} volunteers gave 7.08 h in 4 entries`);
});

const addedUp = (parts: { totalHours: number; totalEntries: number }[]) => ({
  totalHours: sumHours(parts.map((part) => part.totalHours)),
  totalEntries: parts.reduce((sum, part) => sum + part.totalEntries, 0),
});

describe('concurrent reports of one user', () => {
  const countOf = async () => (await recorded('report.statement')).length;

  /** A report of Pat's that is rendered until `end`. */
  function underway() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const viewer = asViewer({ userId: pat.id, sessionId: 1, role: 'user', schoolIds: [], grants: [] });
    const request = { at: NOW, address: '10.0.0.1', requestId: 'test', agent: 'test' };
    const gone = new AbortController().signal;
    const made = app.deps.reportWorkers.make({ viewer, request, gone }, () => promise);
    return async () => {
      resolve();
      await made;
    };
  }

  test('run one after the other, and are rejected above three', async () => {
    const before = await countOf();
    const end = underway();
    const statuses: number[] = [];
    const asked = Array.from({ length: 5 }, async () => {
      const reply = await file('/reports/statement', pat.token, {});
      statuses.push(reply.status);
      return reply;
    });
    await expect.poll(() => statuses).toEqual([429, 429, 429]);
    await end();
    const replies = await Promise.all(asked);
    expect(statuses.slice(3)).toEqual([200, 200]);
    for (const { bytes, headers } of replies.filter(({ status }) => status === 429)) {
      expect(JSON.parse(bytes.toString())).toEqual({
        error: 'Your other reports are still being created. Please try again in a few seconds.',
      });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(await countOf()).toBe(before + 2);
  });

  test('leave the queue without an audit event if the client disconnects', async () => {
    const before = await countOf();
    const origin = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const ask = (signal = new AbortController().signal) =>
      fetch(`${origin}/api/reports/statement`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${pat.token}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: '{}',
        signal,
      });
    const connections = () =>
      new Promise((resolve) => app.app.server.getConnections((_, count) => resolve(count)));
    const end = underway();
    const leaving = new AbortController();
    const statuses: (number | string)[] = [];
    const asked = Array.from({ length: 5 }, async () => {
      const reply = await ask(leaving.signal).catch(() => ({ status: 'left' }));
      statuses.push(reply.status);
    });
    await expect.poll(() => statuses).toEqual([429, 429, 429]);
    leaving.abort();
    await Promise.all(asked);
    expect(statuses.slice(3)).toEqual(['left', 'left']);
    await expect.poll(connections).toBe(0);
    await end();
    expect((await ask()).status).toBe(200);
    expect(await countOf()).toBe(before + 1);
  });
});

test('only administrators get district reports', async () => {
  for (const path of ['GET /api/admin/reports/in-kind', 'GET /api/admin/reports/rate']) {
    expect((await app.call(path, { token: pat.token })).status).toBe(403);
  }
  for (const path of ['/admin/reports/summary', '/admin/reports/in-kind/csv']) {
    expect((await file(path, pat.token, {})).status).toBe(403);
  }
  expect((await app.call('PUT /api/admin/reports/rate', { token: pat.token, body: RATE })).status).toBe(403);
});
