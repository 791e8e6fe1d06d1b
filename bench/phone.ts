import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

/** Where the drill and the bench install Lighthouse. */
const PLACE = resolve('.cache/lighthouse/node_modules/lighthouse/core/index.js');
/**
 * By a machine's index, as Lighthouse measures it, how many times slower a phone of the middle class is: the calculator that
 * Lighthouse's docs/throttling.md names. Between these points, and beyond the last, on a straight line.
 */
const TIMES_SLOWER = [
  { index: 150, times: 1 },
  { index: 800, times: 2 },
  { index: 1_300, times: 3 },
  { index: 2_000, times: 6 },
] as const;

type Audit = Readonly<{ id: string; title: string; score: number | null; displayValue?: string }>;
type Category = Readonly<{
  score: number | null;
  auditRefs: readonly { id: string; weight: number }[];
}>;
export type Result = Readonly<{
  lhr: {
    categories: Record<string, Category>;
    audits: Record<string, Audit>;
    environment: { benchmarkIndex: number };
  };
}>;
type Lighthouse = (url: string, flags: object) => Promise<Result>;

export async function loadLighthouse(): Promise<Lighthouse> {
  if (!existsSync(PLACE)) throw new Error('Lighthouse is not installed: npm run drill -- lighthouse');
  const { default: lighthouse } = (await import(PLACE)) as { default: Lighthouse };
  return lighthouse;
}

/**
 * How many times slower than this machine the phone's processor is. Measured in the browser of a port, since what else the
 * machine does changes.
 */
export async function timesSlower(lighthouse: Lighthouse, origin: string, port: number): Promise<number> {
  const { lhr } = await lighthouse(`${origin}/accessibility`, {
    port,
    disableStorageReset: true,
    onlyAudits: ['viewport'],
    logLevel: 'error',
  });
  const { benchmarkIndex } = lhr.environment;
  const times = slowerThan(benchmarkIndex);
  console.log(`this machine: ${benchmarkIndex.toFixed(0)}; the phone: ${times.toFixed(1)} times slower`);
  return times;
}

/** Throws on a machine that is itself slower than the phone. */
function slowerThan(index: number): number {
  if (index < TIMES_SLOWER[0].index) throw new Error(`This machine is too slow: ${index.toFixed(0)}`);
  const above = TIMES_SLOWER.findIndex((point) => index < point.index);
  const at = above === -1 ? TIMES_SLOWER.length - 1 : above;
  const [from, to] = TIMES_SLOWER.slice(at - 1, at + 1) as [Point, Point];
  return from.times + ((index - from.index) / (to.index - from.index)) * (to.times - from.times);
}

type Point = (typeof TIMES_SLOWER)[number];

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
