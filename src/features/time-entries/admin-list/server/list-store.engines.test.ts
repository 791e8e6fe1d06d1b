import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ALL_SCHOOLS_SCOPE } from '#server/http/viewer.ts';
import { addDays, day, weekdayOf } from '#shared/calendar-date.ts';
import { sumHours } from '#shared/hours.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { readPages } from '#test/list-requests.ts';
import { type EntrySort, SORT_ORDERS, SORTS, type TimeEntry } from '../../contract.ts';
import { segmentsByIndex, segmentsBySorting } from './sorted-segments-store.ts';

const FIRST_DAY = day('2025-11-01');

const app = await startApp();
const ada = await anAdministrator(app);
const { here, there, people, activities, everything } = await aDistrict(app);

/** Two schools whose names, dates and hours are full of ties, accents and nulls. */
async function aDistrict(app: TestApp) {
  const [here, there] = [await aSchool(app, { name: 'Here' }), await aSchool(app, { name: 'There' })];
  const names = ['Zoë Ángel', 'Ann Lee', 'Ann Lee', 'Bo lee', 'Émile Zola', 'Đặng Thu', 'Ida Öz', 'Max Ng'];
  const people = [];
  for (const name of names) {
    const [firstName = '', lastName = ''] = name.split(' ');
    people.push(await aPerson(app, { schools: [here, there], firstName, lastName }));
  }
  const dates = [null, '2025-12-01', '2025-12-01', null, '2025-10-14', '2026-02-20', null];
  const activities = [];
  for (const [index, date] of dates.entries()) {
    const name =
      ['Library', 'éclair sale', 'Eclair Sale', 'Tutoring', 'Book fair', 'Library', 'Art'][index] ?? '';
    const school = index % 4 === 3 ? there : here;
    activities.push(await anActivity(app, { school, name, activeFrom: date === null ? null : day(date) }));
  }
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let made = 0; made < 460; made++) {
    // A skewed distribution: one volunteer and one activity have long lists, others short ones.
    const by = people[Math.min(random(people.length), random(people.length))];
    const activity = activities[Math.min(random(activities.length), random(activities.length))];
    if (by === undefined || activity === undefined) throw new Error('not made');
    await anEntry(app, {
      by,
      activity,
      hours: (1 + random(6)) / 4,
      date: addDays(FIRST_DAY, random(100)),
      ...(random(20) === 0 ? { deletedBy: by } : {}),
    });
  }
  const { body } = await app.call('GET /api/admin/time-entries?limit=500', { token: ada.token });
  return { here, there, people, activities, everything: body.timeEntries as TimeEntry[] };
}

/** The folded name that volunteers and activities are sorted by, compared by bytes. */
const keys = {
  users: await keysOf('users', 'sort_key'),
  activities: await keysOf('activities', 'name_key'),
};

async function keysOf(table: 'users' | 'activities', column: 'sort_key' | 'name_key') {
  const { rows } = await sql<{ id: number; key: string }>`
    select id, ${sql.ref(column)} as key from ${sql.table(table)}`.execute(app.deps.database.db);
  return new Map(rows.map((row) => [row.id, Buffer.from(row.key).toString('hex')]));
}

type Value = string | number;

function placeOf(by: EntrySort, entry: TimeEntry): readonly Value[] {
  const { user, activity, hours, entryDate, id } = entry;
  if (by === 'hours') return [hours, id];
  if (by === 'userName') return [keys.users.get(user.id) ?? '', user.id, entryDate, id];
  if (by === 'activityName') return [keys.activities.get(activity.id) ?? '', activity.id, entryDate, id];
  if (by === 'activityDate') return [activity.activeFrom ?? '', activity.id, entryDate, id];
  return [entryDate, id];
}

function plainlySorted(entries: readonly TimeEntry[], by: EntrySort, order: 'asc' | 'desc'): number[] {
  const way = order === 'asc' ? 1 : -1;
  const isLast = (entry: TimeEntry) => by === 'activityDate' && entry.activity.activeFrom === null;
  return entries
    .toSorted((a, b) => {
      if (isLast(a) !== isLast(b)) return isLast(a) ? 1 : -1;
      const [left, right] = [placeOf(by, a), placeOf(by, b)];
      const differing = left.findIndex((value, index) => value !== right[index]);
      return ((left[differing] ?? 0) < (right[differing] ?? 0) ? -1 : 1) * way;
    })
    .map((entry) => entry.id);
}

const [ann, idle] = [people[0], people.at(-1)];
const [library, art] = [activities[0], activities.at(-1)];

/** Large and small results, with every combination of filters. */
const FILTERS: readonly {
  name: string;
  query: Record<string, string>;
  finds: (entry: TimeEntry) => boolean;
}[] = [
  { name: 'all entries', query: {}, finds: () => true },
  { name: 'a school', query: { schoolId: String(here.id) }, finds: (entry) => entry.schoolId === here.id },
  {
    name: 'the other school',
    query: { schoolId: String(there.id) },
    finds: (entry) => entry.schoolId === there.id,
  },
  {
    name: 'many days',
    query: { schoolId: String(here.id), startDate: '2025-11-10', endDate: '2026-01-31' },
    finds: (entry) =>
      entry.schoolId === here.id && entry.entryDate >= '2025-11-10' && entry.entryDate <= '2026-01-31',
  },
  {
    name: 'two days',
    query: { schoolId: String(here.id), startDate: '2025-12-03', endDate: '2025-12-04' },
    finds: (entry) => entry.schoolId === here.id && ['2025-12-03', '2025-12-04'].includes(entry.entryDate),
  },
  {
    name: 'many days at all schools',
    query: { startDate: '2026-01-20' },
    finds: (entry) => entry.entryDate >= '2026-01-20',
  },
  {
    name: 'one day at all schools',
    query: { endDate: '2025-11-01' },
    finds: (entry) => entry.entryDate <= '2025-11-01',
  },
  {
    name: 'Saturdays at a school',
    query: { schoolId: String(here.id), weekday: '6' },
    finds: (entry) => entry.schoolId === here.id && weekdayOf(entry.entryDate) === 6,
  },
  {
    name: 'Sundays in a period at all schools',
    query: { startDate: '2025-11-30', endDate: '2026-01-31', weekday: '0' },
    finds: (entry) =>
      entry.entryDate >= '2025-11-30' && entry.entryDate <= '2026-01-31' && weekdayOf(entry.entryDate) === 0,
  },
  {
    name: 'Mondays within a month',
    query: { schoolId: String(here.id), startDate: '2025-12-02', endDate: '2025-12-21', weekday: '1' },
    finds: (entry) => entry.schoolId === here.id && ['2025-12-08', '2025-12-15'].includes(entry.entryDate),
  },
  {
    name: "a volunteer's Tuesdays in an activity",
    query: { userId: String(ann?.id), activityId: String(library?.id), weekday: '2' },
    finds: (entry) =>
      entry.user.id === ann?.id && entry.activityId === library?.id && weekdayOf(entry.entryDate) === 2,
  },
  {
    name: 'a volunteer with many entries',
    query: { userId: String(ann?.id) },
    finds: (entry) => entry.user.id === ann?.id,
  },
  {
    name: 'a volunteer with few entries at a school',
    query: { schoolId: String(here.id), userId: String(idle?.id) },
    finds: (entry) => entry.schoolId === here.id && entry.user.id === idle?.id,
  },
  {
    name: 'an activity with many entries',
    query: { schoolId: String(here.id), activityId: String(library?.id) },
    finds: (entry) => entry.activityId === library?.id,
  },
  {
    name: 'an activity with few entries since a day',
    query: { activityId: String(art?.id), startDate: '2025-11-20' },
    finds: (entry) => entry.activityId === art?.id && entry.entryDate >= '2025-11-20',
  },
  {
    name: "a volunteer's entries in an activity until a day",
    query: { userId: String(ann?.id), activityId: String(library?.id), endDate: '2026-01-15' },
    finds: (entry) =>
      entry.user.id === ann?.id && entry.activityId === library?.id && entry.entryDate <= '2026-01-15',
  },
];

describe.each(FILTERS)('a list of $name', ({ query, finds }) => {
  const expected = everything.filter(finds);

  test.each(SORTS.flatMap((by) => SORT_ORDERS.map((order) => ({ by, order }))))(
    'matches a plain sort by $by $order, page after page',
    async ({ by, order }) => {
      const path = `/api/admin/time-entries?${new URLSearchParams({ ...query, sortBy: by, sortOrder: order })}`;
      for (const limit of [7, 100]) {
        const pages = await readPages(app, path, ada.token, limit);
        const read = pages.flatMap((page) => page['timeEntries'] as TimeEntry[]).map((entry) => entry.id);
        expect(read).toEqual(plainlySorted(expected, by, order));
        expect(new Set(pages.map((page) => page['total']))).toEqual(new Set([expected.length]));
      }
    },
  );

  test('has a summary that matches its rows', async () => {
    const { status, body } = await app.call(
      `GET /api/admin/time-entries/summary?${new URLSearchParams(query)}`,
      {
        token: ada.token,
      },
    );
    const totalHours = sumHours(expected.map((entry) => entry.hours));
    expect([status, body]).toEqual([
      200,
      {
        summary: {
          totalEntries: expected.length,
          totalHours,
          verifiedHours: null,
          uniqueUsers: new Set(expected.map((entry) => entry.user.id)).size,
          averageHoursPerEntry:
            expected.length === 0 ? 0 : Math.round((100 * totalHours) / expected.length) / 100,
        },
      },
    ]);
  });
});

test('the filters of these tests match few entries, many entries, and more than one page', () => {
  const found = FILTERS.map(({ finds }) => everything.filter(finds).length);
  expect(Math.max(...found)).toBe(everything.length);
  expect(everything.length).toBeGreaterThan(420);
  expect(found.filter((count) => count > 0 && count < 20).length).toBeGreaterThan(2);
});

test.each(SORTS.flatMap((by) => SORT_ORDERS.map((order) => ({ by, order }))))(
  'a list by $by $order neither skips nor repeats existing entries during concurrent writes',
  async ({ by, order }) => {
    const path = `/api/admin/time-entries?schoolId=${here.id}&sortBy=${by}&sortOrder=${order}&limit=40`;
    const seen: number[] = [];
    const written: number[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? path : `${path}&cursor=${cursor}`;
      const { body } = await app.call(`GET ${next}`, { token: ada.token });
      seen.push(...body.timeEntries.map((entry: TimeEntry) => entry.id));
      cursor = body.nextCursor;
      if (ann === undefined || library === undefined) throw new Error('not made');
      const hours = 0.25 + (seen.length % 5) / 4;
      written.push((await anEntry(app, { by: ann, activity: library, hours, date: '2025-12-24' })).id);
    } while (cursor !== null);
    const there_ = new Set(written);
    const expected = plainlySorted(
      everything.filter((entry) => entry.schoolId === here.id),
      by,
      order,
    );
    expect(seen.filter((id) => !there_.has(id))).toEqual(expected);
    expect(new Set(seen).size).toBe(seen.length);
    await app.deps.database.db.deleteFrom('time_entries').where('id', 'in', written).execute();
  },
);

test('renaming a volunteer moves their entries in a list sorted by name', async () => {
  const rename = (key: string) =>
    app.deps.database.db
      .updateTable('users')
      .set({ sort_key: key })
      .where('id', '=', ann?.id ?? 0)
      .execute();
  const first = async () => {
    const path = `/api/admin/time-entries?schoolId=${here.id}&sortBy=userName&sortOrder=asc&limit=1`;
    return (await app.call(`GET ${path}`, { token: ada.token })).body.timeEntries[0].user.id;
  };
  await rename('zzz');
  expect(await first()).not.toBe(ann?.id);
  await rename('!');
  expect(await first()).toBe(ann?.id);
  await rename('angel zoe');
});

test('invalid parameters return an error, and unknown ids match nothing', async () => {
  const { token } = ada;
  const get = (query: string) => app.call(`GET /api/admin/time-entries?${query}`, { token });
  const wrongSort = "This list can't be sorted that way";
  expect(await get('sortBy=created').then((reply) => [reply.status, reply.body])).toEqual([
    400,
    { error: wrongSort, fields: { sortBy: wrongSort } },
  ]);
  expect((await get('sortOrder=up')).body.fields).toEqual({ sortOrder: wrongSort });
  const wrongDays = 'The end date cannot be before the start date';
  for (const path of ['', '/summary']) {
    const reply = await app.call(
      `GET /api/admin/time-entries${path}?startDate=2026-02-02&endDate=2026-02-01`,
      { token },
    );
    expect([reply.status, reply.body]).toEqual([400, { error: wrongDays, fields: { endDate: wrongDays } }]);
    const unknown = await app.call(`GET /api/admin/time-entries${path}?schoolId=999`, { token });
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'School not found' }]);
  }
  expect((await get('startDate=2026-02-30')).body.fields).toEqual({ startDate: 'Invalid date' });
  for (const wrong of ['7', '-1', '1.5', 'x']) {
    expect((await get(`weekday=${wrong}`)).body.fields).toEqual({ weekday: 'That weekday does not exist' });
  }
  expect((await get('limit=501')).status).toBe(400);
  const empty = { timeEntries: [], total: 0, nextCursor: null };
  for (const query of [
    `userId=999`,
    `userId=x`,
    `activityId=999`,
    `schoolId=${there.id}&activityId=${library?.id}`,
  ]) {
    expect((await get(query)).body).toEqual(empty);
    const cards = await app.call(`GET /api/admin/time-entries/summary?${query}`, { token });
    expect(cards.body.summary).toEqual({
      totalEntries: 0,
      totalHours: 0,
      verifiedHours: null,
      uniqueUsers: 0,
      averageHoursPerEntry: 0,
    });
  }
});

test('an administrator of one school finds only its entries and activities', async () => {
  const { token } = await aPersonWithRole(app, 'school-admin', there);
  const ask = (query: string) => app.call(`GET /api/admin/time-entries?${query}`, { token });
  const [tutoring, library] = [activities[3], activities[0]];
  const own = everything.filter(({ school }) => school.id === there.id);
  const ofTutoring = own.filter(({ activity }) => activity.id === tutoring?.id);
  expect(ofTutoring.length).toBeGreaterThan(0);
  expect((await ask('')).body.total).toBe(own.length);
  expect((await ask(`schoolId=${there.id}`)).body.total).toBe(own.length);
  expect((await ask(`activityId=${tutoring?.id}`)).body.total).toBe(ofTutoring.length);
  const empty = { timeEntries: [], total: 0, nextCursor: null };
  expect((await ask(`activityId=${library?.id}`)).body).toEqual(empty);
  expect((await ask(`schoolId=${here.id}`)).status).toBe(404);
  const unused = await aSchool(app);
  const seen = await app.call(`GET /api/admin/time-entries?schoolId=${unused.id}`, { token: ada.token });
  expect([seen.status, seen.body]).toEqual([200, empty]);
});

test('a cursor is valid only for its own sort order', async () => {
  const { body } = await app.call('GET /api/admin/time-entries?limit=5', { token: ada.token });
  for (const [query, status] of [
    ['', 200],
    ['&sortBy=entryDate&sortOrder=desc', 200],
    ['&sortOrder=asc', 400],
    ['&sortBy=userName', 400],
    ['&sortBy=activityDate', 400],
  ] as const) {
    const path = `/api/admin/time-entries?limit=5&cursor=${body.nextCursor}${query}`;
    expect([query, (await app.call(`GET ${path}`, { token: ada.token })).status]).toEqual([query, status]);
  }
  const elsewhere = await app.call(`GET /api/time-entries?cursor=${body.nextCursor}`, { token: ada.token });
  expect(elsewhere.status).toBe(400);
});

test.each([
  ['entryDate', segmentsByIndex],
  ['hours', segmentsByIndex],
  ['entryDate', segmentsBySorting],
  ['userName', segmentsBySorting],
  ['activityName', segmentsBySorting],
  ['activityDate', segmentsBySorting],
] as const)(
  'a list by %s has common page sizes in its SQL text and others as parameters',
  (by, segmentsOf) => {
    const { db } = app.deps.database;
    const segments = segmentsOf({
      db,
      filter: { schools: ALL_SCHOOLS_SCOPE },
      sorting: { by, order: 'asc' },
      after: undefined,
    });
    for (const segment of segments) {
      expect(segment(101).compile(db).sql).toContain('limit 101)');
      expect(segment(98).compile(db).sql).not.toContain('98');
    }
  },
);
