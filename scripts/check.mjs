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
  { name: 'boundaries', args: ['scripts/boundaries.mjs'] },
  {
    name: 'unused',
    args: ['node_modules/knip/bin/knip.js', '--cache', '--cache-location', '.cache/knip'],
  },
];

/**
 * Runs every step, even after a failed one: one run shows everything that needs fixing. As many at a time as there
 * are cores, at most two.
 */
export async function check(node) {
  const waiting = [...STEPS];
  let failed = 0;
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const { ok, output, seconds } = await run(node, step.args, { env: withNode(node) });
      console.log(`${ok ? 'ok    ' : 'failed'}  ${step.name} (${seconds.toFixed(1)} s)`);
      if (ok) continue;
      console.log(output.trimEnd());
      failed += 1;
    }
  };
  await Promise.all(cpus().slice(0, 2).map(work));
  return failed === 0 ? 0 : 1;
}

/** The compiler's results are cached, so that the next run only reads what has changed. */
function types(name, project) {
  const kept = ['--incremental', '--tsBuildInfoFile', `.cache/types/${project}.json`];
  return { name, args: [TSC, '--noEmit', ...kept, '-p', `tsconfig.${project}.json`] };
}
