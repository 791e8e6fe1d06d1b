import { expect, test } from 'vitest';
import type { ActivityAnalytics, Overview } from '#features/reports/analytics/contract.ts';
import { INACTIVE_VOLUNTEERS, TOP_VOLUNTEERS } from '#features/reports/analytics/contract.ts';
import { schoolYearMonths } from '#features/reports/analytics/server/actions.ts';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { addDays, type CalendarDate, day, weekdayOf } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { ENGINE, startApp, TODAY } from '#test/harness.ts';
import { IS_LONG } from '../test-level.ts';
import { randomFrom } from './random.ts';

const SEED = Number(process.env['STRESS_SEED'] ?? 20_261_121);
const ROUNDS = IS_LONG ? 100 : 4;
const OPERATIONS = IS_LONG ? 100 : 40;
const WRITERS = 8;
const LIVELY_DAYS = 500;

const app = await startApp();
const { token } = await anAdministrator(app);
const random = randomFrom(SEED);
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

const [here, there] = [await aSchool(app), await aSchool(app)];
const schools = [here, there, await aSchool(app, { name: 'Without hours' })];
const people: { id: number }[] = [];
for (let number = 0; number < 9; number++) {
  people.push(await aPerson(app, { schools: [here, there], firstName: `P${number}`, lastName: 'Helper' }));
}
const categories = [
  await aCategory(app, { school: here, name: 'Events' }),
  await aCategory(app, { school: here, name: 'Classroom', color: '#aa0000' }),
  await aCategory(app, { school: there, name: 'EVENTS' }),
];
const activities: { id: number; schoolId: number }[] = [];
for (let number = 0; number < 10; number++) {
  const category = categories[number % 3];
  const school = category?.schoolId === there.id ? there : here;
  if (category !== undefined) activities.push(await anActivity(app, { school, category }));
}
const entryIds: number[] = [];

const send = (methodAndPath: string, body?: object) => app.call(methodAndPath, { token, body });

/** One thing that people do to entries and to what they are counted under. */
async function operate(): Promise<void> {
  const hours = (1 + below(40)) / 4;
  // Most days are in the last months, so that several people share a month; some are at the edges of months and
  // years.
  const ago = pick([below(30), below(120), below(LIVELY_DAYS), 60, 61, 425, 426]);
  const entryDate = random() < 0.2 ? pick(EDGES) : addDays(day(TODAY), -ago);
  const activityId = pick(activities).id;
  const what = random();
  if (what < 0.5 || entryIds.length < 20) {
    const body = { userId: pick(people).id, activityId, hours, entryDate };
    const logged = await send('POST /api/admin/time-entries', body);
    expect(logged.status).toBe(201);
    entryIds.push(logged.body.timeEntry.id);
  } else if (what < 0.65) {
    await send(`PUT /api/admin/time-entries/${pick(entryIds)}`, { hours, activityId, entryDate });
  } else if (what < 0.75) {
    await send(`PUT /api/admin/time-entries/${pick(entryIds)}`, { hours });
  } else if (what < 0.88) {
    await send(`DELETE /api/admin/time-entries/${pick(entryIds)}`);
  } else if (what < 0.95) {
    await send(`POST /api/time-entries/${pick(entryIds)}/restore`);
  } else {
    const categoryId = pick(categories).id;
    await send(`PUT /api/admin/activities/${activityId}`, { categoryId });
  }
}

const EDGES = ['2024-06-30', '2024-07-01', '2025-06-30', '2025-07-01', '2025-12-31', '2026-02-28', TODAY].map(
  day,
);

type Raw = Awaited<ReturnType<typeof rawEntries>>[number];

/** The sums computed from the entries themselves. */
function rawEntries() {
  return app.deps.database.db
    .selectFrom('time_entries')
    .innerJoin('activities', 'activities.id', 'time_entries.activity_id')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .where('deleted_at', 'is', null)
    .select(['time_entries.user_id', 'time_entries.school_id', 'time_entries.activity_id'])
    .select(['time_entries.hours_hundredths', 'time_entries.entry_date', 'categories.name_key'])
    .execute();
}

type Added = { totalHours: number; verifiedHours: null; totalEntries: number };
type Asked = { schoolId?: number; startDate?: CalendarDate; endDate?: CalendarDate };

const added = (rows: readonly Raw[]) => ({
  totalHours: rows.reduce((sum, row) => sum + row.hours_hundredths, 0) / 100,
  verifiedHours: null,
  totalEntries: rows.length,
});
const peopleIn = (rows: readonly Raw[]) => new Set(rows.map((row) => row.user_id));
const of = (rows: readonly Raw[], asked: Asked) =>
  rows.filter(
    (row) =>
      (asked.schoolId === undefined || row.school_id === asked.schoolId) &&
      (asked.startDate === undefined || row.entry_date >= asked.startDate) &&
      (asked.endDate === undefined || row.entry_date <= asked.endDate),
  );
const groups = <Key>(rows: readonly Raw[], key: (row: Raw) => Key) => [...Map.groupBy(rows, key)];
const mostHours = (a: { totalHours: number }, b: { totalHours: number }) => b.totalHours - a.totalHours;

async function expectEveryFigure(asked: Asked): Promise<void> {
  const all = await rawEntries();
  const rows = of(all, asked);
  const query = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const get = async (what: string) => {
    const reply = await send(`GET /api/admin/analytics/${what}?${query}`);
    expect([what, reply.status]).toEqual([what, 200]);
    return reply.body;
  };

  const found: ActivityAnalytics[] = (await get('activities')).activities;
  expect(found.map((one) => one.totalHours)).toEqual(found.toSorted(mostHours).map((one) => one.totalHours));
  const shown = ({ id, totalHours, totalEntries, uniqueUsers }: (typeof found)[number]) =>
    `${id}: ${totalHours} ${totalEntries} ${uniqueUsers}`;
  expect(found.map(shown).sort()).toEqual(
    groups(rows, (row) => row.activity_id)
      .map(([id, own]) => {
        const { totalHours, totalEntries } = added(own);
        return `${id}: ${totalHours} ${totalEntries} ${peopleIn(own).size}`;
      })
      .sort(),
  );

  const overview: Overview = await get('overview');
  const inScope = of(all, asked.schoolId === undefined ? {} : { schoolId: asked.schoolId });
  const before = inScope.filter((row) => asked.startDate !== undefined && row.entry_date < asked.startDate);
  const returning = [...peopleIn(rows)].filter((id) => peopleIn(before).has(id)).length;
  const isOpen = asked.startDate === undefined;
  expect(overview.totals).toEqual({
    ...added(rows),
    uniqueUsers: peopleIn(rows).size,
    newUsers: isOpen ? null : peopleIn(rows).size - returning,
    returningUsers: isOpen ? null : returning,
  });
  expect(overview.schools.map(({ name, ...school }) => school)).toEqual(
    schools
      .filter(({ id }) => asked.schoolId === undefined || asked.schoolId === id)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ id }) => {
        const own = rows.filter((row) => row.school_id === id);
        return { id, ...added(own), uniqueUsers: peopleIn(own).size };
      }),
  );
  expect(
    overview.categories.map(({ name, color, ...category }) => ({ name: name.toLowerCase(), ...category })),
  ).toEqual(
    expect.arrayContaining(
      groups(rows, (row) => row.name_key).map(([name, own]) => ({ name, ...added(own) })),
    ),
  );
  expect(overview.categories.length).toBe(new Set(rows.map((row) => row.name_key)).size);
  expect(overview.weekdays).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
      weekday,
      ...added(rows.filter((row) => weekdayOf(row.entry_date) === weekday)),
    })),
  );
  const month = (first: CalendarDate) => ({
    month: first,
    ...added(inScope.filter((row) => row.entry_date.slice(0, 7) === first.slice(0, 7))),
  });
  expect(overview.months).toEqual(
    schoolYearMonths(asked.endDate ?? day(TODAY), '07-01').map((one) => ({
      ...month(one.month),
      lastYear: month(one.lastYear),
    })),
  );

  const { top, stopped, stoppedTotal } = await get('volunteers');
  const ranked = groups(rows, (row) => row.user_id)
    .map(([, own]) => added(own).totalHours)
    .sort((a, b) => b - a);
  expect(top.map((one: { totalHours: number }) => one.totalHours)).toEqual(ranked.slice(0, TOP_VOLUNTEERS));
  const madeOf = (one: { schools: Added[] }) => ({
    totalHours: one.schools.reduce((sum, school) => sum + school.totalHours * 100, 0) / 100,
    totalEntries: one.schools.reduce((sum, school) => sum + school.totalEntries, 0),
  });
  for (const one of [...top, ...stopped]) expect(one).toMatchObject(madeOf(one));

  const weekday = below(7);
  const onWeekday = rows.filter((row) => weekdayOf(row.entry_date) === weekday);
  const cards = await send(`GET /api/admin/time-entries/summary?${query}&weekday=${weekday}`);
  expect(cards.body.summary).toMatchObject({
    ...added(onWeekday),
    uniqueUsers: peopleIn(onWeekday).size,
  });
  const [from, until] = [
    addDays(day(TODAY), -INACTIVE_VOLUNTEERS.quietDays - 1 - INACTIVE_VOLUNTEERS.withinDays),
    addDays(day(TODAY), -INACTIVE_VOLUNTEERS.quietDays - 1),
  ];
  const gone = groups(inScope, (row) => row.user_id)
    .map(([id, own]) => ({
      id,
      own,
      last:
        own
          .map((row) => row.entry_date)
          .sort()
          .at(-1) ?? '',
    }))
    .filter(({ own, last }) => own.length >= INACTIVE_VOLUNTEERS.entries && last >= from && last <= until)
    .map(({ id, own, last }) => ({ id, last, ...added(own) }));
  const named = stopped.map(
    (one: { user: { id: number }; lastDate: string; totalHours: number; totalEntries: number }) => ({
      id: one.user.id,
      last: one.lastDate,
      totalHours: one.totalHours,
      verifiedHours: null,
      totalEntries: one.totalEntries,
    }),
  );
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  expect(named.toSorted(byId)).toEqual(gone.toSorted(byId));
  expect(stoppedTotal).toBe(gone.length);
}

function somePeriod(): Asked {
  const [one, other] = [pick(EDGES), addDays(day(TODAY), -below(LIVELY_DAYS))].sort() as [
    CalendarDate,
    CalendarDate,
  ];
  return {
    ...pick([{}, { schoolId: here.id }, { schoolId: there.id }]),
    ...pick([{}, { startDate: one }, { endDate: other }, { startDate: one, endDate: other }]),
  };
}

test(`all totals match the entries through ${ROUNDS * OPERATIONS} changes by ${WRITERS} writers`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (let done = 0; done < OPERATIONS; done += WRITERS) {
      await Promise.all(Array.from({ length: Math.min(WRITERS, OPERATIONS - done) }, operate));
    }
    expect(await verifyRollups(app.deps.database)).toEqual([]);
    await expectEveryFigure({});
    await expectEveryFigure({ schoolId: here.id });
    await expectEveryFigure({ startDate: day('2025-07-01'), endDate: day('2026-06-30') });
    for (let time = 0; time < 6; time++) await expectEveryFigure(somePeriod());
  }
  if (IS_LONG) console.log(`analytics on ${ENGINE}: ${ROUNDS * OPERATIONS} operations (seed ${SEED})`);
});
