import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseCluster, startDatabase } from './database.ts';
import { type Kind, type Load, startLoad } from './load.ts';
import { freePorts, type Machine } from './machine.ts';
import { nextVersion } from './next-version.ts';
import { startProxy } from './proxy.ts';
import { openServers, type Servers } from './servers.ts';
import { type PhotoStore, startStore } from './store.ts';

const SETTLE_MS = 3_000;

/** What one fault did: the longest time without a success of each kind, and what is missing afterwards. */
export type Chapter = Readonly<{
  name: string;
  seconds: number;
  gaps: Readonly<Record<Kind, number>>;
  logged: number;
  lost: number;
  doubled: number;
  photosLost: number;
  unseen: number;
  strange: readonly string[];
}>;

type Cluster = Readonly<{
  database: DatabaseCluster;
  store: PhotoStore;
  servers: Servers;
  load: Load;
  origin: string;
  leaderUrl: string;
}>;

/** Starts the whole cluster, does every fault to it under load, and tells of each once it is over. */
export async function tell(
  machine: Machine,
  { calmSeconds, say }: { calmSeconds: number; say: (chapter: Chapter) => void },
): Promise<readonly Chapter[]> {
  const cluster = await startCluster(machine);
  const chapters: Chapter[] = [];
  const events = [...faults(cluster, calmSeconds), updating(machine, cluster.servers)];
  try {
    for (const [name, happen] of events) {
      const chapter = await watched(cluster, name, happen);
      chapters.push(chapter);
      say(chapter);
    }
  } finally {
    await cluster.load.stop();
  }
  const last = await watched(cluster, 'at the end', async () => undefined);
  chapters.push(last);
  say(last);
  return chapters;
}

type Fault = readonly [string, () => Promise<unknown>];

// Long because it has one entry for each fault.
function faults({ database, store, servers }: Cluster, calmSeconds: number): readonly Fault[] {
  const calm = () => pause(calmSeconds * 1_000);
  const other = (name: string) => (name === 'one' ? 'two' : 'one');
  return [
    ['nothing', calm],
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
        await servers.kill('first');
        await calm();
        await servers.start('first');
      },
    ],
    [
      'the photo store stops, starts again',
      async () => {
        await store.kill();
        await calm();
        await store.start();
      },
    ],
    [
      'kill -9 the standby',
      async () => {
        const gone = other(await database.leader());
        await database.kill(gone);
        await pause(2 * calmSeconds * 1_000);
        database.start(gone);
        await database.waitUntilWhole();
      },
    ],
  ];
}

// An old server must also start again beside the new one, and work until its own turn.
function updating(machine: Machine, servers: Servers): Fault {
  return [
    'update one server after the other',
    async () => {
      const next = nextVersion(machine);
      await servers.stop('first');
      await servers.start('first', next);
      await servers.kill('second');
      await servers.start('second');
      await servers.stop('second');
      await servers.start('second', next);
    },
  ];
}

async function startCluster(machine: Machine): Promise<Cluster> {
  const [database, store] = await Promise.all([startDatabase(machine), startStore(machine)]);
  const ports = await freePorts(['pages', 'leader'] as const);
  const leaderUrl = database.urlAt(ports.leader);
  const servers = await openServers(machine, {
    DATABASE_URL: leaderUrl,
    PHOTO_STORE_URL: store.url,
  });
  await startProxy(machine, ports, { nodes: database.nodes, servers: servers.places });
  // One after the other: the first makes the tables.
  for (const { name } of servers.places) await servers.start(name);
  await pause(SETTLE_MS);
  const origin = `http://127.0.0.1:${ports.pages}`;
  return { database, store, servers, origin, leaderUrl, load: await startLoad(origin) };
}

async function watched(cluster: Cluster, name: string, happen: () => Promise<unknown>): Promise<Chapter> {
  const { seen } = cluster.load;
  const [began, unseen, strange, logged] = [
    performance.now(),
    seen.unseen.length,
    seen.strange.length,
    seen.acknowledged.size,
  ];
  await happen();
  await pause(SETTLE_MS);
  const ended = performance.now();
  const { lost, doubled, photosLost } = await compare(cluster);
  const gap = (kind: Kind) => longestGap(seen.times[kind], began, ended);
  return {
    name,
    seconds: (ended - began) / 1_000,
    gaps: { hours: gap('hours'), lists: gap('lists'), photos: gap('photos') },
    logged: seen.acknowledged.size - logged,
    lost,
    doubled,
    photosLost,
    unseen: seen.unseen.length - unseen,
    strange: seen.strange.slice(strange),
  };
}

/** In seconds. What was begun before and answered after counts too. */
function longestGap(times: readonly number[], began: number, ended: number): number {
  const within = [began, ...times.filter((time) => time > began && time < ended), ended];
  return Math.max(...within.slice(1).map((time, at) => time - (within[at] ?? time))) / 1_000;
}

// The set is taken first: what is acknowledged meanwhile must not be missed.
async function compare({ load, leaderUrl }: Cluster) {
  const [acknowledged, photos] = [[...load.seen.acknowledged], [...load.seen.photos]];
  const client = new pg.Client({ connectionString: leaderUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const entries = await client.query<{ notes: string; count: string }>(
      'select notes, count(*) as count from time_entries group by notes',
    );
    const counts = new Map(entries.rows.map(({ notes, count }) => [notes, Number(count)]));
    const kept = await client.query<{ id: string }>('select id from photos');
    const ids = new Set(kept.rows.map(({ id }) => Number(id)));
    return {
      lost: acknowledged.filter((key) => !counts.has(key)).length,
      doubled: [...counts.values()].filter((count) => count > 1).length,
      photosLost: photos.filter((id) => !ids.has(id)).length,
    };
  } finally {
    await client.end();
  }
}
