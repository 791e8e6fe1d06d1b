import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginUpdate } from '#app/server/update.ts';
import { type Config, readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import { describeDifferences } from '#server/db/dump/database-facts.ts';
import {
  copyDatabase,
  copyFolder,
  factsNow,
  restoreUpdateCopy,
  waitForCopyRestore,
} from '#server/db/dump/pre-update-copy.ts';
import { appliedMigrations, migrationNames } from '#server/db/migrate.ts';
import { ENGINE, emptyPlace } from '#test/harness.ts';
import {
  addLaterVersion,
  BEFORE,
  LATER_VERSION,
  oldDistrict,
  removeLaterVersion,
} from '../old-version-district.ts';
import { COMPILED } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';
import { randomFrom } from './random.ts';

const FORWARD = IS_LONG ? 75 : 2;
const BACK = IS_LONG ? 25 : 0;
const SEED = Number(process.env['STRESS_SEED'] ?? 20_260_304);
const MOST_MS = IS_LONG ? 3_600_000 : 120_000;

// Kills itself before the n-th statement that goes to the database. Without n it prints how many there are.
const UPDATE = `
  import BetterSqlite from 'better-sqlite3';
  import pg from 'pg';
  import { beginUpdate } from '#app/server/update.ts';
  import { readConfig } from '#server/config.ts';
  import { openDatabase } from '#server/db/database.ts';
  const { KILLED_AT, FAILS } = process.env;
  let statements = 0;
  for (const [owner, name] of [[BetterSqlite.prototype, 'prepare'], [pg.Client.prototype, 'query']]) {
    const original = owner[name];
    owner[name] = function (...args) {
      if (++statements === Number(KILLED_AT)) process.kill(process.pid, 'SIGKILL');
      return original.apply(this, args);
    };
  }
  const config = readConfig(process.env);
  const database = await openDatabase(config);
  const update = await beginUpdate(config, database);
  update.attempt();
  try {
    await update.settle(database, async () => {
      if (FAILS) throw new Error('it does not answer');
    });
    await database.close();
    console.log(statements);
  } catch (error) {
    await database.close();
    console.log('goes back');
    const { message } = await update.failed(error);
    console.log(message);
  }`;

beforeAll(() => addLaterVersion());
afterAll(removeLaterVersion);

test(
  `kill -9 at any step of an update leaves the old database or the new one (${FORWARD + BACK} times)`,
  async () => {
    const random = randomFrom(SEED);
    const district = await aDistrict();
    const statements = Number((await update(district.config).ended).said);
    expect(statements).toBeGreaterThan(migrationNames().length);
    const counts: Counts = { old: 0, new: 0 };
    for (let cycle = 0; cycle < FORWARD; cycle++) {
      await district.oldAgain();
      // One in each part of the way.
      const at = 1 + Math.floor(((cycle + random()) / FORWARD) * statements);
      const { signal } = await update(district.config, { KILLED_AT: String(at) }).ended;
      expect([at, signal]).toEqual([at, 'SIGKILL']);
      counts[await district.expectWhole()]++;
    }
    if (BACK > 0) await killWhileGoingBack(district, random, counts);
    console.log(
      `updates on ${ENGINE}: killed ${FORWARD} times at one of ${statements} statements and ${BACK} times while going back ` +
        `(seed ${SEED}): ${counts.old} old, ${counts.new} new, none half`,
    );
  },
  MOST_MS,
);

type Counts = { old: number; new: number };

async function killWhileGoingBack(
  district: Awaited<ReturnType<typeof aDistrict>>,
  random: () => number,
  counts: Counts,
): Promise<void> {
  await district.oldAgain();
  const began = update(district.config, { FAILS: '1' });
  await began.goesBack;
  const goingBack = performance.now();
  expect((await began.ended).said).toContain('the database was restored to its state before the update');
  const backTakesMs = performance.now() - goingBack;
  for (let cycle = 0; cycle < BACK; cycle++) {
    await district.oldAgain();
    const { process: child, goesBack, ended } = update(district.config, { FAILS: '1' });
    await goesBack;
    setTimeout(() => child.kill('SIGKILL'), random() * backTakesMs);
    await ended;
    counts[await district.expectWhole()]++;
  }
}

async function aDistrict() {
  const place = await emptyPlace();
  await oldDistrict(place, { entries: IS_LONG ? 500 : 20 });
  const config = readConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl });
  const template = await copyDatabase(config, 'template');
  return { config, ...checks(config, template) };
}

function checks(config: Config, template: Awaited<ReturnType<typeof copyDatabase>>) {
  return {
    oldAgain: async () => {
      rmSync(join(copyFolder(config.dataDir), 'update.json'), { force: true });
      await restoreUpdateCopy(config, template.file);
      expect(describeDifferences(template.facts, await factsNow(config))).toEqual([]);
    },
    /** Says which database a kill left, and that the next start makes the new one of either. */
    expectWhole: async (): Promise<'old' | 'new'> => {
      const database = await openDatabase(config);
      try {
        await waitForCopyRestore(database);
        const applied = await appliedMigrations(database);
        const left = applied.length === 1 ? 'old' : 'new';
        expect(applied).toEqual(left === 'old' ? [BEFORE] : migrationNames());
        if (left === 'old') expect(describeDifferences(template.facts, await factsNow(config))).toEqual([]);
        const update = await beginUpdate(config, database);
        update.attempt();
        await update.settle(database, async () => undefined);
        expect(await appliedMigrations(database)).toEqual(migrationNames());
        expect((await factsNow(config)).liveHundredths).toBe(template.facts.liveHundredths);
        if (ENGINE === 'sqlite') {
          const { rows } = await sql`pragma integrity_check`.execute(database.db);
          expect(rows).toEqual([{ integrity_check: 'ok' }]);
        }
        return left;
      } finally {
        await database.close();
      }
    },
  };
}

type Ended = Readonly<{ signal: NodeJS.Signals | null; said: string }>;

function update(config: Config, settings: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', UPDATE], {
    env: {
      PATH,
      HOME,
      ...LATER_VERSION,
      NODE_COMPILE_CACHE: COMPILED,
      DATA_DIR: config.dataDir,
      ...(config.databaseUrl === undefined ? {} : { DATABASE_URL: config.databaseUrl }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { process: child as ChildProcess, ...heard(child) };
}

function heard(child: ChildProcess) {
  let said = '';
  const goesBack = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('goes back')) resolve();
    });
  });
  const ended = once(child, 'close').then(([, signal]): Ended => ({ signal, said }));
  return { goesBack, ended };
}
