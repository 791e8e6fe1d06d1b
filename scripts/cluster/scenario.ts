import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseCluster, query, startDatabase } from './database.ts';
import { ADMINISTRATOR, type Load, startLoad } from './load.ts';
import { freePorts, type Machine, type Program, ROOT, waitUntil } from './local-processes.ts';

const SETTLE_MS = 3_000;
/** Longer than Patroni's lease. */
const FAILOVER_MS = 35_000;
const PROXY = join(ROOT, 'deploy/haproxy.cfg');

/** The effect of one event: the longest time in seconds without a success of each kind, and what is wrong afterwards. */
export type EventResult = Readonly<{
  name: string;
  seconds: number;
  gaps: readonly number[];
  logged: number;
  lost: number;
  doubled: number;
  unexpected: readonly string[];
}>;

type Servers = ReturnType<typeof serversOn>;
type Event = readonly [string, () => Promise<unknown>];

/** Starts the whole cluster, causes each event under load, and reports its result to `onResult`. */
export async function runScenario(
  machine: Machine,
  { calmSeconds, onResult }: { calmSeconds: number; onResult: (result: EventResult) => void },
): Promise<readonly EventResult[]> {
  const database = await startDatabase(machine);
  const ports = await freePorts(['pages', 'leader', 'one', 'two'] as const);
  const leaderUrl = database.urlAt(ports.leader);
  const servers = serversOn(machine, ports, leaderUrl);
  await startProxy(machine, ports, database);
  // One after the other, because the first creates the tables.
  await servers.start('one');
  await servers.start('two');
  await pause(SETTLE_MS);
  const load = await startLoad(`http://127.0.0.1:${ports.pages}`);
  const results: EventResult[] = [];
  const run = async ([name, event]: Event): Promise<void> => {
    const result = await observe(load, leaderUrl, name, event);
    results.push(result);
    onResult(result);
  };
  try {
    for (const event of eventsOf(machine, database, servers, calmSeconds * 1_000)) await run(event);
  } finally {
    await load.stop();
  }
  await run(['at the end', async () => undefined]);
  return results;
}

function eventsOf(machine: Machine, database: DatabaseCluster, servers: Servers, calmMs: number): Event[] {
  return [
    ['nothing', () => pause(calmMs)],
    [
      'kill -9 the leader, and its Patroni',
      async () => {
        const killed = await database.leader();
        await database.kill(killed);
        await pause(FAILOVER_MS);
        database.start(killed);
        await database.waitUntilHealthy();
      },
    ],
    ['switch over to the other node', () => database.switchOver()],
    [
      'kill -9 a server, start it again',
      async () => {
        await servers.kill('one');
        await pause(calmMs);
        await servers.start('one');
      },
    ],
    [
      'update one server after the other',
      async () => {
        const next = writeNextVersion(machine);
        await servers.stop('one');
        await servers.start('one', next);
        // An old server must also restart while the new one runs, and work until it is updated.
        await servers.kill('two');
        await servers.start('two');
        await servers.stop('two');
        await servers.start('two', next);
      },
    ],
  ];
}

function serversOn(machine: Machine, ports: Record<'one' | 'two', number>, databaseUrl: string) {
  const shared = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64url'),
    TRUSTED_PROXIES: '127.0.0.1',
    TIME_ZONE: 'America/Chicago',
    ADMIN_EMAIL: ADMINISTRATOR.email,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    UPDATE_BACKUP: 'off',
    NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
  };
  const running = new Map<string, Program>();
  return {
    /** Starts a server, by default from these sources. */
    start: async (name: 'one' | 'two', sources = ROOT) => {
      const env = { ...shared, DATA_DIR: machine.makeFolder(`data-${name}`), PORT: String(ports[name]) };
      const command = [process.execPath, join(sources, 'src/app/server/main.ts')];
      const program = machine.start(`server-${name}`, command, { env });
      running.set(name, program);
      const isReady = async () => (await fetch(`http://127.0.0.1:${ports[name]}/readyz`)).ok;
      await waitUntil(`server ${name} is ready`, isReady, { needs: [program] });
    },
    kill: (name: string) => running.get(name)?.kill(),
    stop: (name: string) => running.get(name)?.stop(),
  };
}

/** Starts HAProxy with the example in `deploy`, with its addresses replaced by those of this cluster. */
async function startProxy(
  machine: Machine,
  ports: Record<'pages' | 'leader' | 'one' | 'two', number>,
  { nodes }: DatabaseCluster,
): Promise<void> {
  const local = (port: number) => `127.0.0.1:${port}`;
  const replacements: [string, string][] = [
    ['*:443 ssl crt /etc/haproxy/volunteers.pem alpn h2,http/1.1', local(ports.pages)],
    ['127.0.0.1:5000', local(ports.leader)],
    ['10.0.0.11:3000', local(ports.one)],
    ['10.0.0.12:3000', local(ports.two)],
    ...nodes.map(({ port, patroniPort }, at): [string, string] => [
      `10.0.0.2${at + 1}:5432 check port 8008`,
      `${local(port)} check port ${patroniPort}`,
    ]),
  ];
  let text = readFileSync(PROXY, 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${PROXY} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  const config = join(machine.folder, 'haproxy.cfg');
  writeFileSync(config, text);
  const needs = [machine.start('haproxy', ['haproxy', '-db', '-f', config])];
  const isAnswering = async () => (await fetch(`http://${local(ports.pages)}/`)).status > 0;
  await waitUntil('HAProxy answers', isAnswering, { needs });
}

const MIGRATE = 'src/server/db/migrate.ts';
const STEP = `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table time_entries add column next_version text\`.execute(db);
  await sql\`create table next_version (id bigint primary key)\`.execute(db);
}
`;

/** Writes the sources of a version with one more rolling migration; returns their folder. */
function writeNextVersion({ folder }: Machine): string {
  const root = join(folder, 'next');
  mkdirSync(root);
  for (const part of ['src', 'package.json', 'docs'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const text = readFileSync(join(root, MIGRATE), 'utf8');
  const start = text.indexOf('export const migrations');
  const end = text.indexOf('}', start);
  if (start < 0 || end < 0) throw new Error(`${MIGRATE} does not list its migrations as expected`);
  const steps = `${text.slice(0, end).replace(/,?\s*$/, '')}, '9999-next-version': rolling(nextVersion) ${text.slice(end)}`;
  const importLine = `import { up as nextVersion } from './migrations/9999-next-version.ts';\n`;
  writeFileSync(join(root, MIGRATE), importLine + steps);
  writeFileSync(join(root, 'src/server/db/migrations/9999-next-version.ts'), STEP);
  return root;
}

async function observe(
  { entries, unexpected, times }: Load,
  leaderUrl: string,
  name: string,
  event: () => Promise<unknown>,
): Promise<EventResult> {
  const [began, loggedBefore, unexpectedBefore] = [performance.now(), entries.size, unexpected.length];
  await event();
  await pause(SETTLE_MS);
  const ended = performance.now();
  // Includes the waits before the first and after the last success.
  const gaps = Object.values(times).map((all) => {
    const within = [began, ...all.filter((time) => time > began && time < ended), ended];
    return Math.max(...within.slice(1).map((time, at) => time - (within[at] ?? time))) / 1_000;
  });
  // Copied before the query, because the result may lack writes that are acknowledged during it.
  const acknowledged = [...entries];
  const rows = await query<{ notes: string; count: string }>(
    leaderUrl,
    'select notes, count(*) as count from time_entries group by notes',
  );
  const stored = new Set(rows.map((row) => row.notes));
  return {
    name,
    seconds: (ended - began) / 1_000,
    gaps,
    logged: entries.size - loggedBefore,
    lost: acknowledged.filter((notes) => !stored.has(notes)).length,
    doubled: rows.filter(({ count }) => Number(count) > 1).length,
    unexpected: unexpected.slice(unexpectedBefore),
  };
}
