/** Prepares what is measured: the servers and their data. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/db/connect.ts';
import { startPostgres } from '../test/postgres.ts';
import { castFrom } from './cast.ts';
import { postgresData, sqliteData } from './data.ts';
import { installDirectus } from './directus/install.ts';
import { startDirectus } from './directus/server.ts';
import type { Stand } from './pairs.ts';
import { type Place, ROOT, type Server, startServer } from './servers.ts';
import type { Size } from './sizes.ts';
import { withSlowSync } from './slow-sync.ts';

/** What stands beside the product: nothing, the bare server, or Directus. */
export type Other = 'none' | 'limit' | 'directus';

/** What to prepare. `against` is a folder with the sources of another build, or empty. */
export type Wanted = Readonly<{
  size: Size;
  engine: string;
  other: Other;
  against: string;
  /** A disk's sync takes so many milliseconds more. */
  syncMs: number;
}>;

type End = () => Promise<unknown> | unknown;

/** Makes the district for each server, starts them, and gives them to `use`. Nothing remains of them afterwards. */
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
  { against, other, ...wanted }: Wanted,
  folder: string,
  endings: End[],
): Promise<Stand> {
  const databasePids: number[] = [];
  const placeFor = async (name: string): Promise<Place> => {
    const dataDir = join(folder, name);
    if (wanted.engine !== 'postgres') return { dataDir, databaseUrl: undefined };
    const { url, pid, stop } = await aPostgres();
    endings.push(stop);
    databasePids.push(pid);
    return { dataDir, databaseUrl: url };
  };
  const disk = wanted.syncMs > 0 ? withSlowSync(wanted.syncMs, folder) : {};
  const servers: Server[] = [];
  const start = async (server: Promise<Server>): Promise<void> => {
    const started = await server;
    endings.push(started.stop);
    servers.push(started);
  };

  if (against !== '') {
    const before = await placeFor('before');
    await fill(before, against, wanted);
    await start(startServer('before', before, against, disk));
  }
  const ours = await placeFor('ours');
  const cast = await fill(ours, ROOT, wanted);
  await start(startServer('ours', ours, ROOT, disk));
  if (other === 'limit') {
    // On PostgreSQL in a schema of the same database, on SQLite in a file beside its own copy of the product's.
    const limit = ours.databaseUrl === undefined ? await placeFor('limit') : ours;
    if (limit !== ours) await fill(limit, ROOT, wanted);
    await start(startServer('limit', limit, ROOT, disk));
  }
  if (other === 'directus') {
    await installDirectus(console.log);
    await start(startDirectus(ours, cast));
  }
  return { servers, cast, databasePids };
}

async function aPostgres(): Promise<{ url: string; pid: number; stop: End }> {
  const { url, stop } = await startPostgres();
  const socket = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
  const [pid] = readFileSync(join(socket, 'data/postmaster.pid'), 'utf8').split('\n');
  return { url, pid: Number(pid), stop };
}

/** What makes a district, as the sources of a build have it. */
const MAKING = { sqliteData, postgresData, castFrom, openDatabase };

async function makingOf(sources: string): Promise<typeof MAKING> {
  if (sources === ROOT) return MAKING;
  const files = ['bench/data.ts', 'bench/cast.ts', 'src/server/db/connect.ts'];
  const parts = await Promise.all(files.map((file) => import(join(sources, file))));
  return Object.assign({}, ...parts);
}

/** Makes the district as the migrations of a build want it, and signs in who will send requests. */
async function fill({ dataDir, databaseUrl }: Place, sources: string, { size }: Pick<Wanted, 'size'>) {
  const making = await makingOf(sources);
  if (databaseUrl === undefined) await making.sqliteData(size, dataDir, console.log);
  else await making.postgresData(size, databaseUrl, dataDir, console.log);
  const database = await making.openDatabase({ databaseUrl, dataDir });
  const cast = await making.castFrom(database);
  await database.close();
  return cast;
}
