import { cpus } from 'node:os';
import { run, withNode } from './process.mjs';

const TSC = 'node_modules/typescript7/bin/tsc';

/** The steps of `npm run check`, the longest first, so that none of them runs alone at the end. */
const STEPS = [
  types('types: server', 'server'),
  {
    name: 'format and lint',
    args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  },
  types('types: browser tests', 'browser-tests'),
  types('types: web', 'web'),
  types('types: worker', 'worker'),
  { name: 'boundaries', args: ['scripts/check-boundaries.mjs'] },
  { name: 'words and commits', args: ['scripts/prose.mjs'] },
  {
    name: 'unused',
    args: ['node_modules/knip/bin/knip.js', '--cache', '--cache-location', '.cache/knip'],
  },
];

const waiting = [...STEPS];
process.exitCode = 0;
// All steps run, even after a failed one, so that one run shows everything to fix. Two at a time on two cores.
await Promise.all(cpus().slice(0, 2).map(work));

async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const { ok, output, seconds } = await run(process.execPath, step.args, {
      env: withNode(process.execPath),
    });
    console.log(`${ok ? 'ok    ' : 'failed'}  ${step.name} (${seconds.toFixed(1)} s)`);
    if (ok) continue;
    console.log(output.trimEnd());
    process.exitCode = 1;
  }
}

/**
 * A type check. Its results are cached, so that the next run checks only what has changed. It has one thread, because the
 * steps use the cores already and each further thread checks types that another one needs too.
 */
function types(name, project) {
  const cache = ['--incremental', '--tsBuildInfoFile', `.cache/types/${project}.json`];
  return { name, args: [TSC, '--noEmit', '--singleThreaded', ...cache, '-p', `tsconfig.${project}.json`] };
}
