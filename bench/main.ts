/**
 * npm run bench -- [--size S|M|L] [--engine sqlite|postgres] [--rounds 5] [--only text,text] [--against FOLDER]
 *   what is measured: nothing more for the CPU of each operation [--requests 400] [--connections 4]
 *   --peers              the same beside Directus, which is installed for that once
 *   --bursts 1,64        entries logged and edited at once over each number of connections [--sync-ms 4]
 *   --beside             logging beside heavy work, and 200 sign-ins in a second
 *   --screens            every call of a screen
 *   --web                how soon the built pages can be used on a slow phone
 *
 * Servers of one run take turns on copies of one seeded district, and their answers are held against each other before
 * anything is timed: this build, on SQLite a bare server that gives the same answers (the baseline), and with --against the build
 * whose sources lie in a folder, on the same district as its own migrations make it. docs/dev/performance.md has the figures.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIZES, type Size } from './district-data.ts';
import { ROOT, type Stand, withStand } from './measured-servers.ts';
import { OPERATIONS } from './operations.ts';
import { benchWeb } from './page-load.ts';
import {
  measure,
  printHead,
  printLine,
  printMedians,
  type Result,
  requireAgreement,
} from './paired-rounds.ts';
import { benchScreens } from './screen-requests.ts';
import { benchBeside, benchBurst } from './write-bursts.ts';

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
  // The pages as their sources are now.
  execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: ROOT, stdio: 'inherit' });
  await benchWeb([join(ROOT, 'dist'), ...(against === '' ? [] : [against])], rounds);
} else {
  const isAlone = values.beside || values.screens || engine === 'postgres';
  const beside = values.peers ? 'directus' : isAlone ? 'nothing' : 'baseline';
  await withStand({ size, engine, beside, against, syncMs: Number(values['sync-ms']) }, bench);
}

async function bench(stand: Stand): Promise<void> {
  console.log(`${size} on ${engine}, ${stand.servers.map(({ name }) => name).join(', ')}, ${rounds} rounds`);
  if (values.screens) return benchScreens(stand, isWanted);
  if (values.beside) return benchBeside(stand, { isWanted, rounds });
  // An answer without a row is none of a peer's product.
  const wanted = OPERATIONS.filter(({ name }) => isWanted(name) && !(values.peers && name === 'floor'));
  for (const operation of wanted) await requireAgreement(operation, stand);
  if (values.bursts !== '') {
    for (const connections of values.bursts.split(',')) await benchBurst(stand, Number(connections), rounds);
    return;
  }
  printHead(stand);
  const results: Result[] = [];
  const amount = { rounds, requests: Number(values.requests), connections: Number(values.connections) };
  for (const operation of wanted) {
    const result = await measure(operation, stand, amount);
    results.push(result);
    printLine(result);
  }
  printMedians(results);
}
