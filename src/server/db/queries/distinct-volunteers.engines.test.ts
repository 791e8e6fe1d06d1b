import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { addDays, type CalendarDate, day } from '#shared/calendar-date.ts';
import { anActivity, aPerson, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { ALL_SCHOOLS_SCOPE, type SchoolScope, scopeOf } from '../../http/viewer.ts';
import {
  countDistinctVolunteers,
  countVolunteersBySchool,
  type DaysAtSchools,
  distinctVolunteersBySchool,
} from './distinct-volunteers.ts';

const app = await startApp();
const { db } = app.deps.database;
const schools = [await aSchool(app), await aSchool(app), await aSchool(app)];
const [one, two] = schools.map(({ id }) => id);
const activities = await Promise.all(schools.map((school) => anActivity(app, { school })));
const people = await Promise.all(Array.from({ length: 8 }, () => aPerson(app, { schools })));

const FIRST = day('2019-10-01');
const DAYS = 3_400;
const RUNS = 40;

type Entry = { school: number; person: number; date: CalendarDate };

// Ends and beginnings of months come often.
const date = fc.oneof(
  fc.nat({ max: DAYS }).map((days) => addDays(FIRST, days)),
  fc.nat({ max: 110 }).map((month) => monthAt(month)),
  fc.nat({ max: 110 }).map((month) => addDays(monthAt(month), -1)),
);

function monthAt(month: number): CalendarDate {
  const number = 2019 * 12 + 9 + month;
  return day(`${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`);
}

const entry: fc.Arbitrary<Entry> = fc.record({
  school: fc.nat({ max: schools.length - 1 }),
  person: fc.nat({ max: people.length - 1 }),
  date,
});

function at(ids: readonly (number | undefined)[]): SchoolScope {
  const schoolIds = ids.filter((id) => id !== undefined);
  return scopeOf({ userId: 1, sessionId: 1, role: 'user', schoolIds, grants: [] });
}

const range: fc.Arbitrary<DaysAtSchools> = fc
  .record({
    schools: fc.constantFrom(ALL_SCHOOLS_SCOPE, at([one]), at([one, two])),
    ends: fc.tuple(date, date),
    isOpen: fc.constantFrom('start', 'end', 'no', 'no', 'no'),
  })
  .map(({ schools: scope, ends, isOpen }) => {
    const [startDate, endDate] = ends.toSorted();
    return {
      schools: scope,
      startDate: isOpen === 'start' ? undefined : startDate,
      endDate: isOpen === 'end' ? undefined : endDate,
    };
  });

let entries: Entry[] = [];

async function log(more: readonly Entry[]): Promise<void> {
  for (const { school, person, date: at } of more) {
    await sql`insert into time_entries (user_id, school_id, activity_id, hours_hundredths, entry_date, created_at)
      values (${people[person]?.id}, ${schools[school]?.id}, ${activities[school]?.id}, 100, ${at},
        '2026-01-05T10:00:00.000Z')`.execute(db);
  }
  entries = [...entries, ...more];
}

/** What the entries themselves say: each person once for each school. */
function counted({ schools: at, startDate, endDate }: DaysAtSchools) {
  const theirs = entries.filter(({ school }) => at === 'all' || at.includes(schools[school]?.id ?? 0));
  const inRange = ({ date: on }: Entry) =>
    (startDate === undefined || on >= startDate) && (endDate === undefined || on <= endDate);
  const same = (a: Entry, b: Entry) => a.school === b.school && a.person === b.person;
  const helped = theirs.filter(inRange);
  return helped
    .filter((found, index) => helped.findIndex((other) => same(found, other)) === index)
    .map((found) => ({
      school_id: schools[found.school]?.id,
      user_id: people[found.person]?.id,
      came_back: theirs.some(
        (other) => same(found, other) && startDate !== undefined && other.date < startDate,
      )
        ? 1
        : 0,
    }));
}

const valueIn = async (value: RawBuilder<number>) =>
  (await sql<{ value: number }>`select ${value} as value`.execute(db)).rows[0]?.value;

async function expectCounts(days: DaysAtSchools, expected: ReturnType<typeof counted>): Promise<void> {
  const usersOf = (rows: typeof expected) => new Set(rows.map((row) => row.user_id)).size;
  expect([days, await valueIn(countDistinctVolunteers(db, days))]).toEqual([days, usersOf(expected)]);
  const { rows } =
    await sql<object>`select school_id, people from (${countVolunteersBySchool(days)}) as helped`.execute(db);
  const bySchool = [...Map.groupBy(expected, (row) => row.school_id)];
  const people = bySchool.map(([school_id, { length }]) => ({ school_id, people: length }));
  expect([days, inOrder(rows)]).toEqual([days, inOrder(people)]);
}

const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();

test('counts of distinct and returning volunteers match the entries, for any period and schools', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 1, maxLength: 6 }),
      fc.array(range, { minLength: 3, maxLength: 3 }),
      async (more, asked) => {
        await log(more);
        for (const days of asked) {
          const expected = counted(days);
          const { rows } = await sql<object>`select school_id, user_id, came_back
            from (${distinctVolunteersBySchool(days)}) as helped`.execute(db);
          expect([days, inOrder(rows)]).toEqual([days, inOrder(expected)]);
          await expectCounts(days, expected);
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(entries.length).toBeGreaterThan(RUNS);
});
