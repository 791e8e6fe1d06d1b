/**
 * npm run bench -- [--size S|M|L] [--engine sqlite|postgres] [--rounds 5] [--requests 400] [--concurrency 1,16,64]
 *   [--only text,text] [--against FOLDER] [--json file]
 * npm run bench -- --rate 100,300 [--only text,text]
 * npm run bench -- --bursts 1,16,64 [--sync-ms 4]
 * npm run bench -- --peers [--size S|M|L] [--engine sqlite|postgres] [--rounds 5] [--requests 400] [--only text,text]
 * npm run bench -- --beside [--size S|M|L] [--engine sqlite|postgres] [--only text,text] [--against FOLDER] [--rounds 5]
 * npm run bench -- --web [--against FOLDER] [--rounds 5]
 * npm run bench -- --tabs [--rounds 5]
 * npm run bench -- --pictures FOLDER
 *
 * Measures the product against the limit: paired rounds on copies of one seeded district, CPU of the whole process
 * tree for each request, and the ratio of the two, over each number of connections in turn; with --against also of
 * another build, whose sources lie in a folder, on the same district as its own migrations make it. With --rate the time of
 * requests that come so many a second, whether or not earlier ones are answered. With --bursts how many entries a second
 * are logged and edited that come at once, over each number of connections, on a disk that takes so many milliseconds more
 * for each sync. With --peers what Directus, which is installed for that once, takes for the same on the same rows. With
 * --beside how long another call takes beside heavy work, against what it takes at rest, and in turns the same of
 * another build's sources. With --web how soon the built pages can be used on a slow phone, beside those of another
 * build. With --tabs what each change of tab takes there. With --pictures what the photographs of a folder weigh as
 * JPEG, WebP and AVIF at equal quality.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { requireAgreement } from './agree.ts';
import { at, benchBeside } from './beside.ts';
import { requireSameFigures } from './directus/figures.ts';
import { benchAtRate, benchBurst } from './open-loop.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { measure, printHead, printLine, printPeer, type Result, ratiosOf, type Stand } from './pairs.ts';
import { weighPictures } from './pictures.ts';
import type { Server } from './servers.ts';
import { SIZES, type Size } from './sizes.ts';
import { withStand } from './stand.ts';
import { benchTabs } from './tabs.ts';
import { benchVerified } from './verified.ts';
import { benchWeb } from './web.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'S' },
    engine: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '400' },
    concurrency: { type: 'string', default: '4' },
    rate: { type: 'string', default: '' },
    bursts: { type: 'string', default: '' },
    'sync-ms': { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    json: { type: 'string', default: '' },
    peers: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    tabs: { type: 'boolean', default: false },
    against: { type: 'string', default: '' },
    pictures: { type: 'string', default: '' },
  },
});
const size = values.size as Size;
if (!(size in SIZES) || !['sqlite', 'postgres'].includes(values.engine)) {
  console.error('Sizes are S, M and L, engines sqlite and postgres');
  process.exit(2);
}
const [rounds, requests] = [Number(values.rounds), Number(values.requests)];
const [concurrency, rates, bursts] = [values.concurrency, values.rate, values.bursts].map(numbersIn) as [
  number[],
  number[],
  number[],
];

/** The name of what is measured at schools that verify hours, after all else. */
const VERIFIED = 'verified hours';

if (values.web) await benchWeb(['dist', ...(values.against === '' ? [] : [values.against])], rounds);
else if (values.tabs) await benchTabs('dist', rounds);
else if (values.pictures !== '') await weighPictures(values.pictures);
else {
  const { against, engine } = values;
  const other = values.beside ? 'none' : values.peers ? 'directus' : 'limit';
  await withStand({ size, engine, other, against, syncMs: Number(values['sync-ms']) }, bench);
}

async function bench(stand: Stand): Promise<void> {
  const { cast, servers } = stand;
  if (values.beside) return benchBeside(servers, cast, { isWanted, rounds });
  const wanted = OPERATIONS.filter(isWanted);
  if (values.peers) return benchPeer(wanted, stand);
  // The build before may answer in other shapes.
  const alike = servers.filter(({ name }) => name !== 'before');
  for (const operation of wanted) await requireAgreement(operation, cast, alike);
  if (rates.length > 0 || bursts.length > 0) return benchStreams(wanted, stand);
  const results: Result[] = [];
  for (const connections of concurrency) {
    console.log(
      `\n${size} on ${values.engine}, ${rounds} rounds of ${requests} requests, connections: ${connections}`,
    );
    printHead(servers);
    for (const operation of wanted) {
      const result = await measure(operation, stand, { rounds, requests, connections });
      results.push(result);
      printLine(result);
    }
  }
  const ours = servers.find(({ name }) => name === 'ours');
  if (ours !== undefined && isWanted({ name: VERIFIED })) await benchVerifying(ours, stand);
  if (values.json !== '') writeFileSync(values.json, `${JSON.stringify(report(results), undefined, 1)}\n`);
}

async function benchPeer(wanted: readonly Operation[], stand: Stand): Promise<void> {
  // An answer without a row is none of its product's.
  const asked = wanted.filter(({ name }) => name !== 'floor');
  for (const operation of asked) await requireSameFigures(operation, stand);
  const [connections = 1] = concurrency;
  const how = { rounds, requests, connections };
  const results: Result[] = [];
  for (const operation of asked) results.push(await measure(operation, stand, how));
  console.log(
    `\n${size} on ${values.engine}, ${rounds} rounds of ${requests} requests, connections: ${connections}`,
  );
  printPeer(results);
}

async function benchStreams(wanted: readonly Operation[], stand: Stand): Promise<void> {
  for (const perSecond of rates) {
    for (const operation of wanted) await benchAtRate(operation, stand, { rounds, perSecond });
  }
  for (const connections of bursts) {
    for (const operation of wanted.filter(({ writes }) => writes)) {
      await benchBurst(operation, stand, { rounds, connections });
    }
  }
}

async function benchVerifying(ours: Server, stand: Stand): Promise<void> {
  await benchVerified(ours, stand.cast);
  const create = OPERATIONS.find(({ name }) => name === 'create');
  const [connections = 1] = concurrency;
  if (create === undefined) return;
  printLine(
    await measure({ ...create, name: `create, ${VERIFIED}` }, stand, { rounds, requests, connections }),
  );
}

function isWanted({ name }: Pick<Operation, 'name'>): boolean {
  return values.only.split(',').some((part) => name.includes(part));
}

function numbersIn(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number);
}

function report(results: readonly Result[]) {
  return {
    size,
    engine: values.engine,
    node: process.version,
    requests,
    operations: results.map((result) => ({ ...result, ratio: at(ratiosOf(result, 'ours', 'limit'), 0.5) })),
  };
}
