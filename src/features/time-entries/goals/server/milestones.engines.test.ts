import { beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';

const ALL = '/api/admin/milestones';
const TEN = { hours: 10, words: 'Thank you!' };
const FIFTY = { hours: 50, words: 'You are a pillar of our school.' };

let app: TestApp;
let ada: Awaited<ReturnType<typeof aPerson>>;
let ann: Awaited<ReturnType<typeof aPerson>>;
let activity: Awaited<ReturnType<typeof anActivity>>;
beforeEach(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
  const school = await aSchool(app);
  activity = await anActivity(app, { school });
  ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Young' });
});

const set = (milestones: unknown) => app.call(`PUT ${ALL}`, { token: ada.token, body: { milestones } });
const thanks = async () => (await app.call('GET /api/profile/thanks', { token: ann.token })).body.thanks;
const putAway = (hours: number) =>
  app.call('POST /api/profile/thanks/put-away', { token: ann.token, body: { hours } });
const logs = (hours: number, by = ann, date?: string) =>
  anEntry(app, { by, activity, hours, ...(date === undefined ? {} : { date }) });
const people = async (hours: number, more = '') =>
  (await app.call(`GET ${ALL}/people?hours=${hours}${more}`, { token: ada.token })).body;

describe('the thank-you for a milestone', () => {
  test('appears until dismissed, once per milestone and school year', async () => {
    await logs(9.75);
    expect(await thanks()).toBe(null);
    await set([FIFTY, TEN]);
    expect(await thanks()).toBe(null);
    const { id } = await logs(0.25);
    expect([await thanks(), await thanks()]).toEqual(Array(2).fill({ ...TEN, yearStart: '2025-07-01' }));
    expect((await putAway(10)).status).toBe(200);
    expect(await thanks()).toBe(null);
    await app.call(`DELETE /api/time-entries/${id}`, { token: ann.token });
    await logs(1);
    expect(await thanks()).toBe(null);
    await set([TEN]);
    await set([{ ...TEN, words: 'Other words' }, FIFTY]);
    expect(await thanks()).toBe(null);
    for (let day = 1; day <= 2; day++) await logs(24, ann, `2026-01-0${day}`);
    expect(await thanks()).toMatchObject(FIFTY);
  });

  test('appears for the highest milestone reached, and not for lower ones later', async () => {
    await set([TEN, FIFTY]);
    for (let day = 1; day <= 3; day++) await logs(20, ann, `2026-01-0${day}`);
    expect(await thanks()).toMatchObject(FIFTY);
    await Promise.all(Array.from({ length: 20 }, () => putAway(50)));
    await app.deps.database.db.updateTable('time_entries').set({ hours_hundredths: 500 }).execute();
    expect(await thanks()).toBe(null);
  });

  test('counts the current school year only, and is deleted with the account', async () => {
    await set([TEN]);
    await logs(12, ann, '2025-06-30');
    expect(await thanks()).toBe(null);
    await logs(12);
    await putAway(10);
    const { text } = await app.call('GET /api/profile/data', { token: ann.token });
    expect(JSON.parse(text).thanksPutAway).toEqual([{ schoolYearFrom: '2025-07-01', hours: 10 }]);
    await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: ada.token });
    expect(await app.deps.database.db.selectFrom('milestone_thanks').selectAll().execute()).toEqual([]);
  });
});

describe("the district's milestones", () => {
  test('are set by administrators, audited, and show how many people reached each', async () => {
    const ben = await aPerson(app, { firstName: 'Ben', lastName: 'Abel' });
    const off = await aPerson(app);
    await logs(12);
    for (const by of [ben, off])
      for (const date of ['2026-01-01', '2026-01-02', '2026-01-03']) await logs(20, by, date);
    await app.deps.database.db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    const reply = await set([FIFTY, TEN]);
    const counted = [
      { ...TEN, people: 2 },
      { ...FIFTY, people: 1 },
    ];
    expect(reply.body).toEqual({ milestones: counted, message: 'Milestones saved' });
    expect((await app.call(`GET ${ALL}`, { token: ada.token })).body.milestones).toEqual(counted);
    expect((await people(10)).people).toEqual([
      { id: ben.id, firstName: 'Ben', lastName: 'Abel' },
      { id: ann.id, firstName: 'Ann', lastName: 'Young' },
    ]);
    const first = await people(10, '&limit=1');
    const second = await people(10, `&limit=1&cursor=${first.nextCursor}`);
    expect([first, second].flatMap((page) => page.people.map(({ id }: { id: number }) => id))).toEqual([
      ben.id,
      ann.id,
    ]);
    await set([TEN, FIFTY]);
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['actor_id', 'after'])
      .where('action', '=', 'milestones.settings')
      .execute();
    expect(rows).toEqual([{ actor_id: ada.id, after: JSON.stringify({ hours: ['10', '50'] }) }]);
  });

  test('can be exported as names and schools without hours, which is audited', async () => {
    const late = await aPerson(app, { firstName: '=Zoë', lastName: 'Abel' });
    for (const date of ['2026-01-01', '2026-01-02']) await logs(8, late, date);
    await logs(12);
    const file = (token: string, hours: unknown = 10) =>
      app.call(`POST ${ALL}/people/file`, { token, body: { hours } });
    expect((await file(ann.token)).status).toBe(403);
    expect((await file(ada.token, 'x')).status).toBe(400);
    const reply = await file(ada.token);
    const { name: school } = await app.deps.database.db
      .selectFrom('schools')
      .select('name')
      .where('id', '=', activity.schoolId)
      .executeTakeFirstOrThrow();
    expect([reply.status, reply.text]).toEqual([
      200,
      `\uFEFFLast name,First name,Schools,Milestone\r\nAbel,'=Zoë,,10 hours\r\nYoung,Ann,${school},10 hours\r\n`,
    ]);
    expect(reply.headers['content-disposition']).toBe('attachment; filename="milestone-10_2025-07-01.csv"');
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['actor_id', 'after'])
      .where('action', '=', 'milestones.export')
      .execute();
    expect(rows).toEqual([
      { actor_id: ada.id, after: JSON.stringify({ format: 'csv', hours: 10, rows: 2 }) },
    ]);
  });

  test.each([
    ['the same hours twice', [TEN, TEN]],
    ['no words', [{ hours: 5, words: ' \u0000 ' }]],
    ['too many words', [{ hours: 5, words: 'x'.repeat(10_000) }]],
    ['half hours', [{ hours: 5.5, words: 'Thanks' }]],
    ['zero hours', [{ hours: 0, words: 'Thanks' }]],
    ['eleven milestones', Array.from({ length: 11 }, (_, index) => ({ hours: index + 1, words: 'Thanks' }))],
    ['a text instead of a list', 'ten'],
  ])('reject %s', async (_, milestones) => {
    expect((await set(milestones)).status).toBe(400);
    expect((await app.call(`GET ${ALL}`, { token: ada.token })).body.milestones).toEqual([]);
  });
});
