/** Runs paired rounds of an operation on all servers, and reports the cost of a request. */

import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { randomFrom } from '../scripts/demo/random.ts';
import { figuresOf } from './directus/comparable-replies.ts';
import type { Reply } from './http-client.ts';
import type { Server, TestBed } from './measured-servers.ts';
import { type Operation, withCursors } from './operations.ts';

const SAMPLES = 6;
// After a day a server's code is fully compiled. After 400 requests half of it is not.
const WARM_UP = 2_000;
/** The most CPU that an operation may take, as a multiple of the build of `--against`. */
const MAX_AGAINST_BEFORE = 1.25;

/** The number of requests to send. The first round is a longer warm-up that does not count. */
export type Amount = Readonly<{ rounds: number; requests: number; connections: number }>;
type Round = Readonly<{ us: number; ms: number }>;
export type Result = Readonly<{ name: string; rounds: Readonly<Record<string, readonly Round[]>> }>;

/** Throws unless all servers reply alike to sampled requests. Random values such as tokens are ignored. */
export async function requireAgreement(operation: Operation, testBed: TestBed): Promise<void> {
  const random = randomFrom(`agree ${operation.name}`);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const drawn = operation.draw(testBed.targets, random);
    const replies = new Map<string, Reply>();
    for (const { name, client } of serversFor(operation, testBed)) {
      const [request = drawn] = await withCursors(operation, client, [drawn]);
      replies.set(name, await client.sendOk(request));
    }
    const ours = replies.get('ours');
    for (const [name, reply] of replies) {
      // The previous build may reply in other shapes.
      if (ours === undefined || name === 'ours' || name === 'before') continue;
      const expected = name === 'directus' ? figuresOf('ours', ours.body, drawn.path) : comparable(ours);
      const actual = name === 'directus' ? figuresOf(name, reply.body, drawn.path) : comparable(reply);
      if (isDeepStrictEqual(expected, actual)) continue;
      const texts = [expected, actual].map((one) => JSON.stringify(one).slice(0, 2000));
      throw new Error(`${operation.name} ${drawn.path}: ${name} replies differently:\n${texts.join('\n')}`);
    }
  }
}

function comparable({ status, body }: Reply) {
  const { token, message, nextCursor, timeEntry, ...rest } = body;
  return {
    status,
    ...rest,
    ...(nextCursor === undefined ? {} : { hasMore: nextCursor !== null }),
    ...(timeEntry === undefined ? {} : { entry: { ...timeEntry, id: 0, createdAt: '', version: 0 } }),
  };
}

/** Runs rounds of an operation on all servers, in reverse order every second time. */
export async function measure(operation: Operation, testBed: TestBed, amount: Amount): Promise<Result> {
  const rounds: Record<string, Round[]> = {};
  for (let round = 0; round <= amount.rounds; round++) {
    const random = randomFrom(`${operation.name} ${round}`);
    const wanted = round === 0 ? Math.max(amount.requests, WARM_UP) : amount.requests;
    const count = Math.max(10, Math.round(wanted / (operation.weight ?? 1)));
    const drawn = Array.from({ length: count }, () => operation.draw(testBed.targets, random));
    for (const server of alternateOrder(serversFor(operation, testBed), round)) {
      const requests = await withCursors(operation, server.client, drawn);
      const { us, result } = await measureCpu(testBed, server, () =>
        server.client.sendAll(requests, amount.connections),
      );
      if (round === 0) continue;
      rounds[server.name] = [...(rounds[server.name] ?? []), { us: us / count, ms: at(result, 0.5) }];
    }
  }
  return { name: operation.name, rounds };
}

/** Returns the result of `work` and the CPU time that the server and the databases took for it, in microseconds. */
export async function measureCpu<T>({ databasePids }: TestBed, { pid }: Server, work: () => Promise<T>) {
  const before = cpuOf([pid, ...databasePids]);
  const result = await work();
  return { us: cpuSince(before, cpuOf([pid, ...databasePids])) / 1000, result };
}

function serversFor({ onBaseline }: Operation, { servers }: TestBed): readonly Server[] {
  return servers.filter(({ name }) => name !== 'baseline' || onBaseline === true);
}

/** Returns the servers, in reverse order every second round. */
export function alternateOrder(servers: readonly Server[], round: number): readonly Server[] {
  return round % 2 === 0 ? servers : servers.toReversed();
}

/** The heading of `formatResult`. `others` are the servers other than this build's. */
export function formatHeading(others: readonly string[]): string {
  const heads = others.map((name) => `${`${name} us`.padStart(12)}   times min/median/max`);
  return `${'operation'.padEnd(24)}  CPU us   p50 ms${heads.join('')}`;
}

/**
 * The cost of a request here and on each other server, and the ratio: our CPU divided by that of the baseline and of the
 * previous build, but a peer's CPU divided by ours.
 */
export function formatResult({ name, rounds }: Result, others: readonly string[]): string {
  const cells = others.map((other) => {
    if (rounds[other] === undefined) return ''.padEnd(35);
    const ratios = ratiosOf({ name, rounds }, other);
    const missed = other === 'before' && at(ratios, 0.5) > MAX_AGAINST_BEFORE ? ' missed' : '';
    return `${medianOf(rounds[other], 'us').toFixed(0).padStart(12)}   ${(spread(ratios) + missed).padEnd(20)}`;
  });
  const [us, ms] = [medianOf(rounds['ours'], 'us').toFixed(0), medianOf(rounds['ours'], 'ms').toFixed(2)];
  return `${name.padEnd(24)} ${us.padStart(7)} ${ms.padStart(8)}${cells.join('')}`.trimEnd();
}

/** Prints the median of all results for each other server. */
export function printMedians(results: readonly Result[], others: readonly string[]): void {
  for (const other of others) {
    const compared = results.filter(({ rounds }) => rounds[other] !== undefined);
    const medians = compared.map((result) => at(ratiosOf(result, other), 0.5));
    const what = other === 'directus' ? 'its CPU, in multiples of ours' : 'our CPU, in multiples of its';
    console.log(`${other}: ${what}, median of ${medians.length} operations: ${at(medians, 0.5).toFixed(2)}`);
  }
}

function ratiosOf({ rounds }: Result, other: string): number[] {
  const names = other === 'directus' ? [other, 'ours'] : ['ours', other];
  const [above = [], below = []] = names.map((name) => rounds[name]);
  return above.map(({ us }, index) => us / (below[index]?.us ?? Number.NaN));
}

function medianOf(rounds: readonly Round[] = [], key: keyof Round): number {
  return at(
    rounds.map((round) => round[key]),
    0.5,
  );
}

/** The value at a share of a sorted list: 0.5 is the median. */
export function at(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function spread(list: readonly number[]): string {
  return [0, 0.5, 1].map((share) => at(list, share).toFixed(2)).join('/');
}

/** Prints one figure, and whether it exceeds its limit. */
export function printFigure(name: string, text: string, isMissed = false): void {
  console.log(`${name.padEnd(48)} ${text}${isMissed ? ' missed' : ''}`);
}

/** CPU time in nanoseconds by process, summed over its threads. */
type CpuTimes = ReadonlyMap<number, number>;

/** The CPU time so far of these processes and all their descendants. */
function cpuOf(roots: readonly number[]): CpuTimes {
  const times = new Map<number, number>();
  const visit = (pid: number) => {
    let time = 0;
    const children: number[] = [];
    for (const thread of threadsOf(pid)) {
      time += Number(read(`${thread}/schedstat`).split(' ')[0]);
      children.push(...read(`${thread}/children`).split(' ').filter(Boolean).map(Number));
    }
    times.set(pid, time);
    children.forEach(visit);
  };
  roots.forEach(visit);
  return times;
}

/** Nanoseconds since an earlier reading. Ignores processes that have ended since, such as an idle back end. */
function cpuSince(before: CpuTimes, now: CpuTimes): number {
  return [...now].reduce((sum, [pid, time]) => sum + Math.max(0, time - (before.get(pid) ?? 0)), 0);
}

// A process or thread may end while its files are read.
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
