/**
 * npm run bench -- [--size S|M|L] [--engine sqlite|postgres] [--rounds 5] [--only text,text] [--against FOLDER]
 *   what to measure; without one of these, the CPU of each operation [--requests 400] [--connections 4]
 *   --peers              the same against Directus, which is installed once
 *   --bursts 1,64        many entries logged and edited over each number of connections [--sync-ms 4]
 *   --beside             logging next to heavy work, and 200 sign-ins in a second
 *   --screens            every request that a screen sends
 *   --web                how soon the built pages are usable on a slow phone
 *
 * The servers of one run take turns on copies of one seeded district, and their replies are compared before anything is
 * timed. They are this build, on SQLite a bare server (the baseline), and with --against the build whose sources are in a
 * folder, on a district that its own migrations made. docs/dev/performance.md has the figures.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIZES, type Size } from './district-data.ts';
import { ROOT, type TestBed, withServers } from './measured-servers.ts';
import { OPERATIONS } from './operations.ts';
import { benchWeb } from './page-load.ts';
import {
  formatHeading,
  formatResult,
  measure,
  printMedians,
  type Result,
  requireAgreement,
} from './paired-rounds.ts';
import { benchScreens } from './screen-requests.ts';
import { benchBesideWork, benchBurst } from './write-bursts.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'S' },
    engine: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '400' },
    connections: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    against: { type: 'string', default: '' },
    bursts: { type: 'string', default: '' },
    'sync-ms': { type: 'string', default: '0' },
    peers: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    screens: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
  },
});
const size = values.size as Size;
if (!(size in SIZES) || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('Sizes are S, M and L, engines sqlite and postgres');
  process.exit(2);
}
const { engine, against, only } = values;
const rounds = Number(values.rounds);
const isWanted = (name: string) => only.split(',').some((part) => name.includes(part));

if (values.web) {
  execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: ROOT, stdio: 'inherit' });
  await benchWeb([join(ROOT, 'dist'), ...(against === '' ? [] : [against])], rounds);
} else {
  const isAlone = values.beside || values.screens || engine === 'postgres';
  const other = values.peers ? 'directus' : isAlone ? 'none' : 'baseline';
  await withServers({ size, engine, other, against, syncMs: Number(values['sync-ms']) }, bench);
}

async function bench(testBed: TestBed): Promise<void> {
  const names = testBed.servers.map(({ name }) => name);
  console.log(`${size} on ${engine}, ${names.join(', ')}, ${rounds} rounds`);
  if (values.screens) return benchScreens(testBed, isWanted);
  if (values.beside) return benchBesideWork(testBed, { isWanted, rounds });
  // The peer has no reply that needs no row.
  const wanted = OPERATIONS.filter(({ name }) => isWanted(name) && !(values.peers && name === 'floor'));
  for (const operation of wanted) await requireAgreement(operation, testBed);
  if (values.bursts !== '') {
    for (const connections of values.bursts.split(',')) {
      await benchBurst(testBed, Number(connections), rounds);
    }
    return;
  }
  const others = names.filter((name) => name !== 'ours');
  console.log(formatHeading(others));
  const results: Result[] = [];
  const amount = { rounds, requests: Number(values.requests), connections: Number(values.connections) };
  for (const operation of wanted) {
    const result = await measure(operation, testBed, amount);
    results.push(result);
    console.log(formatResult(result, others));
  }
  printMedians(results, others);
}
