import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { toHundredths } from '#shared/hours.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { startApp } from '#test/harness.ts';
import { repairRollups, verifyRollups, verifyRunning } from './rollups.ts';
import { rollupTables } from './rollups-store.ts';

const app = await startApp();
const { database } = app.deps;
const ada = await anAdministrator(app);
const schools = [await aSchool(app), await aSchool(app)] as const;
const people = [
  await aPerson(app, { schools }),
  await aPerson(app, { schools }),
  await aPerson(app, { schools }),
];
const activities = [
  await anActivity(app, { school: schools[0] }),
  await anActivity(app, { school: schools[0] }),
  await anActivity(app, { school: schools[1] }),
];

// It has the months in which people helped, not the hours.
const OF_PEOPLE = 'month_volunteers';
const DAYS = ['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-04'];

type Step = {
  what: 'log' | 'roster' | 'edit' | 'count' | 'delete' | 'restore';
  which: number;
  hours: number;
  day: string;
};

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('log', 'log', 'roster', 'edit', 'edit', 'count', 'count', 'delete', 'restore'),
  which: fc.nat({ max: 1000 }),
  hours: fc.integer({ min: 25, max: 2400 }).map((hundredths) => hundredths / 100),
  day: fc.constantFrom(...DAYS),
});

const entryIds: number[] = [];

async function take({ what, which, hours, day }: Step): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[which % list.length] as T;
  const activityId = pick(activities).id;
  const { token } = ada;
  if (what === 'log') {
    const body = { userId: pick(people).id, activityId, hours, entryDate: day };
    const { body: logged } = await app.call('POST /api/admin/time-entries', { token, body });
    entryIds.push(logged.timeEntry.id);
  } else if (what === 'roster') {
    const entries = people.map((person) => ({ userId: person.id, hours }));
    const { body: logged } = await app.call('POST /api/admin/time-entries/roster', {
      token,
      body: { activityId, entryDate: day, entries },
    });
    entryIds.push(...logged.timeEntries.map((entry: { id: number }) => entry.id));
  } else if (entryIds.length > 0) {
    const path = `/api/admin/time-entries/${pick(entryIds)}`;
    if (what === 'edit') {
      const body = which % 2 === 0 ? { hours } : { activityId, hours, entryDate: day };
      await app.call(`PUT ${path}`, { token, body });
    } else if (what === 'count') {
      const counted = which % 3 === 0 ? 0 : toHundredths(hours);
      await sql`update time_entries set counted_hundredths = ${counted} where id = ${pick(entryIds)}`.execute(
        database.db,
      );
    } else if (what === 'delete') await app.call(`DELETE ${path}`, { token });
    else await app.call(`POST ${path.replace('/admin', '')}/restore`, { token });
  }
}

test('rollups match the entries after logging, editing, moving, verifying, deleting and restoring', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      for (const one of steps) await take(one);
      expect(await verifyRollups(database)).toEqual([]);
    }),
    { numRuns: 15 },
  );
  expect(entryIds.length).toBeGreaterThan(20);
});

test('concurrent logging at one school loses no hours', async () => {
  const before = await app.call(`GET /api/admin/time-entries/summary?schoolId=${schools[0].id}`, {
    token: ada.token,
  });
  await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      app.call('POST /api/time-entries', {
        token: people[index % people.length]?.token,
        body: { activityId: activities[index % 2]?.id, hours: 0.25 },
      }),
    ),
  );
  const after = await app.call(`GET /api/admin/time-entries/summary?schoolId=${schools[0].id}`, {
    token: ada.token,
  });
  expect(after.body.summary.totalEntries - before.body.summary.totalEntries).toBe(24);
  expect(after.body.summary.totalHours - before.body.summary.totalHours).toBeCloseTo(6, 9);
  expect(await verifyRollups(database)).toEqual([]);
});

test('rollups match the entries after several of them swap schools concurrently', async () => {
  const [here, , there] = activities;
  const [ann] = people;
  if (here === undefined || there === undefined || ann === undefined) throw new Error('not made');
  const pairs = await Promise.all(
    [here, there, here, there].map((activity) => anEntry(app, { by: ann, activity })),
  );
  const moved = await Promise.all(
    pairs.map((entry, index) =>
      app.call(`PUT /api/admin/time-entries/${entry.id}`, {
        token: ada.token,
        body: { activityId: (index % 2 === 0 ? there : here).id },
      }),
    ),
  );
  expect(moved.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  expect(await verifyRollups(database)).toEqual([]);
});

test('rollups match the entries after a statement that changes many of them', async () => {
  const [here, , there] = activities;
  const [ann] = people;
  if (here === undefined || there === undefined || ann === undefined) throw new Error('not made');
  const days = ['2025-09-30', '2025-10-01', '2025-11-05', '2025-11-05', '2025-12-24'];
  for (const date of days) await anEntry(app, { by: ann, activity: here, date });
  const theirs = sql`where user_id = ${ann.id} and entry_date between '2025-09-01' and '2025-12-31'`;
  for (const change of [
    sql`update time_entries set counted_hundredths = 75`,
    sql`update time_entries set entry_date = '2025-10-15', counted_hundredths = 50`,
    sql`update time_entries set school_id = ${there.schoolId}, activity_id = ${there.id}`,
    sql`update time_entries set deleted_at = created_at, deleted_by = ${ada.id}`,
    sql`update time_entries set deleted_at = null, deleted_by = null`,
    sql`delete from time_entries`,
  ]) {
    await sql`${change} ${theirs}`.execute(database.db);
    expect(await verifyRollups(database)).toEqual([]);
  }
});

test('rollups include hours verified on insert, whichever trigger runs first', async () => {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const bob = await aPerson(app, { schools: [school] });
  const entry = (id: number) =>
    sql`(${id}, ${bob.id}, ${school.id}, ${activity.id}, 150, '2026-01-05', '2026-01-05T10:00:00.000Z', 'verified', 150)`;
  await sql`insert into time_entries (id, user_id, school_id, activity_id, hours_hundredths, entry_date, created_at,
    verification, counted_hundredths) values ${entry(900_001)}, ${entry(900_002)}`.execute(database.db);
  expect(await verifyRollups(database)).toEqual([]);
  const sums = await database.db
    .selectFrom('school_sums')
    .select(['entries', 'people', 'counted_hundredths'])
    .where('school_id', '=', school.id)
    .execute();
  expect(sums).toEqual([{ entries: 2, people: 1, counted_hundredths: 300 }]);
});

test('rollups can be checked while users log hours', async () => {
  const verified = await transaction(database, async (trx) => {
    await sql`update time_entries set counted_hundredths = 25 where id = ${entryIds[0]}`.execute(trx);
    return verifyRunning(app.deps.config);
  });
  expect(verified).toEqual([]);
  await database.db.updateTable('school_sums').set({ entries: 9_999 }).execute();
  expect((await verifyRunning(app.deps.config)).map(({ table }) => table)).toContain('school_sums');
  await repairRollups(database);
});

test('rollups match the entries after a volunteer is renamed', async () => {
  const [ann] = people;
  await database.db
    .updateTable('users')
    .set({ sort_key: 'aaa aaa' })
    .where('id', '=', ann?.id ?? 0)
    .execute();
  expect(await verifyRollups(database)).toEqual([]);
});

test('deleting a user, an activity or a school without hours deletes their rollups', async () => {
  const school = await aSchool(app);
  const category = await aCategory(app, { school });
  const activity = await anActivity(app, { school, category });
  const bob = await aPerson(app, { schools: [school] });
  const entry = await anEntry(app, { by: bob, activity });
  const { db } = database;
  await db.deleteFrom('time_entries').where('id', '=', entry.id).execute();
  expect(await verifyRollups(database)).toEqual([]);
  for (const path of [`activities/${activity.id}`, `categories/${category.id}`]) {
    expect((await app.call(`DELETE /api/admin/${path}`, { token: ada.token })).status).toBe(200);
  }
  await db.deleteFrom('users').where('id', '=', bob.id).execute();
  expect((await app.call(`DELETE /api/admin/schools/${school.id}`, { token: ada.token })).status).toBe(200);
  for (const table of [
    'school_sums',
    'day_sums',
    'month_sums',
    'month_volunteers',
    'school_volunteers',
  ] as const) {
    const left = await db.selectFrom(table).selectAll().where('school_id', '=', school.id).execute();
    expect(left).toEqual([]);
  }
});

test('a repair corrects a wrong sum and changes nothing else', async () => {
  const tables = rollupTables(database.db);
  const wrong = (table: string) => {
    if (table === OF_PEOPLE) return sql`days = 5, last_before = null`;
    return sql`entries = entries + 1, hours_hundredths = 7`;
  };
  const isThere = (table: string) => (table === OF_PEOPLE ? sql`1 = 1` : sql`entries > 0`);
  const contents = () =>
    Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql<
          Record<string, unknown>
        >`select * from ${sql.table(table)} where ${isThere(table)}`.execute(database.db);
        return rows.map((row) => JSON.stringify(row)).sort();
      }),
    );
  const right = await contents();
  for (const table of tables) {
    await transaction(database, (trx) => sql`update ${sql.table(table)} set ${wrong(table)}`.execute(trx));
    const found = await verifyRollups(database);
    expect([...new Set(found.map((drift) => drift.table))]).toContain(table);
    expect((await repairRollups(database)).length).toBe(found.length);
    expect(await verifyRollups(database)).toEqual([]);
  }
  expect(await contents()).toEqual(right);
});

test('a repair corrects wrong verified hours in every rollup', async () => {
  const [activity] = activities;
  const [ann] = people;
  if (activity === undefined || ann === undefined) throw new Error('not made');
  await anEntry(app, { by: ann, activity, hours: 3 });
  await sql`update time_entries set verification = 'verified', counted_hundredths = 250
    where user_id = ${ann.id} and hours_hundredths = 300`.execute(database.db);
  const tables = rollupTables(database.db).filter((table) => table !== OF_PEOPLE);
  for (const table of tables) {
    await sql`update ${sql.table(table)} set counted_hundredths = counted_hundredths + 1 where entries > 0`.execute(
      database.db,
    );
    const found = await verifyRollups(database);
    expect(new Set(found.map((drift) => drift.table))).toEqual(new Set([table]));
    expect((await repairRollups(database)).length).toBe(found.length);
    expect(await verifyRollups(database)).toEqual([]);
  }
  expect(tables).toHaveLength(6);
});
