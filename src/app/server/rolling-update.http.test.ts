import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { copyFolder } from '#server/db/dump/pre-update-copy.ts';
import { appliedMigrations, migrate, rollingMigrations } from '#server/db/migrate.ts';
import { anActivity, aPerson, aSchool } from '#test/builders.ts';
import { atEnd, ENGINE, emptyPlace, startApp, type TestApp } from '#test/harness.ts';
import { addLaterVersion, BEFORE, LATER, removeLaterVersion } from '#test/old-version-district.ts';
import { beginUpdate } from './update.ts';

const STEPS = join(import.meta.dirname, '../../server/db/migrations');

/** Does to a database what a later version with one more step that rolls would. */
async function changeAsLater({ deps }: TestApp): Promise<void> {
  const { db } = deps.database;
  await sql`alter table time_entries add column later text`.execute(db);
  await sql`insert into schema_migrations (name, timestamp) values ('9999-later', '2026-03-04T00:00:00.000Z')`.execute(
    db,
  );
}

const again = ({ dataDir, databaseUrl }: TestApp) =>
  startApp({ DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) });

async function logs(app: TestApp): Promise<number> {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const { token } = await aPerson(app, { schools: [school] });
  const reply = await app.call('POST /api/time-entries', {
    token,
    body: { activityId: activity.id, hours: 1 },
  });
  return reply.status;
}

test('a server keeps running, and can start, after a later version extended the schema', async () => {
  const app = await startApp();
  await changeAsLater(app);
  expect([await logs(app), (await app.call('GET /readyz')).status]).toEqual([201, 200]);
  const beside = await again(app);
  expect([await logs(beside), (await beside.call('GET /readyz')).status]).toEqual([201, 200]);
  expect(await appliedMigrations(app.deps.database)).toContain('9999-later');
});

test('a server is not ready, and cannot start, once a later version requires it to be updated', async () => {
  const app = await startApp();
  expect((await app.call('GET /readyz')).status).toBe(200);
  await changeAsLater(app);
  await sql`update server_state set value = '9999-later' where name = 'must-know'`.execute(
    app.deps.database.db,
  );
  await expect
    .poll(async () => (await app.call('GET /readyz')).body.error)
    .toBe('This server is older than its database. Please update it.');
  await expect(again(app)).rejects.toThrow('made by a newer version of this program (9999-later)');
});

test('a rolling update makes no database copy, and blocks no requests while it waits for a table lock', async () => {
  const place = await emptyPlace();
  const database = await openDatabase(place);
  atEnd(() => database.close());
  await migrate(database);
  addLaterVersion({ rolls: true });
  onTestFinished(removeLaterVersion);
  const config = readConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl });
  const updating = async () => {
    const own = await openDatabase(place);
    return beginUpdate(config, own).finally(() => own.close());
  };
  let updated: ReturnType<typeof updating> | undefined;
  if (ENGINE === 'postgres') {
    // A request writes to the table that the step refers to, and the step must wait for its end.
    const write = (db: Db) => db.updateTable('users').set({ first_name: '' }).where('id', '=', 0).execute();
    await database.db.transaction().execute(async (trx) => {
      await write(trx);
      updated = updating();
      const waits = sql`select from pg_locks where mode = 'ShareRowExclusiveLock' and not granted
        and relation = 'users'::regclass`;
      const other = await openDatabase(place);
      await expect.poll(async () => (await waits.execute(other.db)).rows.length).toBe(1);
      // Behind the step, which lets it pass.
      await write(other.db);
      await other.close();
    });
  }
  const { migrated } = await (updated ?? updating());
  expect(migrated).toEqual([LATER]);
  const copies = copyFolder(place.dataDir);
  expect(existsSync(copies) ? readdirSync(copies) : []).toEqual([]);
  const kept = sql<{ value: string }>`select value from server_state where name = 'must-know'`;
  expect((await kept.execute(database.db)).rows).toEqual([{ value: BEFORE }]);
});

const statementsOf = (name: string) =>
  [...readFileSync(join(STEPS, `${name}.ts`), 'utf8').matchAll(/sql(?:<[^`]*>)?`([^`]+)`/g)].map(
    ([, statement = '']) => statement.trim().toLowerCase(),
  );

/** Tables and columns that steps which roll have added; these may fill them. */
const ADDED = rollingMigrations()
  .flatMap(statementsOf)
  .flatMap((statement) => {
    const [, table] = /^create table (\w+)/.exec(statement) ?? [];
    const [, altered, column] = /^alter table (\w+) add column (\w+)/.exec(statement) ?? [];
    if (table !== undefined) return [`insert into ${table} `];
    return altered === undefined ? [] : [`update ${altered} set ${column} = `];
  });

test.each(rollingMigrations())(
  'the rolling migration %s only adds or fills new tables, indexes and columns',
  (name) => {
    const statements = statementsOf(name);
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      const isFilled = ADDED.some((added) => statement.startsWith(added));
      if (!isFilled)
        expect(statement).toMatch(/^(create (table|index) |alter table \w+ add column |select )/);
      if (statement.startsWith('alter') && statement.includes('not null'))
        expect(statement).toContain('default');
    }
  },
);
