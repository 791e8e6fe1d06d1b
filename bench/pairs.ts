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

/** Prints the heading of lines to come. */
export function printHead(): void {
  console.log(
    `${'operation'.padEnd(24)}  CPU us  limit us   ratio min/median/max   must   p50 ms  limit ms   before us  ratio`,
  );
}

/** Prints a line of the product against the limit, and of the build before where there is one. */
export function printLine(result: Result): void {
  const ratios = ratiosOf(result, 'ours', 'limit');
  const of = (name: Name, what: keyof Round) => middle(result, name, what);
  const must = result.must === undefined ? '' : result.must.toFixed(2);
  const misses = result.must !== undefined && at(ratios, 0.5) > result.must ? ' missed' : '';
  console.log(
    `${result.name.padEnd(24)} ${of('ours', 'cpuMicroseconds').toFixed(0).padStart(7)} ` +
      `${of('limit', 'cpuMicroseconds').toFixed(0).padStart(9)}   ${spread(ratios).padEnd(20)} ${must.padStart(6)} ` +
      `${of('ours', 'p50').toFixed(2).padStart(8)} ${of('limit', 'p50').toFixed(2).padStart(9)}${beforeOf(result)}${misses}`,
  );
}

function beforeOf(result: Result): string {
  const ratios = ratiosOf(result, 'before', 'limit');
  if (ratios.length === 0) return '';
  const cpu = middle(result, 'before', 'cpuMicroseconds').toFixed(0);
  return `${cpu.padStart(12)}  ${at(ratios, 0.5).toFixed(2).padStart(5)}`;
}

/** Prints how many times as much CPU Directus takes for each operation, and in the middle of all of them. */
export function printPeer(results: readonly Result[]): void {
  console.log(`${'operation'.padEnd(24)}  CPU us  Directus   times min/median/max   p50 ms  Directus`);
  const times = results.map((result) => {
    const ratios = ratiosOf(result, 'directus', 'ours');
    const of = (name: Name, what: keyof Round) => middle(result, name, what);
    console.log(
      `${result.name.padEnd(24)} ${of('ours', 'cpuMicroseconds').toFixed(0).padStart(7)} ` +
        `${of('directus', 'cpuMicroseconds').toFixed(0).padStart(9)}   ${spread(ratios).padEnd(20)} ` +
        `${of('ours', 'p50').toFixed(2).padStart(8)} ${of('directus', 'p50').toFixed(2).padStart(9)}`,
    );
    return at(ratios, 0.5);
  });
  const typical = at(
    times.sort((a, b) => a - b),
    0.5,
  );
  console.log(`Directus takes ${typical.toFixed(1)} times our CPU, the median of these lines`);
}

/** The least, the middle and the greatest of a list. */
export function spread(list: readonly number[]): string {
  return [at(list, 0), at(list, 0.5), at(list, 1)].map((value) => value.toFixed(2)).join('/');
}
