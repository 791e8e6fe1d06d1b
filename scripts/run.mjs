// npm runs this file with whatever Node the machine has. Everything it starts runs on the Node it finds.
import { findNode, installDependencies } from './bootstrap.mjs';
import { buildBrowser } from './browser-build.mjs';
import { check } from './check.mjs';
import { keepRunning } from './keep-running.mjs';
import { runInFront } from './process.mjs';
import { test, testFull } from './test.mjs';
import { CLUSTER_NEEDS, installTestNeeds } from './test-needs.mjs';

const commands = {
  start: (node, args) => onPages(node, () => keepRunning(node, ['src/app/server/main.ts', ...args])),
  build: (node) => onPages(node, () => 0),
  demo: (node, args) => onPages(node, () => keepRunning(node, ['scripts/demo.ts', ...args])),
  bench: benchOn,
  'cluster:demo': clusterOn,
  doctor: (node, args) => runInFront(node, [['scripts/doctor.ts', ...args]]),
  rollups: (node, args) => runInFront(node, [['scripts/rollups.ts', ...args]]),
  'second-factor': (node, args) => runInFront(node, [['scripts/second-factor.ts', ...args]]),
  account: (node, args) => runInFront(node, [['scripts/account.ts', ...args]]),
  'rotate-key': (node, args) => runInFront(node, [['scripts/rotate-key.ts', ...args]]),
  photos: (node, args) => runInFront(node, [['scripts/photos.ts', ...args]]),
  openapi: (node) => runInFront(node, [['scripts/openapi.ts']]),
  backup: (node, args) => runInFront(node, [['scripts/backup.ts', ...args]]),
  restore: (node, args) => runInFront(node, [['scripts/restore.ts', ...args]]),
  screenshots: (node, args) => onPages(node, () => runInFront(node, [['scripts/screenshots.ts', ...args]])),
  format: (node) => runInFront(node, [['node_modules/@biomejs/biome/bin/biome', 'check', '--write']]),
  dev,
  check,
  test,
  'test:full': testFull,
};
/** These also need the development tools; commands used on a district's own server do not. */
const WITH_TOOLS = ['bench', 'check', 'cluster:demo', 'format', 'screenshots', 'test', 'test:full'];

const [name, ...given] = process.argv.slice(2);
// As typed after npm run; without npm, which takes it away, it comes through.
const args = given[0] === '--' ? given.slice(1) : given;
const command = commands[name];
if (!command) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`);
  process.exit(1);
}
await installDependencies({ withTools: WITH_TOOLS.includes(name) });
process.exitCode = await command(findNode(), args);

async function onPages(node, command) {
  const build = await buildBrowser(node);
  if (build.ok) return command();
  console.error(build.output.trim());
  return 1;
}

/** For the browser its pages are built. */
function benchOn(node, args) {
  const bench = () => runInFront(node, [['bench/main.ts', ...args]]);
  return ['--web', '--tabs'].some((kind) => args.includes(kind)) ? onPages(node, bench) : bench();
}

/** Says how to install what it needs, or does so on Debian as root. */
async function clusterOn(node, args) {
  if (!(await installTestNeeds(CLUSTER_NEEDS))) return 1;
  return runInFront(node, [['scripts/cluster.ts', ...args]]);
}

function dev(node) {
  const env = { SERVER_URL: process.env.SERVER_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}` };
  return runInFront(
    node,
    [['--watch', '--watch-preserve-output', 'src/app/server/main.ts'], ['node_modules/vite/bin/vite.js']],
    env,
  );
}
