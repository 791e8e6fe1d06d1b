/** Bench lines of operations: paired rounds on all servers, the CPU of each request and its ratio. */
import { randomFrom } from '../scripts/demo/random.ts';
import { aimed } from './agree.ts';
import { at } from './beside.ts';
import { cpuOf, spentSince } from './cpu.ts';
import type { Cast, Operation } from './operations.ts';
import type { Name, Server } from './servers.ts';

/** What is measured on; `databasePids` are processes that work for all servers in turn. */
export type Stand = Readonly<{ cast: Cast; servers: readonly Server[]; databasePids: readonly number[] }>;

/** One operation on one server in one round: CPU time of each request, and the median of the milliseconds. */
type Round = Readonly<{ cpuMicroseconds: number; p50: number }>;
export type Result = Readonly<{
  name: string;
  must: number | undefined;
  connections: number;
  rounds: Readonly<Record<Name, Round[]>>;
}>;

// A server that has run for a day has its code compiled; after 400 requests half of it is not.
const WARM_UP = 2_000;

/** Runs pairs of rounds in alternating order; the first pair warms up, is longer, and does not count. */
export async function measure(
  operation: Operation,
  { cast, servers, databasePids }: Stand,
  how: { rounds: number; requests: number; connections: number },
): Promise<Result> {
  const weighed = (requests: number) => Math.max(10, Math.round(requests / (operation.weight ?? 1)));
  const rounds: Result['rounds'] = { ours: [], before: [], limit: [], directus: [] };
  for (let round = 0; round <= how.rounds; round++) {
    const random = randomFrom(`${operation.name} ${round}`);
    const count = weighed(round === 0 ? Math.max(how.requests, WARM_UP) : how.requests);
    const drawn = Array.from({ length: count }, () => operation.draw(cast, random));
    for (const server of inTurns(servers, round)) {
      const sent = await aimed(operation, server, drawn);
      const before = cpuOf([server.pid, ...databasePids]);
      const times = await server.client.sendAll(sent, how.connections);
      const spent = spentSince(before, cpuOf([server.pid, ...databasePids]));
      if (round > 0) rounds[server.name].push({ cpuMicroseconds: spent / 1000 / count, p50: at(times, 0.5) });
    }
  }
  return { name: operation.name, must: operation.must, connections: how.connections, rounds };
}

/** The servers in an order that is turned round every second time. */
export function inTurns(servers: readonly Server[], round: number): readonly Server[] {
  return round % 2 === 0 ? servers : servers.toReversed();
}

/** The CPU of one server to that of another, pair by pair, the least first. */
export function ratiosOf({ rounds }: Result, name: Name, to: Name): number[] {
  return rounds[name]
    .map((round, index) => round.cpuMicroseconds / (rounds[to][index]?.cpuMicroseconds ?? Number.NaN))
    .sort((a, b) => a - b);
}

function middle({ rounds }: Result, name: Name, what: keyof Round): number {
  return at(
    rounds[name].map((round) => round[what]),
    0.5,
  );
}

/** Prints the heading of lines to come, with the build before where there is one. */
export function printHead(servers: Stand['servers']): void {
  const before = servers.some(({ name }) => name === 'before') ? '   before us  ratio' : '';
  console.log(
    `${'operation'.padEnd(24)}  CPU us  limit us   ratio min/median/max   must   p50 ms  limit ms${before}`,
  );
}

/** Prints a line of the product against the limit, and of the build before where there is one. */
export function printLine(result: Result): void {
  const ratios = ratiosOf(result, 'ours', 'limit');
  const must = result.must === undefined ? '' : result.must.toFixed(2);
  const misses = result.must !== undefined && at(ratios, 0.5) > result.must ? ' missed' : '';
  console.log(`${beside(result, 'limit', ratios, must.padStart(6))}${beforeOf(result)}${misses}`);
}

/** Prints how many times as much CPU Directus takes for each operation, and in the middle of all of them. */
export function printPeer(results: readonly Result[]): void {
  console.log(`${'operation'.padEnd(24)}  CPU us  Directus   times min/median/max   p50 ms  Directus`);
  const times = results.map((result) => {
    const ratios = ratiosOf(result, 'directus', 'ours');
    console.log(beside(result, 'directus', ratios));
    return at(ratios, 0.5);
  });
  console.log(`Directus takes ${at(times, 0.5).toFixed(1)} times our CPU, the median of these lines`);
}

/** What the product and another server took: CPU, the spread of one to the other, and how long a request lasted. */
function beside(result: Result, other: Name, ratios: readonly number[], more = ''): string {
  const [cpu, otherCpu] = (['ours', other] as const).map((name) =>
    middle(result, name, 'cpuMicroseconds').toFixed(0),
  );
  const [ms, otherMs] = (['ours', other] as const).map((name) => middle(result, name, 'p50').toFixed(2));
  return (
    `${result.name.padEnd(24)} ${cpu?.padStart(7)} ${otherCpu?.padStart(9)}   ${spread(ratios).padEnd(20)} ${more} ` +
    `${ms?.padStart(8)} ${otherMs?.padStart(9)}`
  );
}

function beforeOf(result: Result): string {
  const ratios = ratiosOf(result, 'before', 'limit');
  if (ratios.length === 0) return '';
  const cpu = middle(result, 'before', 'cpuMicroseconds').toFixed(0);
  return `${cpu.padStart(12)}  ${at(ratios, 0.5).toFixed(2).padStart(5)}`;
}

/** The least, the middle and the greatest of a list. */
export function spread(list: readonly number[]): string {
  return [at(list, 0), at(list, 0.5), at(list, 1)].map((value) => value.toFixed(2)).join('/');
}
