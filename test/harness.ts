import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { inject } from 'vitest';
import { prepare } from '#app/server/start.ts';
import { readConfig } from '#server/config.ts';
import type { Engine } from '#server/db/column-types.ts';
import { openDatabase, SQLITE_FILE } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Clock, type Deps, systemClock } from '#server/deps.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { atEnd } from './after-each-file.ts';
import { baseFolder } from './temp-folders.ts';

export { atEnd } from './after-each-file.ts';

/** The engine of this run of the tests. */
export const ENGINE: Engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** The template of the tests' databases on PostgreSQL. */
const TEMPLATE = 'migrated';

const FOLDER = 'volunteer-time-';

/** Noon of a school day in Chicago, the test district's time zone. */
export const NOW = '2026-03-04T18:00:00.000Z' as Instant;

/** The district's calendar date at `NOW`. */
export const TODAY = '2026-03-04';

/** A clock that a test sets. */
export type TestClock = Clock & { set: (at: string) => void; advance: (milliseconds: number) => void };

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape and assert their content
export type Reply = { status: number; body: any; headers: Record<string, unknown>; text: string };

export type CallOptions = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  from?: string;
};

/** The product with its own database. */
export type TestApp = Readonly<{
  app: FastifyInstance;
  deps: Deps;
  clock: TestClock;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Sends a request, such as `call('GET /api/profile', { token })`. */
  call: (methodAndPath: string, options?: CallOptions) => Promise<Reply>;
  close: () => Promise<void>;
}>;

/**
 * Starts the product on an empty database of the run's engine and closes it after the test file. By default its clock is
 * stopped at `NOW` and it has no pages. It does not reject requests when the event loop is late, because the tests share that
 * loop, unless `mostDelayMs` is set.
 */
export async function startApp(
  settings: Record<string, string> = {},
  {
    clock = testClock(),
    pages,
    mostDelayMs = 0,
  }: { clock?: TestClock; pages?: string; mostDelayMs?: number } = {},
): Promise<TestApp> {
  const place = await migratedPlace();
  const config = readConfig({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    TIME_ZONE: 'America/Chicago',
    DISTRICT_NAME: 'Maple Grove Schools',
    SUPPORT_EMAIL: 'help@maplegrove.example',
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const { app, deps } = await prepare(config, {
    clock,
    isReplyChecked: true,
    mostDelayMs,
    ...(pages === undefined ? {} : { pages }),
  });
  await app.ready();
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await app.close();
    await place.remove();
  };
  atEnd(close);
  return { app, deps, clock, ...place, call: caller(app), close };
}

/** Makes an empty data folder and, on PostgreSQL, an empty database. Both are removed after the test file. */
export function emptyPlace(): Promise<TestPlace> {
  return makePlace();
}

/** Like `emptyPlace`, but with all tables, which are copied because creating them takes half a second. */
export async function migratedPlace(): Promise<TestPlace> {
  if (ENGINE === 'postgres') return makePlace(await templateName());
  const place = await makePlace();
  migratedFile ??= makeMigratedFile();
  writeFileSync(join(place.dataDir, SQLITE_FILE), await migratedFile, { mode: 0o600 });
  return place;
}

type TestPlace = { dataDir: string; databaseUrl: string | undefined; remove: () => Promise<void> };

async function makePlace(template?: string): Promise<TestPlace> {
  // In another folder, because a server also writes next to its data folder.
  const parent = mkdtempSync(join(baseFolder(), FOLDER));
  const dataDir = join(parent, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const removeFolder = () => rmSync(parent, { recursive: true, force: true });
  if (ENGINE === 'sqlite') {
    atEnd(removeFolder);
    return { dataDir, databaseUrl: undefined, remove: async () => removeFolder() };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnPostgres(`create database ${name}${template === undefined ? '' : ` template ${template}`}`);
  const remove = async () => {
    await runOnPostgres(`drop database if exists ${name} with (force)`);
    removeFolder();
  };
  atEnd(remove);
  return { dataDir, databaseUrl: urlOf(name), remove };
}

function testClock(): TestClock {
  let now = NOW;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now = instantOf(millisecondsOf(now) + milliseconds);
      await setImmediate();
    },
    set: (at) => {
      now = instantOf(Date.parse(at));
    },
    advance: (milliseconds) => {
      now = instantOf(millisecondsOf(now) + milliseconds);
    },
  };
}

/** A running clock with the machine's time, until a test sets it. */
export function runningClock(): TestClock {
  let offset = 0;
  return {
    now: () => instantOf(Date.now() + offset),
    sleep: systemClock.sleep,
    set: (at) => {
      offset = Date.parse(at) - Date.now();
    },
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}

/** Returns a function that sends requests to a server in this process, without a network. */
export function caller(app: FastifyInstance): TestApp['call'] {
  return async (methodAndPath, { token, body, headers = {}, from = '10.0.0.1' } = {}) => {
    const [method = 'GET', url = '/'] = methodAndPath.split(' ');
    const reply = await app.inject({
      method: method as 'GET',
      url,
      remoteAddress: from,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return {
      status: reply.statusCode,
      body: reply.body.startsWith('{') ? reply.json() : undefined,
      headers: reply.headers,
      text: reply.body,
    };
  };
}

let migratedFile: Promise<Buffer> | undefined;

/** The content of a SQLite file with all tables and no rows. */
async function makeMigratedFile(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(baseFolder(), FOLDER));
  try {
    const database = await openDatabase({ databaseUrl: undefined, dataDir });
    await migrate(database);
    await database.close();
    return readFileSync(join(dataDir, SQLITE_FILE));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

let template: Promise<string> | undefined;

/** The name of the template database with all tables. The first test file creates it, the others wait. */
function templateName(): Promise<string> {
  template ??= onPostgres(async (client) => {
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 0) {
      await client.query(`create database ${TEMPLATE}_unfinished`);
      const databaseUrl = urlOf(`${TEMPLATE}_unfinished`);
      const database = await openDatabase(readConfig({ DATABASE_URL: databaseUrl }));
      await migrate(database);
      await database.close();
      await client.query(`alter database ${TEMPLATE}_unfinished rename to ${TEMPLATE}`);
    }
    return TEMPLATE;
  });
  return template;
}

const urlOf = (name: string) => inject('postgresUrl').replace('/postgres?', `/${name}?`);

function runOnPostgres(statement: string) {
  return onPostgres((client) => client.query(statement));
}

async function onPostgres<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
