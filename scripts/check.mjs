import { cpus } from 'node:os';
import { run, withNode } from './process.mjs';

const TSC = 'node_modules/typescript7/bin/tsc';

/** The steps of `npm run check`, the longest first, so that no long one is left for the end. */
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
// Every step, even after a failed one: one run shows everything that needs fixing. Two at a time where there are two cores.
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

/** The compiler's results are cached, so that the next run only reads what has changed. */
function types(name, project) {
  const kept = ['--incremental', '--tsBuildInfoFile', `.cache/types/${project}.json`];
  return { name, args: [TSC, '--noEmit', ...kept, '-p', `tsconfig.${project}.json`] };
}
