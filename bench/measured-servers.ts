/** Prepares what is measured: the servers and their data. Nothing remains of them afterwards. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/db/database.ts';
import { startPostgres } from '#test/postgres-server.ts';
import { startDirectus } from './directus/server.ts';
import { postgresData, type Size, sqliteData, TIME_ZONE } from './district-data.ts';
import { type Client, client } from './http-client.ts';
import { type Cast, castFrom } from './request-targets.ts';

/** The sources of this build. */
export const ROOT = join(import.meta.dirname, '..');
const OURS = 'src/app/server/main.ts';
const SCRIPTS = { ours: OURS, before: OURS, baseline: 'bench/baseline/server.ts' } as const;

/** A server that is measured, as a process of its own on a free port of the loopback interface. */
export type Server = Readonly<{
  name: keyof typeof SCRIPTS | 'directus';
  pid: number;
  port: number;
  client: Client;
  stop: () => Promise<void>;
}>;

/** Where a server's data is. */
export type Place = Readonly<{ dataDir: string; databaseUrl: string | undefined }>;

/** What is measured on; `databasePids` are processes that work for all servers in turn. */
export type Stand = Readonly<{ cast: Cast; servers: readonly Server[]; databasePids: readonly number[] }>;

/** What to prepare: `beside` stands beside the product; `against` is a folder with the sources of another build, or empty. */
export type Wanted = Readonly<{
  size: Size;
  engine: string;
  beside: 'nothing' | 'baseline' | 'directus';
  against: string;
  /** The milliseconds that a disk's sync takes more. */
  syncMs: number;
}>;

type End = () => Promise<unknown> | unknown;

/** Makes the district for each server, starts them, and gives them to `use`. */
export async function withStand(wanted: Wanted, use: (stand: Stand) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const endings: End[] = [remove];
  // Servers end with this process, and so does what they had, gigabytes of it, when a signal ends it.
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  try {
    await use(await prepare(wanted, folder, endings));
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}

async function prepare(
  { against, beside, ...wanted }: Wanted,
  folder: string,
  endings: End[],
): Promise<Stand> {
  const databasePids: number[] = [];
  const servers: Server[] = [];
  const placeFor = async (name: string): Promise<Place> => {
    const dataDir = join(folder, name);
    if (wanted.engine !== 'postgres') return { dataDir, databaseUrl: undefined };
    const { url, stop } = await startPostgres();
    endings.push(stop);
    const socket = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
    databasePids.push(Number.parseInt(readFileSync(join(socket, 'data/postmaster.pid'), 'utf8'), 10));
    return { dataDir, databaseUrl: url };
  };
  const disk = wanted.syncMs > 0 ? withSlowSync(wanted.syncMs, folder) : {};
  const start = async (server: Promise<Server>): Promise<void> => {
    const started = await server;
    endings.push(started.stop);
    servers.push(started);
  };
  if (against !== '') {
    const before = await placeFor('before');
    await fill(before, against, wanted.size);
    await start(startServer('before', before, against, disk));
  }
  const ours = await placeFor('ours');
  const cast = await fill(ours, ROOT, wanted.size);
  await start(startServer('ours', ours, ROOT, disk));
  if (beside === 'baseline') {
    // In a file of its own beside a copy of the product's.
    const place = await placeFor(beside);
    await fill(place, ROOT, wanted.size);
    await start(startServer(beside, place, ROOT, disk));
  }
  if (beside === 'directus') await start(startDirectus(ours, cast));
  return { servers, cast, databasePids };
}

/** What makes a district, as the sources of a build have it. */
const MAKING = { sqliteData, postgresData, castFrom, openDatabase };

/** Makes the district as the migrations of a build want it, and signs in who will send requests. */
async function fill({ dataDir, databaseUrl }: Place, sources: string, size: Size): Promise<Cast> {
  const files = ['bench/data.ts', 'bench/cast.ts', 'src/server/db/database.ts'];
  const making: typeof MAKING =
    sources === ROOT
      ? MAKING
      : Object.assign({}, ...(await Promise.all(files.map((file) => import(join(sources, file))))));
  if (databaseUrl === undefined) await making.sqliteData(size, dataDir, console.log);
  else await making.postgresData(size, databaseUrl, dataDir, console.log);
  const database = await making.openDatabase({ databaseUrl, dataDir });
  const cast = await making.castFrom(database);
  await database.close();
  return cast;
}

async function startServer(
  name: keyof typeof SCRIPTS,
  { dataDir, databaseUrl }: Place,
  sources: string,
  more: Readonly<Record<string, string>>,
): Promise<Server> {
  mkdirSync(dataDir, { recursive: true });
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    ...{ PATH, HOME, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, TIME_ZONE, LOG_LEVEL: 'error' },
    // Older builds start several on PostgreSQL.
    PROCESSES: '1',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...more,
  };
  const child = startProcess(process.execPath, [join(sources, SCRIPTS[name])], { env });
  let said = '';
  const ready = Promise.withResolvers<number>();
  const hear = (text: string) => {
    said += text;
    const [, port] = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
    if (port !== undefined) ready.resolve(Number(port));
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear);
  child.once('exit', () => ready.reject(new Error(`a server did not start:\n${said}`)));
  const port = await ready.promise;
  return serverOf(name, child, port, client(port));
}

/** Starts a process that ends with this one at the latest. */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** A process that listens on a port, as a server that is measured. */
export function serverOf(name: Server['name'], child: ChildProcess, port: number, load: Client): Server {
  const stop = async () => {
    load.close();
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  return { name, pid: child.pid ?? 0, port, client: load, stop };
}

/** A library that has whatever a program syncs take longer; it waits outside of the processor. */
const SLOW_SYNC = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
static int after(const char *name, int file) {
  const long ms = atol(getenv("BENCH_SYNC_MS"));
  const struct timespec more = { ms / 1000, ms % 1000 * 1000000 };
  int (*sync)(int) = dlsym(RTLD_NEXT, name);
  nanosleep(&more, 0);
  return sync(file);
}
int fsync(int file) { return after("fsync", file); }
int fdatasync(int file) { return after("fdatasync", file); }
`;

// Built with the machine's C compiler.
function withSlowSync(ms: number, folder: string): Record<string, string> {
  const library = join(folder, 'slow-sync.so');
  writeFileSync(join(folder, 'slow-sync.c'), SLOW_SYNC);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(folder, 'slow-sync.c'), '-ldl'], {
    stdio: 'inherit',
  });
  return { LD_PRELOAD: library, BENCH_SYNC_MS: String(ms) };
}
