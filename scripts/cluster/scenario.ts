import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SYSTEM_PYTHON } from '../programs.mjs';
import { ask, type DatabaseCluster, startDatabase } from './database.ts';
import { ADMINISTRATOR, type Load, startLoad } from './load.ts';
import { freePorts, type Machine, type Program, ROOT, until } from './local-processes.ts';

const SETTLE_MS = 3_000;
const PROXY = join(ROOT, 'deploy/haproxy.cfg');

/** What one event did: the longest time in seconds without a success of each kind, and what is wrong afterwards. */
export type Chapter = Readonly<{
  name: string;
  seconds: number;
  gaps: readonly number[];
  logged: number;
  lost: number;
  doubled: number;
  strange: readonly string[];
}>;

type Servers = ReturnType<typeof serversOn>;
type Event = readonly [string, () => Promise<unknown>];

/** Starts the whole cluster, does everything to it under load, and tells of each event once it is over. */
export async function tell(
  machine: Machine,
  { calmSeconds, say }: { calmSeconds: number; say: (chapter: Chapter) => void },
): Promise<readonly Chapter[]> {
  const [database, store] = await Promise.all([startDatabase(machine), startStore(machine)]);
  const ports = await freePorts(['pages', 'leader', 'one', 'two'] as const);
  const leaderUrl = database.urlAt(ports.leader);
  const servers = serversOn(machine, ports, { DATABASE_URL: leaderUrl, PHOTO_STORE_URL: store });
  await startProxy(machine, ports, database);
  // One after the other: the first makes the tables.
  await servers.start('one');
  await servers.start('two');
  await pause(SETTLE_MS);
  const load = await startLoad(`http://127.0.0.1:${ports.pages}`);
  const chapters: Chapter[] = [];
  const happens = async (name: string, event: () => Promise<unknown>): Promise<void> => {
    const chapter = await watched(load, leaderUrl, name, event);
    chapters.push(chapter);
    say(chapter);
  };
  try {
    for (const event of eventsOf(machine, database, servers, calmSeconds * 1_000)) await happens(...event);
  } finally {
    await load.stop();
  }
  await happens('at the end', async () => undefined);
  return chapters;
}

function eventsOf(machine: Machine, database: DatabaseCluster, servers: Servers, calmMs: number): Event[] {
  return [
    ['nothing', () => pause(calmMs)],
    [
      'kill -9 the leader, and its Patroni',
      async () => {
        const gone = await database.leader();
        await database.kill(gone);
        await pause(35_000);
        database.start(gone);
        await database.waitUntilWhole();
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
        const next = nextVersion(machine);
        await servers.stop('one');
        await servers.start('one', next);
        // An old server must also start again beside the new one, and work until its own turn.
        await servers.kill('two');
        await servers.start('two');
        await servers.stop('two');
        await servers.start('two', next);
      },
    ],
  ];
}

function serversOn(machine: Machine, ports: Record<'one' | 'two', number>, settings: Record<string, string>) {
  const shared = {
    SECRET_KEY: randomBytes(32).toString('base64url'),
    TRUSTED_PROXIES: '127.0.0.1',
    TIME_ZONE: 'America/Chicago',
    ADMIN_EMAIL: ADMINISTRATOR.email,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    UPDATE_BACKUP: 'off',
    NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
    ...settings,
  };
  const running = new Map<string, Program>();
  return {
    /** Starts a server, from the sources of another version where they are given. */
    start: async (name: 'one' | 'two', root = ROOT) => {
      const env = { ...shared, DATA_DIR: machine.folderOf(`data-${name}`), PORT: String(ports[name]) };
      const command = [process.execPath, join(root, 'src/app/server/main.ts')];
      const program = machine.start(`server-${name}`, command, { env });
      running.set(name, program);
      const isReady = async () => (await fetch(`http://127.0.0.1:${ports[name]}/readyz`)).ok;
      await until(`server ${name} is ready`, isReady, { needs: [program] });
    },
    kill: (name: string) => running.get(name)?.kill(),
    stop: (name: string) => running.get(name)?.stop(),
  };
}

/** Starts Debian's Swift with its S3 API and makes a bucket; returns it for PHOTO_STORE_URL. */
async function startStore(machine: Machine): Promise<string> {
  const { store: port } = await freePorts(['store']);
  const endpoint = `http://127.0.0.1:${port}`;
  const [user, secretAccessKey, Bucket] = ['volunteer', 'loopback', 'photos'];
  const credentials = { accessKeyId: `test:${user}`, secretAccessKey };
  const program = join(ROOT, 'test/object-store.py');
  const command = [SYSTEM_PYTHON, program, machine.folderOf('store'), user, secretAccessKey, String(port)];
  const needs = [machine.start('store', command)];
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  // It answers before all its parts do.
  const isMade = async () => (await client.send(new CreateBucketCommand({ Bucket }))) !== undefined;
  await until('the photo store takes a bucket', isMade, { needs, seconds: 150 });
  client.destroy();
  const account = `${encodeURIComponent(credentials.accessKeyId)}:${secretAccessKey}`;
  return `s3://${account}@${Bucket}?endpoint=${encodeURIComponent(endpoint)}`;
}

/** Starts HAProxy with the example of `deploy`, whose addresses are replaced by those of this cluster. */
async function startProxy(
  machine: Machine,
  ports: Record<'pages' | 'leader' | 'one' | 'two', number>,
  { nodes }: DatabaseCluster,
): Promise<void> {
  const local = (port: number) => `127.0.0.1:${port}`;
  const replaced: [string, string][] = [
    ['*:443 ssl crt /etc/haproxy/volunteers.pem alpn h2,http/1.1', local(ports.pages)],
    ['127.0.0.1:5000', local(ports.leader)],
    ['10.0.0.11:3000', local(ports.one)],
    ['10.0.0.12:3000', local(ports.two)],
    ...nodes.map(({ port, patroniPort }, at): [string, string] => [
      `10.0.0.2${at + 1}:5432 check port 8008`,
      `${local(port)} check port ${patroniPort}`,
    ]),
  ];
  const filled = replaced.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${PROXY} has no ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(PROXY, 'utf8'),
  );
  const config = join(machine.folder, 'haproxy.cfg');
  writeFileSync(config, filled);
  const needs = [machine.start('haproxy', ['haproxy', '-db', '-f', config])];
  const answers = async () => (await fetch(`http://${local(ports.pages)}/`)).status > 0;
  await until('HAProxy answers', answers, { needs });
}

const MIGRATE = 'src/server/db/migrate.ts';
const END_OF_STEPS = '\n};\n\n/** The names of all migrations';
const STEP = `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table time_entries add column next_version text\`.execute(db);
  await sql\`create table next_version (id bigint primary key)\`.execute(db);
}
`;

/** Writes sources of a version with one more step that rolls; returns their folder. */
function nextVersion({ folder }: Machine): string {
  const root = join(folder, 'next');
  mkdirSync(root);
  for (const part of ['src', 'package.json', 'docs'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const text = readFileSync(join(root, MIGRATE), 'utf8');
  if (!text.includes(END_OF_STEPS)) throw new Error(`${MIGRATE} has no end of its steps`);
  const more = text.replace(END_OF_STEPS, `\n  '9999-next-version': rolling(nextVersion),${END_OF_STEPS}`);
  const line = `import { up as nextVersion } from './migrations/9999-next-version.ts';\n`;
  writeFileSync(join(root, MIGRATE), line + more);
  writeFileSync(join(root, 'src/server/db/migrations/9999-next-version.ts'), STEP);
  return root;
}

async function watched(
  { seen, times }: Load,
  leaderUrl: string,
  name: string,
  event: () => Promise<unknown>,
): Promise<Chapter> {
  const [began, logged, strange] = [performance.now(), seen.entries.size, seen.strange.length];
  await event();
  await pause(SETTLE_MS);
  const ended = performance.now();
  // What was begun before and answered after counts too.
  const gaps = Object.values(times).map((all) => {
    const within = [began, ...all.filter((time) => time > began && time < ended), ended];
    return Math.max(...within.slice(1).map((time, at) => time - (within[at] ?? time))) / 1_000;
  });
  // The sets are taken first: what is acknowledged meanwhile must not be missed.
  const [entries, photos] = [[...seen.entries], [...seen.photos]];
  const rows = await ask<{ notes: string; count: string }>(
    leaderUrl,
    'select notes, count(*) as count from time_entries group by notes',
  );
  const kept = await ask<{ id: string }>(leaderUrl, 'select id from photos');
  const [notes, ids] = [new Set(rows.map((row) => row.notes)), new Set(kept.map(({ id }) => Number(id)))];
  return {
    name,
    seconds: (ended - began) / 1_000,
    gaps,
    logged: seen.entries.size - logged,
    lost: entries.filter((key) => !notes.has(key)).length + photos.filter((id) => !ids.has(id)).length,
    doubled: rows.filter(({ count }) => Number(count) > 1).length,
    strange: seen.strange.slice(strange),
  };
}
