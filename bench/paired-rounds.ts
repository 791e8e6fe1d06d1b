/** Paired rounds of an operation on all servers, and the lines that say what a request of it costs. */
import { isDeepStrictEqual } from 'node:util';
import { randomFrom } from '../scripts/demo/random.ts';
import { cpuOf, spentSince } from './cpu.ts';
import { figuresOf } from './directus/comparable-replies.ts';
import type { Answer } from './http-client.ts';
import type { Server, Stand } from './measured-servers.ts';
import { aimed, type Operation } from './operations.ts';

const SAMPLES = 6;
// A server that has run for a day has its code compiled; after 400 requests half of it is not.
const WARM_UP = 2_000;
/** The CPU that an operation may take against the build of `--against`. */
const MOST_AGAINST_BEFORE = 1.25;

/** How much is sent: the first round warms up, is longer, and does not count. */
export type Amount = Readonly<{ rounds: number; requests: number; connections: number }>;
type Round = Readonly<{ us: number; ms: number }>;
export type Result = Readonly<{ name: string; rounds: Readonly<Record<string, Round[]>> }>;

/** Throws unless all servers give the same reply to sampled requests: the bare one in full but for what is random. */
export async function requireAgreement(operation: Operation, { cast, servers }: Stand): Promise<void> {
  const random = randomFrom(`agree ${operation.name}`);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const drawn = operation.draw(cast, random);
    const answers = new Map<string, Answer>();
    for (const { name, client } of servers) {
      const [sent = drawn] = await aimed(operation, client, [drawn]);
      answers.set(name, await client.ask(sent));
    }
    const ours = answers.get('ours');
    for (const [name, answer] of answers) {
      // The build before may answer in other shapes.
      if (ours === undefined || name === 'ours' || name === 'before') continue;
      const known = name === 'directus' ? figuresOf('ours', ours.body, drawn.path) : comparable(ours);
      const other = name === 'directus' ? figuresOf(name, answer.body, drawn.path) : comparable(answer);
      if (isDeepStrictEqual(known, other)) continue;
      const texts = [known, other].map((one) => JSON.stringify(one).slice(0, 2000));
      throw new Error(`${operation.name} ${drawn.path}: ${name} answers differently:\n${texts.join('\n')}`);
    }
  }
}

function comparable({ status, body }: Answer) {
  const { token, message, nextCursor, timeEntry, user, ...rest } = body;
  return {
    status,
    ...rest,
    ...(user === undefined ? {} : { user: { ...user, lastLogin: null } }),
    ...(nextCursor === undefined ? {} : { hasMore: nextCursor !== null }),
    ...(timeEntry === undefined ? {} : { entry: { ...timeEntry, id: 0, createdAt: '', version: 0 } }),
  };
}

/** Runs rounds of an operation on all servers, in an order that is turned round every time. */
export async function measure(operation: Operation, stand: Stand, amount: Amount): Promise<Result> {
  const rounds: Record<string, Round[]> = {};
  for (let round = 0; round <= amount.rounds; round++) {
    const random = randomFrom(`${operation.name} ${round}`);
    const requests = round === 0 ? Math.max(amount.requests, WARM_UP) : amount.requests;
    const count = Math.max(10, Math.round(requests / (operation.weight ?? 1)));
    const drawn = Array.from({ length: count }, () => operation.draw(stand.cast, random));
    for (const server of inTurns(stand.servers, round)) {
      const sent = await aimed(operation, server.client, drawn);
      const { us, result } = await spending(stand, server, () =>
        server.client.sendAll(sent, amount.connections),
      );
      if (round === 0) continue;
      rounds[server.name] = [...(rounds[server.name] ?? []), { us: us / count, ms: at(result, 0.5) }];
    }
  }
  return { name: operation.name, rounds };
}

/** What the server and the databases took of the processor, in microseconds, while something was done. */
export async function spending<T>({ databasePids }: Stand, { pid }: Server, work: () => Promise<T>) {
  const before = cpuOf([pid, ...databasePids]);
  const result = await work();
  return { us: spentSince(before, cpuOf([pid, ...databasePids])) / 1000, result };
}

/** The servers in an order that is turned round every second time. */
export function inTurns(servers: readonly Server[], round: number): readonly Server[] {
  return round % 2 === 0 ? servers : servers.toReversed();
}

/** Prints the heading of `printLine`. */
export function printHead({ servers }: Stand): void {
  const others = servers.map(({ name }) => name).filter((name) => name !== 'ours');
  const heads = others.map((name) => `${`${name} us`.padStart(12)}   times min/median/max`);
  console.log(`${'operation'.padEnd(24)}  CPU us   p50 ms${heads.join('')}`);
}

/**
 * Prints what a request costs, and for each other server what it costs there and how many times as much one takes as the
 * other: of the baseline and of the build before our CPU to theirs, of a peer theirs to ours.
 */
export function printLine({ name, rounds }: Result): void {
  const cells = Object.keys(rounds)
    .filter((other) => other !== 'ours')
    .map((other) => {
      const times = timesOf({ name, rounds }, other);
      const misses = other === 'before' && at(times, 0.5) > MOST_AGAINST_BEFORE ? ' missed' : '';
      return `${middle(rounds[other], 'us').toFixed(0).padStart(12)}   ${(spread(times) + misses).padEnd(20)}`;
    });
  const [us, ms] = [middle(rounds['ours'], 'us').toFixed(0), middle(rounds['ours'], 'ms').toFixed(2)];
  console.log(`${name.padEnd(24)} ${us.padStart(7)} ${ms.padStart(8)}${cells.join('')}`);
}

/** Prints the median of all lines for each other server. */
export function printMedians(results: readonly Result[]): void {
  for (const other of Object.keys(results[0]?.rounds ?? {}).filter((name) => name !== 'ours')) {
    const medians = results.map((result) => at(timesOf(result, other), 0.5));
    const what = other === 'directus' ? 'CPU, in multiples of ours' : 'our CPU, in multiples of its';
    console.log(`${other}: ${what}, the median of these lines: ${at(medians, 0.5).toFixed(2)}`);
  }
}

function timesOf({ rounds }: Result, other: string): number[] {
  const [above = [], below = []] = (other === 'directus' ? [other, 'ours'] : ['ours', other]).map(
    (name) => rounds[name],
  );
  return above.map(({ us }, index) => us / (below[index]?.us ?? Number.NaN));
}

function middle(rounds: readonly Round[] | undefined, what: keyof Round): number {
  return at(
    (rounds ?? []).map((round) => round[what]),
    0.5,
  );
}

/** The value below which a share of a list lies. */
export function at(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function spread(list: readonly number[]): string {
  return [0, 0.5, 1].map((share) => at(list, share).toFixed(2)).join('/');
}

/** Prints a line, with what must be and whether it is. */
export function say(name: string, text: string, isMissed = false): void {
  console.log(`${name.padEnd(48)} ${text}${isMissed ? ' missed' : ''}`);
}
