/** Bench lines of a steady stream of requests, and of many entries at once. */
import { randomFrom } from '../scripts/demo/random.ts';
import { aimed } from './agree.ts';
import { at, say } from './beside.ts';
import { cpuOf, spentSince } from './cpu.ts';
import type { Operation } from './operations.ts';
import { inTurns, type Stand, spread } from './pairs.ts';

/** How long requests come at a rate. */
const SECONDS = 5;
/** How many entries come at once, less the ones of the first round, which warms up. */
const BURST = 512;

/**
 * Sends an operation at a fixed rate, whether or not earlier requests are answered, and prints how long each took from
 * when it was due. Waiting for an answer before the next request is sent would leave out those that a slow one delays.
 */
export async function benchAtRate(
  operation: Operation,
  { cast, servers }: Stand,
  { rounds, perSecond }: { rounds: number; perSecond: number },
): Promise<void> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round++) {
    const random = randomFrom(`${operation.name} ${perSecond} ${round}`);
    const drawn = Array.from({ length: perSecond * SECONDS }, () => operation.draw(cast, random));
    for (const server of inTurns(servers, round)) {
      const sent = await aimed(operation, server, round === 0 ? drawn.slice(0, perSecond) : drawn);
      const took = await server.client.sendAtRate(sent, perSecond);
      if (round === 0) continue;
      times[server.name] = [...(times[server.name] ?? []), ...took];
    }
  }
  for (const [name, all] of Object.entries(times)) {
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => at(all, share).toFixed(2));
    say(`${operation.name}, ${perSecond} a second, ${name}`, `p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`);
  }
}

/** Sends many writes at once over so many connections; prints how many a second were done, and the CPU of each. */
export async function benchBurst(
  operation: Operation,
  { cast, servers, databasePids }: Stand,
  { rounds, connections }: { rounds: number; connections: number },
): Promise<void> {
  const done: Record<string, { perSecond: number[]; cpu: number[] }> = {};
  for (let round = 0; round <= rounds; round++) {
    const random = randomFrom(`burst of ${operation.name} ${connections} ${round}`);
    const drawn = Array.from({ length: BURST }, () => operation.draw(cast, random));
    for (const server of inTurns(servers, round)) {
      const before = cpuOf([server.pid, ...databasePids]);
      const began = performance.now();
      await server.client.sendAll(drawn, connections);
      const seconds = (performance.now() - began) / 1000;
      if (round === 0) continue;
      const of = done[server.name] ?? { perSecond: [], cpu: [] };
      done[server.name] = of;
      of.perSecond.push(BURST / seconds);
      of.cpu.push(spentSince(before, cpuOf([server.pid, ...databasePids])) / 1000 / BURST);
    }
  }
  for (const [name, { perSecond, cpu }] of Object.entries(done)) {
    say(
      `${BURST} of ${operation.name}, ${connections} connections, ${name}`,
      `${at(perSecond, 0.5).toFixed(0)} a second, CPU ${at(cpu, 0.5).toFixed(0)} us each`,
    );
  }
  const [ours, limit] = [done['ours'], done['limit']];
  if (ours === undefined || limit === undefined) return;
  const ratios = ours.cpu.map((cpu, index) => cpu / (limit.cpu[index] ?? Number.NaN));
  say('', `CPU to the limit's ${spread(ratios.sort((a, b) => a - b))}`);
}
