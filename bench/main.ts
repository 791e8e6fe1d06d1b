/**
 * npm run bench -- [--size S|M|L] [--engine sqlite|postgres] [--rounds 5] [--requests 400] [--connections 4]
 *   [--only text,text] [--json file]
 * npm run bench -- --beside [--size S|M|L] [--engine sqlite|postgres] [--only text,text] [--against FOLDER] [--rounds 5]
 * npm run bench -- --web [--against FOLDER] [--rounds 5]
 *
 * Measures the product against the limit: paired rounds on copies of one seeded district, CPU of the whole process
 * tree for each request, and the ratio of the two. With --beside how long another call takes beside heavy work, against
 * what it takes at rest, and in turns the same of another build's sources. With --web how soon the built pages can be used on a slow phone,
 * beside those of another build.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '#server/db/connect.ts';
import { randomFrom } from '../scripts/demo/random.ts';
import { startPostgres } from '../test/postgres.ts';
import { aimed, requireAgreement } from './agree.ts';
import { benchBeside } from './beside.ts';
import { castFrom } from './cast.ts';
import { cpuOf, spentSince } from './cpu.ts';
import { postgresData, sqliteData } from './data.ts';
import { type Cast, OPERATIONS, type Operation } from './operations.ts';
import { type Name, type Server, startServer } from './servers.ts';
import { SIZES, type Size } from './sizes.ts';
import { benchVerified } from './verified.ts';
import { benchWeb } from './web.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'S' },
    engine: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '400' },
    connections: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
    beside: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    against: { type: 'string', default: '' },
  },
});
const size = values.size as Size;
if (!(size in SIZES) || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('Sizes are S, M and L, engines sqlite and postgres');
  process.exit(2);
}
const [rounds, requests, connections] = [values.rounds, values.requests, values.connections].map(Number) as [
  number,
  number,
  number,
];

/** The name of what is measured at schools that verify hours, after all else. */
const VERIFIED = 'verified hours';

/** One operation on one server in one round. */
type Round = { cpuMicroseconds: number; p50: number };
type Result = { name: string; must: number | undefined; rounds: Record<Name, Round[]> };

const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-bench-'));
const endings: (() => Promise<unknown> | unknown)[] = [
  () => rmSync(folder, { recursive: true, force: true }),
];
try {
  if (values.web) await benchWeb(['dist', ...(values.against === '' ? [] : [values.against])], rounds);
  else await bench();
} finally {
  for (const end of endings.toReversed()) await end();
}

async function bench(): Promise<void> {
  const { servers, cast, databasePids } = await prepareServers();
  const ours = servers.find(({ name }) => name === 'ours');
  const [before] = servers.filter(({ name }) => name === 'before');
  if (values.beside && ours !== undefined) {
    return benchBeside([...(before === undefined ? [] : [before]), ours], cast, { isWanted, rounds });
  }
  const results: Result[] = [];
  printHead();
  for (const operation of OPERATIONS.filter(isWanted)) {
    await requireAgreement(operation, cast, servers);
    const result = await measure(operation, cast, servers, databasePids);
    results.push(result);
    printLine(result);
  }
  if (ours !== undefined && isWanted({ name: VERIFIED })) {
    await benchVerified(ours, cast);
    const create = OPERATIONS.find(({ name }) => name === 'create');
    if (create !== undefined)
      printLine(await measure({ ...create, name: `create, ${VERIFIED}` }, cast, servers, databasePids));
  }
  if (values.json !== '') writeFileSync(values.json, `${JSON.stringify(report(results), undefined, 1)}\n`);
}

async function prepareServers() {
  const places = { ours: join(folder, 'ours'), limit: join(folder, 'limit'), before: join(folder, 'before') };
  let databaseUrl: string | undefined;
  const databasePids: number[] = [];
  if (values.engine === 'postgres') {
    const server = await startPostgres();
    endings.push(server.stop);
    databaseUrl = server.url;
    const socket = new URL(server.url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
    databasePids.push(Number(readFileSync(join(socket, 'data/postmaster.pid'), 'utf8').split('\n')[0]));
    await postgresData(size, databaseUrl, places.ours, console.log);
  } else {
    await sqliteData(size, places.ours, console.log);
    await sqliteData(size, values.beside ? places.before : places.limit, console.log);
  }
  const casts: Cast[] = [];
  const other = values.beside ? places.before : places.limit;
  for (const dataDir of databaseUrl === undefined ? [places.ours, other] : [places.ours]) {
    const database = await openDatabase({ databaseUrl, dataDir });
    casts.push(await castFrom(database));
    await database.close();
  }
  const [cast] = casts;
  if (cast === undefined) throw new Error('nobody to send requests');
  const servers: Server[] = [];
  const beside = values.against === '' ? (['ours'] as const) : (['ours', 'before'] as const);
  for (const name of values.beside ? beside : (['ours', 'limit'] as const)) {
    const place = { dataDir: places[name], databaseUrl };
    const server = await startServer(name, place, connections, values.against || undefined);
    endings.push(server.stop);
    servers.push(server);
  }
  return { servers, cast, databasePids };
}

/** Runs pairs of rounds in alternating order; the first pair warms up and does not count. */
async function measure(
  operation: Operation,
  cast: Cast,
  servers: readonly Server[],
  databasePids: readonly number[],
): Promise<Result> {
  const count = Math.max(10, Math.round(requests / (operation.weight ?? 1)));
  const result: Result = {
    name: operation.name,
    must: operation.must,
    rounds: { ours: [], before: [], limit: [] },
  };
  for (let round = 0; round <= rounds; round++) {
    const random = randomFrom(`${operation.name} ${round}`);
    const drawn = Array.from({ length: count }, () => operation.draw(cast, random));
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const sent = await aimed(operation, server, drawn);
      const before = cpuOf([server.pid, ...databasePids]);
      const times = await server.client.sendAll(sent);
      const spent = spentSince(before, cpuOf([server.pid, ...databasePids]));
      if (round === 0) continue;
      result.rounds[server.name].push({ cpuMicroseconds: spent / 1000 / count, p50: median(times) });
    }
  }
  return result;
}

function ratiosOf({ rounds: { ours, limit } }: Result): number[] {
  return ours
    .map((round, index) => round.cpuMicroseconds / (limit[index]?.cpuMicroseconds ?? Number.NaN))
    .sort((a, b) => a - b);
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}

function isWanted({ name }: Pick<Operation, 'name'>): boolean {
  return values.only.split(',').some((part) => name.includes(part));
}

function printHead(): void {
  console.log(
    `\n${size} on ${values.engine}, ${rounds} rounds of ${requests} requests, ${connections} connections\n` +
      `${'operation'.padEnd(24)}  CPU us  limit us   ratio min/median/max   must   p50 ms  limit ms`,
  );
}

function printLine(result: Result): void {
  const ratios = ratiosOf(result);
  const of = (name: Name, what: keyof Round) => median(result.rounds[name].map((round) => round[what]));
  const ratio = [ratios[0], median(ratios), ratios.at(-1)]
    .map((value = Number.NaN) => value.toFixed(2))
    .join('/');
  const must = result.must === undefined ? '' : result.must.toFixed(2);
  const misses = result.must !== undefined && median(ratios) > result.must ? ' missed' : '';
  console.log(
    `${result.name.padEnd(24)} ${of('ours', 'cpuMicroseconds').toFixed(0).padStart(7)} ` +
      `${of('limit', 'cpuMicroseconds').toFixed(0).padStart(9)}   ${ratio.padEnd(20)} ${must.padStart(6)} ` +
      `${of('ours', 'p50').toFixed(2).padStart(8)} ${of('limit', 'p50').toFixed(2).padStart(9)}${misses}`,
  );
}

function report(results: readonly Result[]) {
  return {
    size,
    engine: values.engine,
    node: process.version,
    requests,
    connections,
    operations: results.map((result) => ({ ...result, ratio: median(ratiosOf(result)) })),
  };
}
