import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../programs.mjs';
import { freePorts, killTree, type Machine, type Program, waitUntil } from './local-processes.ts';

// The shortest lease that Patroni allows, which is how soon it notices that a leader is gone.
const LEASE = { ttl: 20, loop_wait: 2, retry_timeout: 5 } as const;
const DISTRICT = 'district';

type Member = Readonly<{ name: string; role: string; state: string }>;

/** A PostgreSQL of two nodes under Patroni, which elects the leader through etcd. */
export type DatabaseCluster = Awaited<ReturnType<typeof startDatabase>>;

/** Starts etcd and both nodes, and creates the district's database. */
export async function startDatabase(machine: Machine) {
  const ports = await freePorts(['etcd', 'peers', 'one', 'two', 'patroni-one', 'patroni-two'] as const);
  const etcd = await startEtcd(machine, ports.etcd, ports.peers);
  const password = randomBytes(18).toString('base64url');
  const nodes = (['one', 'two'] as const).map((name) => ({
    name: name as string,
    port: ports[name],
    patroniPort: ports[`patroni-${name}`],
    folder: machine.makeFolder(`node-${name}`, { isDatabase: true }),
  }));
  type Node = (typeof nodes)[number];
  const nodeNamed = (name: string) => nodes.find((node) => node.name === name) as Node;
  const patronis = new Map<string, Program>();
  const killServer = ({ folder }: Node) => killTree(postmasterOf(folder));
  // A killed Patroni leaves its PostgreSQL running.
  machine.onEnd(() => nodes.forEach(killServer));
  const start = (name: string) => {
    const config = writeConfig(nodeNamed(name), ports.etcd, password);
    patronis.set(name, machine.start(`patroni-${name}`, ['patroni', config], { isDatabase: true }));
  };
  const members = async (): Promise<readonly Member[]> => {
    for (const { patroniPort } of nodes) {
      const found = await callPatroni<{ members: Member[] }>(patroniPort, 'cluster').catch(() => undefined);
      if (found !== undefined) return found.members;
    }
    return [];
  };
  const leader = async () => {
    const found = (await members()).find(({ role }) => role === 'leader');
    if (found === undefined) throw new Error('there is no leader');
    return found.name;
  };
  const waitUntilHealthy = () =>
    waitUntil(
      'the standby is in sync',
      async () => {
        const alive = (await members()).filter(({ state }) => ['running', 'streaming'].includes(state));
        return ['leader', 'sync_standby'].every((role) => alive.some((one) => one.role === role));
      },
      { needs: [etcd, ...patronis.values()], seconds: 120 },
    );
  const urlAt = (port: number, database = DISTRICT) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

  start('one');
  await waitUntil('the first node leads', async () => (await leader()) === 'one', {
    needs: [etcd, ...patronis.values()],
  });
  start('two');
  await waitUntilHealthy();
  await query(urlAt(nodeNamed('one').port, 'postgres'), `create database ${DISTRICT}`);
  return {
    nodes,
    /** The URL of the district's database at a port, such as the proxy's. */
    urlAt,
    leader,
    /** Waits until both nodes run and replication is in sync. */
    waitUntilHealthy,
    start,
    /** Ends a node and its Patroni like a power failure. */
    kill: async (name: string) => {
      await patronis.get(name)?.kill();
      killServer(nodeNamed(name));
      patronis.delete(name);
    },
    /** Makes the other node the leader. */
    switchOver: async () => {
      const from = await leader();
      await callPatroni(nodeNamed(from).patroniPort, 'switchover', { leader: from });
      await waitUntilHealthy();
    },
  };
}

async function startEtcd(machine: Machine, port: number, peers: number): Promise<Program> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
  const etcd = machine.start('etcd', [
    ...['etcd', '--name', 'etcd', '--data-dir', machine.makeFolder('etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd=${peer}`],
  ]);
  await waitUntil('etcd answers', async () => (await fetch(`${client}/health`)).ok, { needs: [etcd] });
  return etcd;
}

type Node = Readonly<{ name: string; port: number; patroniPort: number; folder: string }>;

// Patroni reads YAML, which includes JSON.
function writeConfig({ name, port, patroniPort, folder }: Node, etcdPort: number, password: string): string {
  const at = (port: number) => `127.0.0.1:${port}`;
  const account = (username: string) => ({ username, password });
  const settings = {
    scope: 'volunteer-time',
    name,
    restapi: { listen: at(patroniPort), connect_address: at(patroniPort) },
    etcd3: { host: at(etcdPort) },
    bootstrap: {
      dcs: {
        ...LEASE,
        // A confirmed write is on both nodes.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 150, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: [
        'local all all scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: at(port),
      connect_address: at(port),
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
  const file = join(folder, 'patroni.yml');
  writeFileSync(file, JSON.stringify(settings, null, 2));
  // Root may own it, and Patroni runs as another account. The folder keeps all others out.
  chmodSync(file, 0o644);
  return file;
}

async function callPatroni<Reply>(port: number, path: string, body?: object): Promise<Reply> {
  const request =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(body === undefined ? 2_000 : 60_000);
  const reply = await fetch(`http://127.0.0.1:${port}/${path}`, { ...request, signal });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`Patroni rejected ${path}: ${text}`);
  return (text.startsWith('{') ? JSON.parse(text) : text) as Reply;
}

function postmasterOf(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'), 10);
  } catch {
    return 0;
  }
}

/** Runs a statement on a connection of its own; returns the rows. */
export async function query<Row>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
