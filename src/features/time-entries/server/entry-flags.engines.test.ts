import { beforeAll, describe, expect, test } from 'vitest';
import {
  addDays,
  day,
  dayIn,
  type Instant,
  instantOf,
  millisecondsOf,
  startOfDay,
} from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp, TODAY as TODAY_TEXT } from '#test/harness.ts';
import { randomFrom } from '#test/stress/random.ts';
import { FLAGS } from '../verification-status.ts';

/** The time zone of the test district. */
const ZONE = 'America/Chicago';
const TODAY = day(TODAY_TEXT);
const SEEDS = [1, 2, 3];

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});

type Logged = Readonly<{
  id: number;
  userId: number;
  activityId: number;
  hours: number;
  date: string;
  at: Instant;
  isDeleted: boolean;
}>;
type Place = Readonly<{
  lateAfterDays: number | null;
  dates: ReadonlyMap<number, readonly [string, string | null]>;
}>;

const number = (date: string) => millisecondsOf(`${date}T00:00:00.000Z` as Instant) / 86_400_000;

/** Computes flags differently from the product: from all entries in memory, with a median. */
function oddIn(all: readonly Logged[], entry: Logged, { lateAfterDays, dates }: Place): string[] {
  const live = all.filter(({ isDeleted }) => !isDeleted);
  const ofDay = live.filter(({ userId, date }) => userId === entry.userId && date === entry.date);
  const latest = live
    .filter(({ activityId }) => activityId === entry.activityId)
    .sort((a, b) => b.date.localeCompare(a.date) || b.id - a.id)
    .slice(0, 200);
  const others = latest
    .filter(({ userId }) => userId !== entry.userId)
    .map(({ hours }) => hours)
    .sort((a, b) => a - b);
  const median = others[Math.ceil(others.length / 2) - 1] ?? 0;
  const [from, until] = dates.get(entry.activityId) ?? [null, null];
  const found = {
    longEntry: entry.hours > 8,
    longDay: ofDay.reduce((sum, { hours }) => sum + hours, 0) > 16,
    sameDay: ofDay.filter(({ activityId }) => activityId === entry.activityId).length > 1,
    late: number(dayIn(ZONE, entry.at)) - number(entry.date) > (lateAfterDays ?? 30),
    outsideDates: from !== null && (entry.date < from || (until !== null && entry.date > until)),
    unusual: others.length >= 5 && entry.hours >= 3 * median,
  };
  return FLAGS.filter((flag) => found[flag]);
}

// Long because it creates the volunteers, the activities and their entries.
/** Entries of a few people for a few activities on a few days, logged in the minutes around midnight. */
async function aCrowd(seed: number) {
  const random = randomFrom(seed);
  const pick = <Thing>(things: readonly Thing[]): Thing =>
    things[Math.floor(random() * things.length)] as Thing;
  const lateAfterDays = seed % 2 === 0 ? 7 : null;
  const school = await aSchool(app, { verification: 'on' });
  const { db } = app.deps.database;
  await db
    .updateTable('schools')
    .set({ late_after_days: lateAfterDays })
    .where('id', '=', school.id)
    .execute();
  const people = [];
  for (let made = 0; made < 6; made++) people.push(await aPerson(app, { schools: [school] }));
  const [open, spring, ending] = [
    await anActivity(app, { school }),
    await anActivity(app, { school, activeFrom: addDays(TODAY, -20) }),
    await anActivity(app, {
      school,
      activeFrom: addDays(TODAY, -20),
      activeUntil: addDays(TODAY, -10),
    }),
  ];
  const dates = new Map([
    [spring.id, [addDays(TODAY, -20), null] as const],
    [ending.id, [addDays(TODAY, -20), addDays(TODAY, -10)] as const],
  ]);
  const all: Logged[] = [];
  for (let made = 0; made < 70; made++) {
    const [by, activity] = [pick(people), pick([open, spring, ending])];
    const hours = pick([0.25, 0.5, 1, 1, 1, 1.5, 2, 3, 4, 7.75, 8, 8.25, 9]);
    const date = addDays(TODAY, -pick([0, 5, 7, 10, 11, 20, 21, 30]));
    // Some days later, within an hour of midnight local time.
    const later = addDays(date, pick([0, 1, 7, 8, 30, 31]));
    const at = instantOf(millisecondsOf(startOfDay(ZONE, later)) + Math.round((random() - 0.5) * 7_200_000));
    const isDeleted = random() < 0.1;
    const { id } = await anEntry(app, { by, activity, hours, date, ...(isDeleted ? { deletedBy: by } : {}) });
    await db
      .updateTable('time_entries')
      .set({ verification: 'waiting', created_at: at })
      .where('id', '=', id)
      .execute();
    all.push({ id, userId: by.id, activityId: activity.id, hours, date, at, isDeleted });
  }
  return { school, all, place: { lateAfterDays, dates } };
}

describe.each(SEEDS)('the flags of random entries (%s)', (seed) => {
  test('match a naive computation, in the list and in the filter', async () => {
    const { school, all, place } = await aCrowd(seed);
    const expected = new Map(
      all.filter(({ isDeleted }) => !isDeleted).map((entry) => [entry.id, oddIn(all, entry, place)]),
    );
    const list = async (query = '') => {
      const path = `/api/admin/verifications?schoolId=${school.id}&limit=100${query}`;
      const { body } = await app.call(`GET ${path}`, { token: ada.token });
      return body.entries as { id: number; flags: string[] }[];
    };
    expect(new Map((await list()).map(({ id, flags }) => [id, flags]))).toEqual(expected);
    for (const flag of FLAGS) {
      const found = (await list(`&flag=${flag}`)).map(({ id }) => id);
      const odd = [...expected].filter(([, flags]) => flags.includes(flag)).map(([id]) => id);
      expect([flag, new Set(found)]).toEqual([flag, new Set(odd)]);
      expect([flag, odd.length > 0, odd.length < expected.size]).toEqual([flag, true, true]);
    }
  });
});
