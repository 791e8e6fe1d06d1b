import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../programs.mjs';
import { freePorts, killTree, type Machine, type Program, until } from './local-processes.ts';

// How soon Patroni notices that a leader is gone: the shortest that it allows.
const SECONDS = { ttl: 20, loop_wait: 2, retry_timeout: 5 } as const;
const DISTRICT = 'district';

type Member = Readonly<{ name: string; role: string; state: string }>;

/** A PostgreSQL of two nodes under Patroni, which keeps in etcd who leads. */
export type DatabaseCluster = Awaited<ReturnType<typeof startDatabase>>;

// Long because it holds everything that can be done to the two nodes.
/** Starts etcd and both nodes, and makes the district's database. */
export async function startDatabase(machine: Machine) {
  const ports = await freePorts(['etcd', 'peers', 'one', 'two', 'patroni-one', 'patroni-two'] as const);
  const etcd = await startEtcd(machine, ports.etcd, ports.peers);
  const password = randomBytes(18).toString('base64url');
  const nodes = (['one', 'two'] as const).map((name) => ({
    name: name as string,
    port: ports[name],
    patroniPort: ports[`patroni-${name}`],
    folder: machine.folderOf(`node-${name}`, { isDatabase: true }),
  }));
  type Node = (typeof nodes)[number];
  const nodeNamed = (name: string) => nodes.find((node) => node.name === name) as Node;
  const patronis = new Map<string, Program>();
  const killServer = ({ folder }: Node) => killTree(postmasterIn(folder));
  // A Patroni that had to be ended leaves its PostgreSQL behind.
  machine.afterwards(() => nodes.forEach(killServer));
  const start = (name: string) => {
    const config = configFile(nodeNamed(name), ports.etcd, password);
    patronis.set(name, machine.start(`patroni-${name}`, ['patroni', config], { isDatabase: true }));
  };
  const members = async (): Promise<readonly Member[]> => {
    for (const { patroniPort } of nodes) {
      const found = await askPatroni<{ members: Member[] }>(patroniPort, 'cluster').catch(() => undefined);
      if (found !== undefined) return found.members;
    }
    return [];
  };
  const leader = async () => {
    const found = (await members()).find(({ role }) => role === 'leader');
    if (found === undefined) throw new Error('nobody leads');
    return found.name;
  };
  const waitUntilWhole = () =>
    until(
      'the standby has everything',
      async () => {
        const alive = (await members()).filter(({ state }) => ['running', 'streaming'].includes(state));
        return ['leader', 'sync_standby'].every((role) => alive.some((one) => one.role === role));
      },
      { needs: [etcd, ...patronis.values()], seconds: 120 },
    );
  const urlAt = (port: number, database = DISTRICT) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

  start('one');
  await until('the first node leads', async () => (await leader()) === 'one', {
    needs: [etcd, ...patronis.values()],
  });
  start('two');
  await waitUntilWhole();
  await ask(urlAt(nodeNamed('one').port, 'postgres'), `create database ${DISTRICT}`);
  return {
    nodes,
    /** The district's database at a port, such as a proxy's. */
    urlAt,
    leader,
    /** Waits until both nodes run and the standby has everything that the leader confirmed. */
    waitUntilWhole,
    start,
    /** Ends a node and its Patroni at once, as a machine that loses its power. */
    kill: async (name: string) => {
      await patronis.get(name)?.kill();
      killServer(nodeNamed(name));
      patronis.delete(name);
    },
    /** Lets the other node lead, in order. */
    switchOver: async () => {
      const from = await leader();
      await askPatroni(nodeNamed(from).patroniPort, 'switchover', { leader: from });
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

type Node = Readonly<{ name: string; port: number; patroniPort: number; folder: string }>;

// Patroni reads YAML, of which JSON is a part.
function configFile({ name, port, patroniPort, folder }: Node, etcdPort: number, password: string): string {
  const at = (port: number) => `127.0.0.1:${port}`;
  const account = (username: string) => ({ username, password });
  const settings = {
    scope: 'volunteer-time',
    name,
    restapi: { listen: at(patroniPort), connect_address: at(patroniPort) },
    etcd3: { host: at(etcdPort) },
    bootstrap: {
      dcs: {
        ...SECONDS,
        // What was answered is on both.
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
  // Of root when root starts this; the folder lets nobody else in.
  chmodSync(file, 0o644);
  return file;
}

async function askPatroni<Reply>(port: number, what: string, body?: object): Promise<Reply> {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(body === undefined ? 2_000 : 60_000);
  const reply = await fetch(`http://127.0.0.1:${port}/${what}`, { ...sent, signal });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`Patroni refused ${what}: ${text}`);
  return (text.startsWith('{') ? JSON.parse(text) : text) as Reply;
}

function postmasterIn(folder: string): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'), 10);
  } catch {
    return 0;
  }
}

/** Runs a statement. */
export async function ask<Row>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
