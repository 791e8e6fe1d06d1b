import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Config, readConfig } from '#server/config.ts';
import { type Database, openDatabase, UpdateFailed } from '#server/db/database.ts';
import { factsNow, removeOldCopies } from '#server/db/dump/pre-update-copy.ts';
import { migrate, migrationNames, requireUpToDate } from '#server/db/migrate.ts';
import { getServerState, setServerState } from '#server/db/server-state.ts';
import { failingInserts } from '#test/fault-injection.ts';
import { atEnd, ENGINE, emptyPlace, NOW } from '#test/harness.ts';
import {
  addLaterVersion,
  BEFORE,
  LATER,
  oldDistrict,
  removeLaterVersion,
} from '#test/old-version-district.ts';
import { prepare } from './start.ts';
import { beginUpdate } from './update.ts';

const WAITING = [LATER];
const COPY = `before-update-from-${BEFORE}.${ENGINE === 'sqlite' ? 'db' : 'dump'}`;
const FAILED = `failed-update-to-${LATER}.${ENGINE === 'sqlite' ? 'db' : 'dump'}`;
const MARK = 'update.json';
const DAY_MS = 86_400_000;

// PostgreSQL's programs take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

beforeAll(() => addLaterVersion());
afterAll(removeLaterVersion);

async function anOldDistrict(settings: Record<string, string> = {}) {
  const place = await emptyPlace();
  await oldDistrict(place);
  const config = readConfig({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    LOG_LEVEL: 'silent',
    ...settings,
  });
  return { config, kept: () => readdirSync(join(place.dataDir, 'backups')).toSorted() };
}

/** What a start does up to the point where the migrated server is ready, or is not; then it closes the database. */
async function start(
  config: Config,
  {
    isReady = async () => undefined,
    beforeReady,
  }: { isReady?: () => Promise<void>; beforeReady?: (database: Database) => unknown },
) {
  const database = await openDatabase(config);
  const update = await beginUpdate(config, database);
  try {
    update.attempt();
    await beforeReady?.(database);
    await update.settle(database, isReady);
    await database.close();
    return update.migrated;
  } catch (error) {
    await database.close();
    return update.failed(error);
  }
}

const notReady = async () => {
  throw new Error('no response');
};

describe('an update', () => {
  test('copies the database first, into a private file, and is complete once the server is ready', async () => {
    const { config, kept } = await anOldDistrict();
    const before = await factsNow(config);
    const { app, deps, update } = await prepare(config);
    expect([update.migrated, kept()]).toEqual([WAITING, [COPY, MARK]]);
    await app.ready();
    expect(kept()).toEqual([COPY]);
    expect(statSync(join(config.dataDir, 'backups', COPY)).mode & 0o777).toBe(0o600);
    expect(await getServerState(deps.database.db, 'version')).toMatch(/^\d+\.\d+\.\d+$/);
    await app.close();
    const after = await factsNow(config);
    expect([after.migration, after.liveHundredths]).toEqual([LATER, before.liveHundredths]);
    // Nothing waits any more, so a start that fails changes nothing.
    expect(await start(config, { beforeReady: notReady })).toMatchObject({ message: 'no response' });
    expect(await factsNow(config)).toEqual(after);
  });

  test('is rolled back if the server never becomes ready, with an error that names the previous version', async () => {
    const { config, kept } = await anOldDistrict();
    await withDatabase(config, ({ db }) => setServerState(db, 'version', '0.0.9', NOW));
    const before = await factsNow(config);
    const failed = await start(config, { isReady: notReady });
    const file = join(config.dataDir, 'backups', FAILED);
    expect(failed).toMatchObject({
      message: expect.stringMatching(
        /^The update to \S+ failed: no response; the database was restored to its state before the update \(the failed one is .+\)\. Start the previous version \(0\.0\.9\)$/,
      ),
    });
    expect((failed as Error).message).toContain(file);
    expect(await factsNow(config)).toEqual(before);
    expect(kept()).toEqual([COPY, FAILED]);
    // The next start tries again, and may succeed.
    expect(await start(config, {})).toEqual(WAITING);
    expect((await factsNow(config)).migration).toBe(LATER);
  });

  test.each([
    [
      'the logged hours',
      sql`update time_entries set hours_hundredths = 400 where id = 1`,
      'hours: 6.05 instead of 3.06',
    ],
    [
      'the number of entries',
      sql`delete from time_entries where id = 1`,
      'time_entries: 2 rows instead of 3',
    ],
  ])('is rolled back if it changes %s', async (_what, change, reason) => {
    const { config } = await anOldDistrict();
    const before = await factsNow(config);
    const failed = await start(config, { beforeReady: ({ db }) => change.execute(db) });
    expect(failed).toMatchObject({ message: expect.stringContaining(reason) });
    expect(await factsNow(config)).toEqual(before);
  });

  test('corrects a wrong total of hours', async () => {
    const { config } = await anOldDistrict();
    const wrong = sql`update school_sums set hours_hundredths = 1`;
    expect(await start(config, { beforeReady: ({ db }) => wrong.execute(db) })).toEqual(WAITING);
    await withDatabase(config, async ({ db }) => {
      const sums = await db.selectFrom('school_sums').select('hours_hundredths').execute();
      expect(sums).toEqual([{ hours_hundredths: 306 }]);
    });
  });

  test('is rolled back at the fourth start if the server did not become ready in the first three', async () => {
    const { config } = await anOldDistrict();
    const before = await factsNow(config);
    for (const time of [1, 2, 3]) {
      await withDatabase(config, async (database) => {
        const update = await beginUpdate(config, database);
        update.attempt();
        expect([time, update.migrated]).toEqual([time, time === 1 ? WAITING : []]);
      });
    }
    const failed = await start(config, {});
    expect(failed).toMatchObject({
      message: expect.stringContaining('ended 3 times before it became ready'),
    });
    expect(await factsNow(config)).toEqual(before);
  });

  test('is not rolled back if another program has stored data since it began', async () => {
    const { config, kept } = await anOldDistrict();
    const failed = await start(config, {
      isReady: async () => {
        await withDatabase(config, ({ db }) =>
          sql`insert into schools (name, name_key, created_at) values ('Oak', 'oak', ${NOW})`.execute(db),
        );
        throw new Error('no response');
      },
    });
    expect(failed).toMatchObject({
      message: expect.stringMatching(
        /could not be restored \(other programs have changed it since: schools: 2 rows.+ its copy/,
      ),
    });
    expect((await factsNow(config)).migration).toBe(LATER);
    expect(kept()).toEqual([COPY, MARK]);
  });

  test('is rolled back while another program uses SQLite, but not while one uses PostgreSQL', async () => {
    const { config } = await anOldDistrict();
    const other = await openDatabase(config);
    atEnd(() => other.close());
    await sql`select 1`.execute(other.db);
    const failed = await start(config, { isReady: notReady });
    const says = ENGINE === 'postgres' ? 'could not be restored (other programs' : 'state before the update';
    expect(failed).toMatchObject({ message: expect.stringContaining(says) });
  });

  // A restore of SQLite ends with its process.
  test.runIf(ENGINE === 'postgres')(
    'waits for a restore that outlived the process that started it',
    async () => {
      const { config } = await anOldDistrict({ UPDATE_BACKUP: 'off' });
      let updating: Promise<unknown> | undefined;
      await withDatabase(config, (psql) =>
        psql.db.transaction().execute(async (trx) => {
          await sql`select pg_advisory_xact_lock(720114021)`.execute(trx);
          updating = withDatabase(config, (database) => beginUpdate(config, database));
          const waits = sql`select from pg_locks where locktype = 'advisory' and objid = 720114021 and not granted
            and database = (select oid from pg_database where datname = current_database())`;
          await expect.poll(async () => (await waits.execute(trx)).rows.length).toBe(1);
          expect((await factsNow(config)).migration).toBe(BEFORE);
        }),
      );
      await updating;
      expect((await factsNow(config)).migration).toBe(LATER);
    },
  );

  test('changes nothing if a migration fails', async () => {
    const { config, kept } = await anOldDistrict();
    // Whatever it does, it fails where it is recorded.
    await withDatabase(config, (database) => failingInserts(database, 'schema_migrations').begin());
    await withDatabase(config, async (database) => {
      const failing = beginUpdate(config, database);
      // Ends with exit code 78, so that no service manager makes a copy every five seconds.
      await expect(failing).rejects.toThrow(UpdateFailed);
      await expect(failing).rejects.toThrow(/^The update to \S+ failed; nothing was changed \(.+\)\. Start/);
      await expect(requireUpToDate(database)).rejects.toThrow('needs an update. Run npm start');
    });
    expect([(await factsNow(config)).migration, kept()]).toEqual([BEFORE, [COPY, MARK]]);
  });

  test('changes nothing if there is no space for the copy', async () => {
    const { config, kept } = await anOldDistrict();
    const folder = join(config.dataDir, 'backups');
    // Only root may mount a small disk; for others the folder cannot be made.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      mkdirSync(folder);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]);
      atEnd(() => execFileSync('umount', ['--lazy', folder]));
    } else writeFileSync(folder, '');
    await expect(prepare(config)).rejects.toThrow(
      /^Could not back up the database to .+ before the update \(.+\); nothing was changed\. Fix that and start again.+UPDATE_BACKUP=off\.$/,
    );
    expect((await factsNow(config)).migration).toBe(BEFORE);
    if (isRoot) expect(kept()).toEqual([]);
  });

  test('makes no copy with UPDATE_BACKUP=off', async () => {
    const { config } = await anOldDistrict({ UPDATE_BACKUP: 'off' });
    expect(await start(config, {})).toEqual(WAITING);
    expect(existsSync(join(config.dataDir, 'backups'))).toBe(false);
  });

  test('makes no copy for a new district', async () => {
    const place = await emptyPlace();
    const config = readConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl });
    await withDatabase(config, async (database) => {
      expect((await beginUpdate(config, database)).migrated).toEqual([...migrationNames()]);
      expect(await migrate(database)).toEqual([]);
    });
    expect(existsSync(join(config.dataDir, 'backups'))).toBe(false);
  });
});

test.runIf(ENGINE === 'sqlite')('a rolled-back database is intact and still in WAL mode', async () => {
  const { config } = await anOldDistrict();
  await start(config, { isReady: notReady });
  await withDatabase(config, async ({ db }) => {
    expect((await sql`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }]);
    expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: 'ok' }]);
  });
});

test("an update's copies, and no other files, are deleted 30 days after the update", async () => {
  const { config, kept } = await anOldDistrict();
  await start(config, { isReady: notReady });
  const folder = join(config.dataDir, 'backups');
  mkdirSync(join(folder, '.copying-killed'));
  writeFileSync(join(folder, 'mine.db'), '');
  const written = statSync(join(folder, COPY)).mtimeMs;
  removeOldCopies(config.dataDir, written + 29 * DAY_MS);
  expect(kept()).toEqual([COPY, FAILED, 'mine.db']);
  writeFileSync(join(folder, MARK), '{}');
  removeOldCopies(config.dataDir, written + 32 * DAY_MS);
  expect(kept()).toEqual([COPY, FAILED, 'mine.db', MARK].toSorted());
  rmSync(join(folder, MARK));
  removeOldCopies(config.dataDir, written + 32 * DAY_MS);
  expect(kept()).toEqual(['mine.db']);
  removeOldCopies(join(config.dataDir, 'nowhere'), written);
});

async function withDatabase(config: Config, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = await openDatabase(config);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}
