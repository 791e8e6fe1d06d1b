import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { PERSONAL_DATA_FEATURES } from './registry.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

/** Tables that hold nothing about a person, and why. A column that refers to one may not stand in them. */
const ABOUT_NOBODY: Readonly<Record<string, string>> = {
  schools: 'a school, and who signs its letters',
  school_logos: 'a picture of a school',
  categories: 'a kind of activity',
  activities: 'an activity of a school',
  invite_schools: 'which school an invitation opens',
  orphaned_photo_files: 'names of files, which are random',
  district_settings: "the district's own; who is mailed about photos is noted by id and looked up",
  daily_jobs: 'what was done on which day',
  system_warnings: 'what is wrong with the installation',
  server_state: 'what servers note about themselves; of a failure, only its kind',
  failed_requests: 'patterns of addresses and how often they failed',
  drive_root: 'a folder in Drive',
  drive_folders: 'a folder in Drive',
  drive_files: 'a file in Drive',
  drive_sync_activities: 'an activity within a sync',
  drive_sync_photos: 'a photo within a sync',
  school_sums: 'sums',
  activity_sums: 'sums',
  day_sums: 'sums',
  month_sums: 'sums',
  schema_migrations: 'the data model',
  schema_migrations_lock: 'the data model',
};

const PERSON = /(^|_)(user|person|actor)_id$|_by$/;
// A moment or a day is text on SQLite.
const TIME = /(_at|_until|_from|_before|_date|_day)$|^(at|day|month)$/;

async function columns() {
  const tables = await app.deps.database.db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.flatMap((table) =>
    table.columns.map(({ name, dataType }) => ({
      table: table.name,
      name: `${table.name}.${name}`,
      isPerson: PERSON.test(name),
      isText: /text|char|json/i.test(dataType) && !TIME.test(name),
    })),
  );
}

async function unnamed(): Promise<string[]> {
  const named = new Set(
    PERSONAL_DATA_FEATURES.flatMap(({ DELETED_COLUMNS, RETAINED_COLUMNS }) => [
      ...DELETED_COLUMNS,
      ...Object.keys(RETAINED_COLUMNS),
    ]),
  );
  return (await columns())
    .filter(({ table, isPerson, isText }) => isPerson || (isText && !(table in ABOUT_NOBODY)))
    .map(({ name }) => name)
    .filter((name) => !named.has(name as never));
}

describe('every column that refers to a person or may have text about one', () => {
  test('is listed as deleted with the person, or as retained for a reason', async () => {
    expect((await columns()).filter(({ isPerson }) => isPerson).length).toBeGreaterThan(20);
    expect(await unnamed()).toEqual([]);
  });

  test('is reported if a migration adds it and no feature lists it', async () => {
    const own = await startApp();
    const { db } = own.deps.database;
    await sql`alter table users add column nickname text`.execute(db);
    await sql`alter table schools add column led_by integer`.execute(db);
    const held = app;
    app = own;
    try {
      expect((await unnamed()).toSorted()).toEqual(['schools.led_by', 'users.nickname']);
    } finally {
      app = held;
    }
  });

  test('is listed once, and only if it exists', async () => {
    const named = PERSONAL_DATA_FEATURES.flatMap(({ DELETED_COLUMNS, RETAINED_COLUMNS }) => [
      ...DELETED_COLUMNS,
      ...Object.keys(RETAINED_COLUMNS),
    ]);
    expect(named.length).toBe(new Set(named).size);
    const there = (await columns()).map(({ name }) => name);
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
  });

  test('has a documented reason if it is retained', () => {
    const reasons = PERSONAL_DATA_FEATURES.flatMap(({ RETAINED_COLUMNS }) => Object.values(RETAINED_COLUMNS));
    expect(reasons.filter((reason) => reason.length < 20)).toEqual([]);
  });
});
