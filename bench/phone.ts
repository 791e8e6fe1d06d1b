import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

/** Where the drill and the bench install Lighthouse. */
const PLACE = resolve('.cache/lighthouse/node_modules/lighthouse/core/index.js');
/** Below this index a machine is slower than Lighthouse expects; it then warns that its figures are too low. */
const SLOWEST_MACHINE = 1_000;
const TIMES_SLOWER = 4;

export type Audit = Readonly<{ id: string; title: string; score: number | null; displayValue?: string }>;
export type Category = Readonly<{
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
export type Lighthouse = (url: string, flags: object) => Promise<Result>;

export async function loadLighthouse(): Promise<Lighthouse> {
  if (!existsSync(PLACE)) throw new Error('Lighthouse is not installed: npm run drill -- lighthouse');
  const { default: lighthouse } = (await import(PLACE)) as { default: Lighthouse };
  return lighthouse;
}

/**
 * How many times slower than this machine the phone's processor is: four times, and less on a machine that is itself
 * slower than Lighthouse expects, so that the phone is the same on each. Measured in the browser of a port, since what
 * else the machine does changes.
 */
export async function timesSlower(lighthouse: Lighthouse, origin: string, port: number): Promise<number> {
  const { lhr } = await lighthouse(`${origin}/accessibility`, {
    port,
    disableStorageReset: true,
    onlyAudits: ['viewport'],
    logLevel: 'error',
  });
  const { benchmarkIndex } = lhr.environment;
  const times = Math.max(1, TIMES_SLOWER * Math.min(1, benchmarkIndex / SLOWEST_MACHINE));
  console.log(`this machine: ${benchmarkIndex.toFixed(0)}; the phone: ${times.toFixed(1)} times slower`);
  return times;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
