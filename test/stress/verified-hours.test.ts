import { expect, test } from 'vitest';
import { sumMoney, valueOfHours } from '#features/reports/analytics/report-contract.ts';
import { schoolYearMonths } from '#features/reports/analytics/server/actions.ts';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { addDays, type CalendarDate, day, schoolYearStart, weekdayOf } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool } from '../builders.ts';
import { ENGINE, type Reply, startApp, TODAY } from '../harness.ts';
import { readPages } from '../list-requests.ts';
import { IS_LONG } from '../test-level.ts';
import { randomFrom } from './random.ts';

const SEED = Number(process.env['STRESS_SEED'] ?? 20_261_123);
const ROUNDS = IS_LONG ? 100 : 3;
const OPERATIONS = IS_LONG ? 100 : 80;
const WRITERS = 8;
const LIVELY_DAYS = 400;
const RATE = { hourlyRate: 33.49, source: 'Independent Sector', year: 2026 };

const app = await startApp();
const ada = await anAdministrator(app);
const random = randomFrom(SEED);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const send = (methodAndPath: string, body?: object, token = ada.token) =>
  app.call(methodAndPath, { token, ...(body === undefined ? {} : { body }) });

const here = await aSchool(app, { name: 'Here' });
const there = await aSchool(app, { name: 'There' });
const schools = [here, there, await aSchool(app, { name: 'Without verifying' })] as const;
const people: { id: number; token: string }[] = [];
for (let number = 0; number < 7; number++) {
  people.push(await aPerson(app, { schools, firstName: `P${number}`, lastName: 'Helper' }));
}
const activities: { id: number; schoolId: number }[] = [];
for (const school of schools) {
  const category = await aCategory(app, { school, name: 'Events' });
  for (let number = 0; number < 3; number++) activities.push(await anActivity(app, { school, category }));
}
for (const school of [here, there]) await send(`PUT /api/admin/schools/${school.id}`, { verification: 'on' });
await send(`PUT /api/admin/activities/${activities[0]?.id}`, { verifiedBy: 'trusted' });
await send('PUT /api/admin/reports/rate', RATE);

const entryIds: number[] = [];
const batches: number[] = [];
const EDGES = ['2025-06-30', '2025-07-01', '2025-12-31', '2026-02-28', TODAY].map(day);

/** What people do to entries and verifiers to hours; how often each, in a hundred. */
const DEEDS: readonly (readonly [number, () => Promise<Reply>])[] = [
  [16, () => log('admin/time-entries', ada.token)],
  [10, () => log('time-entries', pick(people).token)],
  [5, () => send(`PUT /api/admin/time-entries/${pick(entryIds)}`, { hours: someHours() })],
  [5, () => send(`PUT /api/admin/time-entries/${pick(entryIds)}`, { entryDate: someDay() })],
  [6, () => send(`PUT /api/admin/time-entries/${pick(entryIds)}`, { activityId: pick(activities).id })],
  [
    5,
    () =>
      send(
        `PUT /api/time-entries/${pick(entryIds)}`,
        { activityId: pick(activities).id, hours: someHours() },
        pick(people).token,
      ),
  ],
  [6, () => send(`DELETE /api/admin/time-entries/${pick(entryIds)}`)],
  [6, () => send(`POST /api/time-entries/${pick(entryIds)}/restore`)],
  [16, () => decide({ decision: 'verify', entryIds: some() })],
  [6, () => decide({ decision: 'verify', entryIds: [pick(entryIds)], hours: someHours() })],
  [5, () => decide({ decision: 'decline', entryIds: some(), reason: 'Not there' })],
  [5, () => decide({ decision: 'reopen', entryIds: some() })],
  [7, () => send(`POST /api/admin/verifications/${pick(batches) ?? 0}/undo`)],
  [2, () => switchSchool()],
];

async function operate(): Promise<void> {
  const deeds = entryIds.length < 20 ? DEEDS.slice(0, 1) : DEEDS;
  const each = deeds.flatMap(([often, deed]) => Array.from({ length: often }, () => deed));
  const { status, text } = await pick(each)();
  expect(status < 500 ? 'done' : text).toBe('done');
}

const someHours = () => (1 + below(40)) / 4;
const some = () => Array.from({ length: 1 + below(6) }, () => pick(entryIds));
const someDay = () => (random() < 0.2 ? pick(EDGES) : addDays(day(TODAY), -below(LIVELY_DAYS)));

async function log(where: string, token: string): Promise<Reply> {
  const given = { activityId: pick(activities).id, hours: someHours(), entryDate: someDay() };
  const body = where === 'time-entries' ? given : { ...given, userId: pick(people).id };
  const logged = await send(`POST /api/${where}`, body, token);
  expect([logged.status, logged.text]).toEqual([201, expect.any(String)]);
  entryIds.push(logged.body.timeEntry.id);
  return logged;
}

async function decide(body: object): Promise<Reply> {
  const decided = await send('POST /api/admin/verifications', body);
  expect([decided.status, decided.text]).toEqual([200, expect.any(String)]);
  if (decided.body.batch !== null) batches.push(decided.body.batch);
  return decided;
}

async function switchSchool(): Promise<Reply> {
  const { id } = pick([here, there]);
  const verification = pick(['off', 'on', 'on']);
  const switched = await send(`PUT /api/admin/schools/${id}`, { verification });
  expect([switched.status, switched.text]).toEqual([200, expect.any(String)]);
  return switched;
}

type Raw = Awaited<ReturnType<typeof rawEntries>>[number];

function rawEntries() {
  return app.deps.database.db
    .selectFrom('time_entries')
    .innerJoin('schools', 'schools.id', 'time_entries.school_id')
    .where('deleted_at', 'is', null)
    .select(['time_entries.id', 'user_id', 'school_id', 'activity_id', 'hours_hundredths', 'entry_date'])
    .select(['counted_hundredths', 'time_entries.verification as status', 'schools.verification as setting'])
    .execute();
}

type Asked = { schoolId?: number; startDate?: CalendarDate; endDate?: CalendarDate };
type Look = Readonly<{ all: readonly Raw[]; on: ReadonlySet<number>; isOnly: boolean }>;

const isCounting = (row: Raw) => row.setting === 'on' && row.status === 'verified';
const hundredthsOf = (rows: readonly Raw[], column: 'hours_hundredths' | 'counted_hundredths') =>
  rows.reduce((sum, row) => sum + row[column], 0) / 100;
const peopleIn = (rows: readonly Raw[]) => new Set(rows.map((row) => row.user_id)).size;
const groups = <Key>(rows: readonly Raw[], key: (row: Raw) => Key) => [...Map.groupBy(rows, key)];
const within = (rows: readonly Raw[], asked: Asked) =>
  rows.filter(
    (row) =>
      (asked.schoolId === undefined || row.school_id === asked.schoolId) &&
      (asked.startDate === undefined || row.entry_date >= asked.startDate) &&
      (asked.endDate === undefined || row.entry_date <= asked.endDate),
  );

/** What some entries add up to, where one of the schools verifies or none does. */
function added(rows: readonly Raw[], isOn: boolean, isOnly: boolean) {
  const verified = hundredthsOf(rows.filter(isCounting), 'counted_hundredths');
  return {
    totalHours: isOnly ? verified : hundredthsOf(rows, 'hours_hundredths'),
    verifiedHours: isOn ? verified : null,
    totalEntries: rows.length,
  };
}

function wordsOf(query: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
}

async function get(path: string, query: object, token = ada.token) {
  const reply = await send(`GET /api/${path}?${wordsOf(query)}`, undefined, token);
  expect([path, query, reply.status]).toEqual([path, query, 200]);
  return reply.body;
}

async function expectEveryFigure(asked: Asked, isOnly: boolean): Promise<void> {
  const raw = await rawEntries();
  for (const row of raw) if (row.status !== 'verified') expect(row.counted_hundredths).toBe(0);
  const settings = await app.deps.database.db.selectFrom('schools').selectAll().execute();
  const on = new Set(settings.filter((one) => one.verification === 'on').map(({ id }) => id));
  const all = isOnly ? raw.filter(isCounting) : raw;
  const query = { ...asked, ...(isOnly ? { only: 'verified' } : {}) };
  const look = { all, on, isOnly };
  await expectLists(look, asked, query);
  await expectAnalytics(look, asked, query);
  await expectInKind(raw, on, asked);
  await expectOwnFigures(look, pick(people), asked);
}

/** The cards, with a weekday, a person or an activity too, and the entries that can be opened below them. */
async function expectLists(look: Look, asked: Asked, query: object): Promise<void> {
  const { all, on, isOnly } = look;
  const weekday = below(7);
  const activity = pick(activities);
  const person = pick(people);
  const rows = within(all, asked);
  const isOn = asked.schoolId === undefined ? on.size > 0 : on.has(asked.schoolId);
  const isOnFor = asked.schoolId === undefined || asked.schoolId === activity.schoolId;
  const cards: [object, readonly Raw[], boolean][] = [
    [{}, rows, isOn],
    [{ weekday }, rows.filter((row) => weekdayOf(row.entry_date) === weekday), isOn],
    [{ userId: person.id }, rows.filter((row) => row.user_id === person.id), isOn],
    [
      { activityId: activity.id },
      rows.filter((row) => row.activity_id === activity.id),
      isOnFor && on.has(activity.schoolId),
    ],
  ];
  for (const [more, own, isOnThere] of cards) {
    const { summary } = await get('admin/time-entries/summary', { ...query, ...more });
    const { averageHoursPerEntry, ...said } = summary;
    expect([more, said]).toEqual([more, { ...added(own, isOnThere, isOnly), uniqueUsers: peopleIn(own) }]);
  }
  const path = `/api/admin/time-entries?${wordsOf(query)}`;
  const pages = await readPages(app, path, ada.token, 200);
  const entries = pages.flatMap((page) => page['timeEntries'] as Listed[]);
  expect(entries.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
    rows.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  const counted = entries.map(({ verification }) =>
    verification?.status === 'verified' ? verification.hours : 0,
  );
  expect(counted.reduce((sum, hours) => sum + Math.round(hours * 100), 0)).toBe(
    Math.round((added(rows, true, isOnly).verifiedHours ?? 0) * 100),
  );
}

type Listed = { id: number; verification: { status: string; hours: number } | null };

async function expectAnalytics(look: Look, asked: Asked, query: object): Promise<void> {
  const { all, on, isOnly } = look;
  const rows = within(all, asked);
  const covered = schools.filter(({ id }) => asked.schoolId === undefined || asked.schoolId === id);
  const isOn = covered.some(({ id }) => on.has(id));
  const sums = (own: readonly Raw[], isOnThere = isOn) => added(own, isOnThere, isOnly);
  const found: Found[] = (await get('admin/analytics/activities', query)).activities;
  const shown = found.map(({ id, totalHours, verifiedHours, totalEntries, uniqueUsers }) => ({
    id,
    totalHours,
    verifiedHours,
    totalEntries,
    uniqueUsers,
  }));
  expect(shown.toSorted((a, b) => a.id - b.id)).toEqual(
    groups(rows, (row) => row.activity_id)
      .map(([id, own]) => ({ id, ...sums(own, on.has(own[0]?.school_id ?? 0)), uniqueUsers: peopleIn(own) }))
      .toSorted((a, b) => a.id - b.id),
  );
  const overview = await get('admin/analytics/overview', query);
  const inScope = within(all, asked.schoolId === undefined ? {} : { schoolId: asked.schoolId });
  const { startDate } = asked;
  const before = new Set(
    inScope.filter((row) => startDate !== undefined && row.entry_date < startDate).map((row) => row.user_id),
  );
  const returning = peopleIn(rows.filter((row) => before.has(row.user_id)));
  expect(overview.totals).toEqual({
    ...sums(rows),
    uniqueUsers: peopleIn(rows),
    newUsers: startDate === undefined ? null : peopleIn(rows) - returning,
    returningUsers: startDate === undefined ? null : returning,
  });
  expect(overview.schools).toEqual(
    covered.map(({ id, name }) => {
      const own = rows.filter((row) => row.school_id === id);
      return { id, name, ...sums(own, on.has(id)), uniqueUsers: peopleIn(own) };
    }),
  );
  expect(overview.categories).toMatchObject(rows.length === 0 ? [] : [sums(rows)]);
  expect(overview.weekdays).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
      weekday,
      ...sums(rows.filter((row) => weekdayOf(row.entry_date) === weekday)),
    })),
  );
  const month = (first: CalendarDate) => ({
    month: first,
    ...sums(inScope.filter((row) => row.entry_date.slice(0, 7) === first.slice(0, 7))),
  });
  expect(overview.months).toEqual(
    schoolYearMonths(asked.endDate ?? day(TODAY), '07-01').map((one) => ({
      ...month(one.month),
      lastYear: month(one.lastYear),
    })),
  );
  await expectPeople(look, asked, { query, rows, isOn });
}

type Found = ReturnType<typeof added> & { id: number; uniqueUsers: number };
type Ranked = ReturnType<typeof added> & { user: { id: number }; schools: { id: number }[] };

async function expectPeople(
  { on, isOnly }: Look,
  asked: Asked,
  { query, rows, isOn }: { query: object; rows: readonly Raw[]; isOn: boolean },
): Promise<void> {
  const { top, stopped }: { top: Ranked[]; stopped: Ranked[] } = await get(
    'admin/analytics/volunteers',
    query,
  );
  const bySchool = (own: readonly Raw[], isLimited: boolean) =>
    groups(own, (row) => row.school_id).map(([id, ofSchool]) => ({
      id,
      ...added(ofSchool, on.has(id), isLimited),
    }));
  const said = (one: Ranked) => {
    const { user, ...rest } = one;
    const at = rest.schools.map(({ id, ...sums }) => ({ ...sums, id }));
    return { ...rest, id: user.id, schools: at.toSorted((a, b) => a.id - b.id) };
  };
  const expected = (id: number, own: readonly Raw[], isLimited: boolean) => ({
    id,
    ...added(own, isOn, isLimited),
    schools: bySchool(own, isLimited)
      .map((one) => expect.objectContaining(one))
      .toSorted((a, b) => a.sample.id - b.sample.id),
  });
  const ofPerson = new Map(groups(rows, (row) => row.user_id));
  expect(top.length).toBe(ofPerson.size);
  for (const one of top)
    expect(said(one)).toMatchObject(expected(one.user.id, ofPerson.get(one.user.id) ?? [], isOnly));
  // Volunteers who stopped are listed with all logged hours.
  const logged = within(await rawEntries(), asked.schoolId === undefined ? {} : { schoolId: asked.schoolId });
  for (const one of stopped) {
    const own = logged.filter((row) => row.user_id === one.user.id);
    expect(said(one)).toMatchObject(expected(one.user.id, own, false));
  }
}

async function expectInKind(raw: readonly Raw[], on: ReadonlySet<number>, asked: Asked): Promise<void> {
  for (const only of [undefined, 'verified', 'logged'] as const) {
    const counts = (row: Raw) =>
      only === 'logged' || (on.has(row.school_id) ? isCounting(row) : only === undefined);
    const rows = within(raw, asked).filter(counts);
    const match = await get('admin/reports/in-kind', { ...asked, ...(only === undefined ? {} : { only }) });
    const covered = schools.filter(({ id }) => asked.schoolId === undefined || asked.schoolId === id);
    const ofSchools = covered.map(({ id }) => {
      const isOn = on.has(id);
      const own = groups(
        rows.filter((row) => row.school_id === id),
        (row) => row.activity_id,
      ).map(([, lines]) => {
        const sums = added(lines, isOn, only !== 'logged' && isOn);
        return { ...sums, value: valueOfHours(sums.totalHours, RATE.hourlyRate) };
      });
      return { id, ...inAll(own, isOn) };
    });
    expect([only, match]).toMatchObject([
      only,
      {
        ...inAll(
          ofSchools,
          covered.some(({ id }) => on.has(id)),
        ),
        schools: ofSchools,
      },
    ]);
  }
}

type Worth = ReturnType<typeof added> & { value: number };

function inAll(parts: readonly Worth[], isOn: boolean): Worth {
  const sum = (hours: readonly number[]) => hours.reduce((all, one) => all + Math.round(one * 100), 0) / 100;
  return {
    totalHours: sum(parts.map((one) => one.totalHours)),
    verifiedHours: isOn ? sum(parts.map((one) => one.verifiedHours ?? 0)) : null,
    totalEntries: parts.reduce((all, one) => all + one.totalEntries, 0),
    value: sumMoney(parts.map((one) => one.value)),
  };
}

/** What a volunteer sees: the statement, the most active tasks, and the entries below. */
async function expectOwnFigures(
  { all, on, isOnly }: Look,
  { id, token }: { id: number; token: string },
  { startDate, endDate }: Asked,
): Promise<void> {
  const limit = isOnly ? { only: 'verified' } : {};
  const days = { ...(startDate && { startDate }), ...(endDate && { endDate }) };
  const own = all.filter((row) => row.user_id === id);
  const { statement } = await get('reports/statement', { ...days, ...limit }, token);
  const rows = within(own, days);
  expect(statement).toMatchObject(added(rows, on.size > 0, isOnly));
  for (const school of statement.schools) {
    const ofSchool = rows.filter((row) => row.school_id === school.id);
    expect(school).toMatchObject(added(ofSchool, on.has(school.id), isOnly));
    for (const one of school.activities) {
      const lines = ofSchool.filter((row) => row.activity_id === one.id);
      expect(one).toMatchObject(added(lines, on.has(school.id), isOnly));
    }
  }
  const since = schoolYearStart(day(TODAY), '07-01');
  for (const [who, mine] of [
    [token, own],
    [ada.token, all],
  ] as const) {
    const active = await get('time-entries/most-active', limit, who);
    const thisYear = mine.filter((row) => row.entry_date >= since);
    const { totalEntries: _, ...sums } = added(thisYear, on.size > 0, isOnly);
    expect(active).toMatchObject(sums);
    for (const { activity, recent, ...said } of active.activities) {
      const { totalEntries: __, ...ofActivity } = added(
        thisYear.filter((row) => row.activity_id === activity.id),
        on.has(recent[0].schoolId),
        isOnly,
      );
      expect(said).toEqual(ofActivity);
    }
  }
  const listed = (
    await readPages(app, `/api/time-entries${isOnly ? '?only=verified' : ''}`, token, 200)
  ).flatMap((page) => page['timeEntries'] as Listed[]);
  expect(listed.map((one) => one.id).toSorted((a, b) => a - b)).toEqual(
    own.map((row) => row.id).toSorted((a, b) => a - b),
  );
}

function somePeriod(): Asked {
  const [one, other] = [pick(EDGES), addDays(day(TODAY), -below(LIVELY_DAYS))].sort() as [
    CalendarDate,
    CalendarDate,
  ];
  return {
    ...pick([{}, ...schools.map(({ id }) => ({ schoolId: id }))]),
    ...pick([{}, { startDate: one }, { endDate: other }, { startDate: one, endDate: other }]),
  };
}

test(`all logged and verified totals match the entries through ${ROUNDS * OPERATIONS} changes by ${WRITERS} writers`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (let done = 0; done < OPERATIONS; done += WRITERS) {
      await Promise.all(Array.from({ length: Math.min(WRITERS, OPERATIONS - done) }, operate));
    }
    expect(await verifyRollups(app.deps.database)).toEqual([]);
    for (const isOnly of [false, true]) {
      await expectEveryFigure({}, isOnly);
      for (let time = 0; time < 2; time++) await expectEveryFigure(somePeriod(), isOnly);
    }
  }
  // The last random changes may have left a school without verification, or few hours verified.
  for (const { id } of [here, there]) {
    await send(`PUT /api/admin/schools/${id}`, { verification: 'on' });
  }
  await decide({ decision: 'verify', entryIds: entryIds.slice(-50) });
  await expectEveryFigure({}, true);
  expect((await rawEntries()).filter(isCounting).length).toBeGreaterThan(10);
  if (IS_LONG) console.log(`verified hours on ${ENGINE}: ${ROUNDS * OPERATIONS} operations (seed ${SEED})`);
});
