import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { countEntriesWithoutAudit } from '#features/operations/server/store.ts';
import type { Database } from '#server/db/database.ts';
import { isCommonPassword } from '#server/passwords.ts';
import { addDays, day, type Instant, instantOf } from '#shared/calendar-date.ts';
import { aSchool } from '#test/builders.ts';
import { NOW, startApp, TODAY } from '#test/harness.ts';
import { DemoFolderError, markFilled, prepareDemoFolder } from '../../scripts/demo/demo-folder.ts';
import { fillDemo, GENERATOR_VERSION } from '../../scripts/demo/fill-demo.ts';
import { addPhotos } from '../../scripts/demo/images.ts';
import { pageAddress } from '../../scripts/demo/page-address.ts';
import { SIGN_INS } from '../../scripts/demo/people.ts';
import { addRecentDays } from '../../scripts/demo/recent-days.ts';

const timeZone = 'America/Chicago';

const TABLES = [
  'schools',
  'users',
  'user_schools',
  'categories',
  'activities',
  'time_entries',
  'activity_suggestions',
] as const;

const KEYS: Readonly<Record<string, RawBuilder<unknown>>> = {
  user_schools: sql`user_id, school_id`,
  district_settings: sql`name`,
  household_members: sql`user_id`,
};

/** How many rows of a table match a condition. */
async function count({ db }: Database, table: string, condition = sql<boolean>`1 = 1`): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${condition}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A hash of all generated rows, without the passwords' hashes, which have a salt. */
async function checksum({ db }: Database): Promise<string> {
  const hash = createHash('sha256');
  for (const table of [...TABLES, 'district_settings', 'household_members']) {
    const key = KEYS[table] ?? sql`id`;
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} order by ${key}`.execute(db);
    for (const row of rows) {
      const { password_hash: _salted, ...rest } = row;
      hash.update(JSON.stringify(Object.entries(rest).sort()));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

const demo = await startApp();
await fillDemo(demo.deps.database, { now: NOW, timeZone });
const { database } = demo.deps;

test('the demo has 6 schools, 307 users and 20,000 entries, some with notes and some deleted', async () => {
  const counts = await Promise.all(TABLES.map(async (table) => [table, await count(database, table)]));
  expect(Object.fromEntries(counts)).toMatchObject({
    schools: 6,
    users: 307,
    categories: 48,
    activities: 120,
    time_entries: 20_000,
    activity_suggestions: 18,
  });
  expect(await count(database, 'users', sql`role = 'admin'`)).toBe(4);
  expect(await count(database, 'photos')).toBe(0);
  expect(await count(database, 'time_entries', sql`deleted_at is not null`)).toBeGreaterThan(20);

  const withNotes = (await count(database, 'time_entries', sql`notes is not null`)) / 20_000;
  expect(withNotes).toBeGreaterThan(0.32);
  expect(withNotes).toBeLessThan(0.38);
  for (const status of ['pending', 'approved', 'rejected', 'deleted']) {
    expect(await count(database, 'activity_suggestions', sql`status = ${status}`), status).toBeGreaterThan(2);
  }
  const suggested = await database.db
    .selectFrom('activity_suggestions')
    .select('created_at')
    .orderBy('id')
    .execute();
  expect(suggested).toEqual(suggested.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)));
});

test('the demo has activities of every kind', async () => {
  const kinds = {
    todays: sql<boolean>`active_from = ${TODAY}`,
    ongoingToday: sql<boolean>`active_from < ${TODAY} and active_until > ${TODAY}`,
    upcoming: sql<boolean>`active_from > ${TODAY}`,
    past: sql<boolean>`coalesce(active_until, active_from) < ${TODAY}`,
    severalDays: sql<boolean>`active_until > active_from`,
    undated: sql<boolean>`active_from is null`,
    inactive: sql<boolean>`is_active = 0`,
    described: sql<boolean>`requires_description = 1`,
    long: sql<boolean>`length(name) > 100`,
  };
  for (const [kind, condition] of Object.entries(kinds)) {
    expect(await count(database, 'activities', condition), kind).toBeGreaterThan(0);
  }
});

test('nothing in the demo is in the future, and every entry is for an activity of its school', async () => {
  expect(await count(database, 'time_entries', sql`entry_date > ${TODAY}`)).toBe(0);
  expect(await count(database, 'time_entries', sql`entry_date = ${TODAY}`)).toBeGreaterThan(2);
  for (const table of TABLES) expect(await count(database, table, sql`created_at > ${NOW}`), table).toBe(0);
  expect(await count(database, 'users', sql`last_login_at > ${NOW}`)).toBe(0);
  expect(
    await count(database, 'activity_suggestions', sql`decided_at > ${NOW} or decided_at < created_at`),
  ).toBe(0);

  const { rows } = await sql`select e.id from time_entries e
    left join activities a on a.id = e.activity_id and a.school_id = e.school_id
    left join user_schools m on m.user_id = e.user_id and m.school_id = e.school_id
    where a.id is null or m.user_id is null`.execute(database.db);
  expect(rows).toEqual([]);
  const missing = await sql`select e.id from time_entries e join activities a on a.id = e.activity_id
    where a.requires_description = 1 and e.notes is null`.execute(database.db);
  expect(missing.rows).toEqual([]);
});

test('a demo made five minutes after midnight has nothing in the future', async () => {
  const small = await startApp();
  const now = '2026-11-02T06:05:00.000Z' as Instant;
  await fillDemo(small.deps.database, {
    now,
    timeZone,
    sizes: { schools: 2, activities: 30, volunteers: 30, entries: 1500, days: 60 },
  });
  for (const table of TABLES) {
    expect(await count(small.deps.database, table, sql`created_at > ${now}`), table).toBe(0);
  }
  expect(await count(small.deps.database, 'time_entries', sql`entry_date > '2026-11-02'`)).toBe(0);
  expect(await count(small.deps.database, 'time_entries')).toBe(1500);
});

test('every entry of the demo has an audit event', async () => {
  expect(await countEntriesWithoutAudit(database.db, instantOf(0))).toBe(0);
});

test('the same day and seed create the same demo', { timeout: 120_000 }, async () => {
  const [twin, other] = [await startApp(), await startApp()];
  await fillDemo(twin.deps.database, { now: NOW, timeZone });
  await fillDemo(other.deps.database, { now: NOW, timeZone, seed: 'another', sizes: { entries: 100 } });
  expect(await checksum(twin.deps.database)).toBe(await checksum(database));
  expect(await checksum(other.deps.database)).not.toBe(await checksum(database));
});

test('a change of the demo’s data requires a new generator version', async () => {
  // Other data under the same version would leave visitors with the old kind: raise the version, then update the sum.
  expect({ version: GENERATOR_VERSION, sum: await checksum(database) }).toEqual({
    version: 17,
    sum: '19e383e829612308',
  });
});

test('the demo’s volunteer is in a household of three, with a code for another member', async () => {
  const { token } = await signIn(SIGN_INS.volunteer);
  const { household } = (await demo.call('GET /api/profile/household', { token })).body;
  expect(household.members.map(({ name }: { name: string }) => name)).toEqual([
    'Lucía Núñez',
    'Marisol Núñez',
    'Mateo Núñez',
  ]);
  expect(household.members.every(({ hours }: { hours: number }) => hours > 0)).toBe(true);
  expect(household.code.code).toMatch(/^.{4}-.{4}$/);
});

test('the demo’s volunteer sees 12 photos of past or current activities, most with a caption', async () => {
  const district = await startApp();
  await fillDemo(district.deps.database, { now: NOW, timeZone, sizes: { entries: 100 } });
  expect(await addPhotos(district.deps)).toBe(12);
  const { rows } = await sql`select photos.id from photos join activities a on a.id = activity_id
    where a.active_from is null or a.active_from > ${TODAY}`.execute(district.deps.database.db);
  expect(rows).toEqual([]);
  const { token, user } = (
    await district.call('POST /api/auth/login', {
      body: { email: SIGN_INS.volunteer, password: SIGN_INS.password },
    })
  ).body;
  const lists = await Promise.all(
    user.schools.map((school: { id: number }) =>
      district.call(`GET /api/schools/${school.id}/photos`, { token }),
    ),
  );
  const photos = lists.flatMap((list) => list.body.photos);
  expect(photos).toHaveLength(12);
  expect(photos.filter((photo) => photo.caption !== null).length).toBeGreaterThan(6);
  expect(new Set(photos.map((photo) => photo.width / photo.height)).size).toBe(4);
});

test('the demo’s audit log covers recent days: logos, corrections, restored entries', async () => {
  const district = await startApp();
  await fillDemo(district.deps.database, { now: NOW, timeZone, sizes: { entries: 2000 } });
  await addRecentDays(district.deps);
  const { token } = (
    await district.call('POST /api/auth/login', {
      body: { email: SIGN_INS.administrator, password: SIGN_INS.password },
    })
  ).body;
  const log = await district.call('GET /api/admin/audit?limit=100', { token });
  const records: { action: string; at: string }[] = log.body.records;
  const found = (action: string) => records.filter((record) => record.action === action).length;
  expect(found('school.logo')).toBe(6);
  for (const action of ['entry.edit', 'entry.delete', 'entry.restore', 'activity.edit', 'session.fail']) {
    expect(found(action), action).toBeGreaterThan(0);
  }
  // A walk-in from a paper sheet, and somebody who registered twice.
  expect([found('account.create'), found('account.register')]).toEqual([1, 1]);
  const { pairs } = (await district.call('GET /api/admin/duplicates?search=nunez', { token })).body;
  expect(pairs).toHaveLength(1);
  expect(new Set(records.map(({ at }) => at.slice(0, 10))).size).toBeGreaterThan(3);
  expect(records.every(({ at }) => at <= NOW)).toBe(true);
  const { schools } = (await district.call('GET /api/schools/public')).body;
  const logos = await Promise.all(
    schools.map(({ logoUrl }: { logoUrl: string }) => district.call(`GET ${logoUrl}`)),
  );
  expect(logos.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

test('the demo’s volunteer signs in and finds two schools, recent hours and an event of today', async () => {
  const { email, token, user } = await signIn(SIGN_INS.volunteer);
  expect(user).toMatchObject({ email, role: 'user' });
  expect(user.schools).toHaveLength(2);

  const recent = await demo.call('GET /api/time-entries?limit=20', { token });
  const entries: { entryDate: string; activity: { requiresDescription: boolean }; notes: string | null }[] =
    recent.body.timeEntries;
  expect(entries).toHaveLength(20);
  expect(entries.filter((entry) => entry.entryDate === TODAY).length).toBeGreaterThan(1);
  expect(entries.filter((entry) => entry.entryDate >= addDays(day(TODAY), -7)).length).toBeGreaterThan(5);
  expect(entries.some((entry) => entry.activity.requiresDescription && entry.notes !== null)).toBe(true);

  const { activities } = (await demo.call('GET /api/activities', { token })).body;
  const todays = activities.filter(
    (activity: { activeFrom: string | null; category: { kind: string } }) =>
      activity.category.kind === 'event' && activity.activeFrom === TODAY,
  );
  expect(todays.length).toBeGreaterThan(0);
});

test('the demo’s administrator signs in and belongs to no school', async () => {
  const { token, user } = await signIn(SIGN_INS.administrator);
  expect(user).toMatchObject({ role: 'admin', schools: [] });
  const schools = await demo.call('GET /api/admin/schools', { token });
  expect([schools.status, schools.body.total]).toEqual([200, 6]);
  const { rate, value } = (await demo.call('GET /api/admin/reports/in-kind', { token })).body;
  expect(rate).toMatchObject({ source: 'Independent Sector', year: 2024 });
  expect(value).toBeGreaterThan(100_000);
  expect(isCommonPassword(SIGN_INS.password)).toBe(false);
});

test.each([
  [SIGN_INS.schoolAdministrator, 1],
  [SIGN_INS.coordinator, 2],
  [SIGN_INS.auditor, 6],
])('%s signs in to the demo and sees %i of its schools', async (email, count) => {
  const { token, user } = await signIn(email);
  expect(user).toMatchObject({ role: 'user', schools: [] });
  expect((await demo.call('GET /api/admin/schools', { token })).body.total).toBe(count);
});

test('a database that is not empty is not filled with the demo', async () => {
  const app = await startApp();
  await aSchool(app);
  await expect(fillDemo(app.deps.database, { now: NOW, timeZone })).rejects.toThrow('empty database');
  expect(await count(app.deps.database, 'time_entries')).toBe(0);
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
])('a demo on %s is reachable at %s', (host, address) => {
  expect(pageAddress(host, '3000')).toBe(address);
});

describe('the demo folder', () => {
  const parent = mkdtempSync(join(tmpdir(), 'volunteer-time-demo-'));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  test('is rejected if the demo did not make it, and does not change', () => {
    const folder = join(parent, 'real');
    mkdirSync(folder);
    writeFileSync(join(folder, 'volunteer-time.db'), 'real hours');
    expect(() => prepareDemoFolder(folder, 'today')).toThrow(DemoFolderError);
    expect(() => prepareDemoFolder(folder, 'today')).toThrow('was not made by the demo');
    expect(readdirSync(folder)).toEqual(['volunteer-time.db']);
  });

  test('preserves a visitor’s changes for the day, and is refilled the next day', () => {
    const folder = join(parent, 'demo');
    expect(prepareDemoFolder(folder, 'today')).toBe('fill');
    markFilled(folder, 'today');
    writeFileSync(join(folder, 'volunteer-time.db'), 'demo hours');
    expect(prepareDemoFolder(folder, 'today')).toBe('reuse');
    expect(existsSync(join(folder, 'volunteer-time.db'))).toBe(true);
    expect(prepareDemoFolder(folder, 'tomorrow')).toBe('fill');
    expect(existsSync(join(folder, 'volunteer-time.db'))).toBe(false);
  });

  test('is refilled after an interrupted start', () => {
    const folder = join(parent, 'interrupted');
    prepareDemoFolder(folder, 'today');
    writeFileSync(join(folder, 'volunteer-time.db'), 'half of it');
    expect(prepareDemoFolder(folder, 'today')).toBe('fill');
    expect(existsSync(join(folder, 'volunteer-time.db'))).toBe(false);
  });
});

async function signIn(email: string) {
  const { status, body } = await demo.call('POST /api/auth/login', {
    body: { email, password: SIGN_INS.password },
  });
  expect(status).toBe(200);
  return { email, token: body.token as string, user: body.user };
}
