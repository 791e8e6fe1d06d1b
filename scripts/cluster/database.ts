import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../programs.mjs';
import { freePorts, killTree, type Machine, type Program, until } from './machine.ts';

/** How soon Patroni notices that a leader is gone, in seconds: the shortest that it allows. */
export const LEADER_GONE_AFTER_SECONDS = 20;
const LOOK_EVERY_SECONDS = 2;
const RETRY_SECONDS = 5;

const DISTRICT = 'district';
const NAMES = ['one', 'two'] as const;
type NodeName = (typeof NAMES)[number];

/** PostgreSQL with a standby: two nodes under Patroni, which keeps in etcd who leads. */
export type DatabaseCluster = Readonly<{
  nodes: readonly Readonly<{ name: NodeName; port: number; patroniPort: number }>[];
  /** The district's database at a port, such as a proxy's. */
  urlAt: (port: number) => string;
  leader: () => Promise<NodeName>;
  /** Whether both nodes run and the standby has everything that the leader confirmed. */
  isWhole: () => Promise<boolean>;
  waitUntilWhole: () => Promise<void>;
  /** Ends a node and its Patroni at once, as a machine that loses its power. */
  kill: (name: NodeName) => Promise<void>;
  start: (name: NodeName) => void;
  /** Lets the other node lead, in order. */
  switchOver: () => Promise<void>;
}>;

type Node = Readonly<{ name: NodeName; port: number; patroniPort: number; folder: string; config: string }>;
type Member = Readonly<{ name: NodeName; role: string; state: string }>;

// Long because it holds everything that can be done to the two nodes.
/** Starts etcd and both nodes, and makes the district's database. */
export async function startDatabase(machine: Machine): Promise<DatabaseCluster> {
  const ports = await freePorts(['etcd', 'peers', 'one', 'two', 'patroni-one', 'patroni-two'] as const);
  const etcd = await startEtcd(machine, ports.etcd, ports.peers);
  const password = randomBytes(18).toString('base64url');
  const nodes = NAMES.map((name) => nodeOf(machine, { name, etcdPort: ports.etcd, password, ports }));
  const patronis = new Map<NodeName, Program>();
  // A Patroni that had to be ended leaves its PostgreSQL behind.
  machine.afterwards(() => {
    for (const node of nodes) killTree(serverOf(node) ?? 0);
  });
  const nodeNamed = (name: NodeName) => nodes.find((node) => node.name === name) as Node;
  const start = (name: NodeName) => {
    const { config } = nodeNamed(name);
    patronis.set(
      name,
      machine.start(`patroni-${name}`, ['patroni', config], { forDatabase: true, cwd: '/' }),
    );
  };
  const members = () => membersBy(nodes);
  const isWhole = async () => {
    const known = await members();
    const roles = known
      .filter(({ state }) => ['running', 'streaming'].includes(state))
      .map(({ role }) => role);
    return roles.includes('leader') && roles.includes('sync_standby');
  };
  const waitUntilWhole = () =>
    until('the standby has everything', isWhole, { needs: [etcd, ...patronis.values()], seconds: 120 });
  const leader = async () => {
    const found = (await members()).find(({ role }) => role === 'leader');
    if (found === undefined) throw new Error('nobody leads');
    return found.name;
  };
  const urlAt = (port: number, database = DISTRICT) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

  start('one');
  await until('the first node leads', async () => (await leader()) === 'one', {
    needs: [etcd, ...patronis.values()],
  });
  start('two');
  await waitUntilWhole();
  await askAt(urlAt(nodeNamed('one').port, 'postgres'), `create database ${DISTRICT}`);
  return {
    nodes,
    urlAt,
    leader,
    isWhole,
    waitUntilWhole,
    start,
    kill: async (name) => {
      const server = serverOf(nodeNamed(name));
      await patronis.get(name)?.kill();
      if (server !== undefined) killTree(server);
      patronis.delete(name);
    },
    switchOver: async () => {
      const from = await leader();
      const reply = await fetch(`http://127.0.0.1:${nodeNamed(from).patroniPort}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: from }),
      });
      if (!reply.ok) throw new Error(`Patroni refused to switch over: ${await reply.text()}`);
      await waitUntilWhole();
    },
  };
}

async function startEtcd(machine: Machine, port: number, peers: number): Promise<Program> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
  const etcd = machine.start('etcd', [
    ...['etcd', '--name', 'etcd', '--data-dir', machine.folderOf('etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd=${peer}`],
  ]);
  await until('etcd answers', async () => (await fetch(`${client}/health`)).ok, { needs: [etcd] });
  return etcd;
}

type NodeSettings = Readonly<{
  name: NodeName;
  etcdPort: number;
  password: string;
  ports: Record<NodeName | `patroni-${NodeName}`, number>;
}>;

// Patroni reads YAML, of which JSON is a part.
function nodeOf(machine: Machine, { name, etcdPort, password, ports }: NodeSettings): Node {
  const folder = machine.folderOf(`node-${name}`, { forDatabase: true });
  const [port, patroniPort] = [ports[name], ports[`patroni-${name}`]];
  const config = join(folder, 'patroni.yml');
  const account = (username: string) => ({ username, password });
  const settings = {
    scope: 'volunteer-time',
    name,
    restapi: { listen: `127.0.0.1:${patroniPort}`, connect_address: `127.0.0.1:${patroniPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: LEADER_GONE_AFTER_SECONDS,
        loop_wait: LOOK_EVERY_SECONDS,
        retry_timeout: RETRY_SECONDS,
        // What was answered is on both.
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 150, wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        'local all all scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: findPostgres(),
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: account('postgres'),
        replication: account('standby'),
        rewind: account('rewind'),
      },
      parameters: { unix_socket_directories: folder },
    },
  };
  writeFileSync(config, JSON.stringify(settings, null, 2), { mode: 0o600 });
  // Of root when root starts this; the folder lets nobody else in.
  chmodSync(config, 0o644);
  return { name, port, patroniPort, folder, config };
}

async function membersBy(nodes: readonly Node[]): Promise<readonly Member[]> {
  for (const { patroniPort } of nodes) {
    const found = await fetch(`http://127.0.0.1:${patroniPort}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    })
      .then((reply) => reply.json() as Promise<{ members: Member[] }>)
      .catch(() => undefined);
    if (found !== undefined) return found.members;
  }
  return [];
}

function serverOf({ folder }: Node): number | undefined {
  try {
    const [pid] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  } catch {
    return undefined;
  }
}

async function askAt<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
