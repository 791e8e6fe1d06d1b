/** Starts the servers to measure, each with its own data, and removes everything afterwards. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/db/database.ts';
import { startPostgres } from '#test/postgres-server.ts';
import { startDirectus } from './directus/server.ts';
import { postgresData, type Size, sqliteData, TIME_ZONE } from './district-data.ts';
import { type Client, openClient } from './http-client.ts';
import { chooseTargets, type Targets } from './request-targets.ts';

/** The sources of this build. */
export const ROOT = join(import.meta.dirname, '..');
const OURS = 'src/app/server/main.ts';
const SCRIPTS = { ours: OURS, before: OURS, baseline: 'bench/baseline.ts' } as const;

/** A server to measure, in its own process on a free port of the loopback interface. */
export type Server = Readonly<{
  name: keyof typeof SCRIPTS | 'directus';
  pid: number;
  port: number;
  client: Client;
  stop: () => Promise<void>;
}>;

/** The location of a server's data. */
export type DataLocation = Readonly<{ dataDir: string; databaseUrl: string | undefined }>;

/** The servers, and the targets of requests to them. `databasePids` are the processes of all their databases. */
export type TestBed = Readonly<{
  targets: Targets;
  servers: readonly Server[];
  databasePids: readonly number[];
}>;

/**
 * The servers to start in addition to this build: `other`, and the build whose sources are in `against` unless that is empty.
 */
export type Options = Readonly<{
  size: Size;
  engine: string;
  other: 'none' | 'baseline' | 'directus';
  against: string;
  /** The milliseconds to add to each sync of the disk. */
  syncMs: number;
}>;

type Cleanup = () => Promise<unknown> | unknown;

/** Creates the district for each server, starts the servers, and passes them to `use`. */
export async function withServers(options: Options, use: (testBed: TestBed) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const cleanups: Cleanup[] = [remove];
  // A signal ends the servers too, and must not leave gigabytes of their data behind.
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  try {
    await use(await startAll(options, folder, cleanups));
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

async function startAll(options: Options, folder: string, cleanups: Cleanup[]): Promise<TestBed> {
  const { against, other, engine, size, syncMs } = options;
  const databasePids: number[] = [];
  const servers: Server[] = [];
  const locationFor = async (name: string): Promise<DataLocation> => {
    const dataDir = join(folder, name);
    if (engine !== 'postgres') return { dataDir, databaseUrl: undefined };
    const { url, stop } = await startPostgres();
    cleanups.push(stop);
    const socket = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
    databasePids.push(Number.parseInt(readFileSync(join(socket, 'data/postmaster.pid'), 'utf8'), 10));
    return { dataDir, databaseUrl: url };
  };
  const disk = syncMs > 0 ? buildSlowSync(syncMs, folder) : {};
  const add = (server: Server): void => {
    cleanups.push(server.stop);
    servers.push(server);
  };
  const startFilled = async (name: keyof typeof SCRIPTS, sources: string) => {
    const location = await locationFor(name);
    const targets = await fill(location, sources, size);
    add(await startServer(name, location, sources, disk));
    return { location, targets };
  };
  if (against !== '') await startFilled('before', against);
  const { location, targets } = await startFilled('ours', ROOT);
  if (other === 'baseline') await startFilled('baseline', ROOT);
  if (other === 'directus') add(await startDirectus(location, targets));
  return { servers, targets, databasePids };
}

/** Creates the district with a build's own migrations, and chooses the targets of requests. */
async function fill({ dataDir, databaseUrl }: DataLocation, sources: string, size: Size): Promise<Targets> {
  const build = sources === ROOT ? OWN_BUILD : await importBuild(sources);
  if (databaseUrl === undefined) await build.sqliteData(size, dataDir, console.log);
  else await build.postgresData(size, databaseUrl, dataDir, console.log);
  const database = await build.openDatabase({ databaseUrl, dataDir });
  const targets = await build.chooseTargets(database);
  await database.close();
  return targets;
}

const OWN_BUILD = { sqliteData, postgresData, chooseTargets, openDatabase };

async function importBuild(sources: string): Promise<typeof OWN_BUILD> {
  const load = (file: string) => import(join(sources, file));
  const database = await load('src/server/db/database.ts');
  // Builds before November 2026 have other names.
  if (existsSync(join(sources, 'bench/cast.ts'))) {
    const { castFrom } = await load('bench/cast.ts');
    return { ...database, ...(await load('bench/data.ts')), chooseTargets: castFrom };
  }
  const targets = await load('bench/request-targets.ts');
  return {
    ...database,
    ...(await load('bench/district-data.ts')),
    chooseTargets: targets.castFrom,
    ...targets,
  };
}

async function startServer(
  name: keyof typeof SCRIPTS,
  { dataDir, databaseUrl }: DataLocation,
  sources: string,
  disk: Readonly<Record<string, string>>,
): Promise<Server> {
  mkdirSync(dataDir, { recursive: true });
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    ...{ PATH, HOME, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, TIME_ZONE, LOG_LEVEL: 'error' },
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...disk,
  };
  const child = startProcess(process.execPath, [join(sources, SCRIPTS[name])], { env });
  let output = '';
  const ready = Promise.withResolvers<number>();
  const onOutput = (text: string) => {
    output += text;
    const [, port] = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
    if (port !== undefined) ready.resolve(Number(port));
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  child.once('exit', () => ready.reject(new Error(`a server did not start:\n${output}`)));
  const port = await ready.promise;
  return serverOf(name, child, port, openClient(port));
}

/** Starts a process that ends with this one at the latest. */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** A process that listens on a port, as a server to measure. */
export function serverOf(name: Server['name'], child: ChildProcess, port: number, client: Client): Server {
  const stop = async () => {
    client.close();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { name, pid: child.pid ?? 0, port, client, stop };
}

/** A preloaded library that makes every sync of a program wait longer, without using the CPU. */
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

/** Builds the library with the machine's C compiler; returns the environment that loads it. */
function buildSlowSync(ms: number, folder: string): Record<string, string> {
  const library = join(folder, 'slow-sync.so');
  const source = join(folder, 'slow-sync.c');
  writeFileSync(source, SLOW_SYNC);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'inherit' });
  return { LD_PRELOAD: library, BENCH_SYNC_MS: String(ms) };
}
