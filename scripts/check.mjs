import { run, withNode } from './process.mjs';

const TSC = 'node_modules/typescript7/bin/tsc';

/** What `npm run check` runs, in this order. */
const STEPS = [
  {
    name: 'format and lint',
    args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  },
  { name: 'types: server', args: [TSC, '--noEmit', '-p', 'tsconfig.server.json'] },
  { name: 'types: web', args: [TSC, '--noEmit', '-p', 'tsconfig.web.json'] },
  { name: 'types: browser tests', args: [TSC, '--noEmit', '-p', 'tsconfig.browser-tests.json'] },
  { name: 'boundaries', args: ['scripts/boundaries.mjs'] },
  { name: 'unused', args: ['node_modules/knip/bin/knip.js'] },
];

/** Runs every step, even after a failed one: one run shows all there is to mend. */
export async function check(node) {
  let failed = 0;
  for (const { name, args } of STEPS) {
    const { ok, output, seconds } = await run(node, args, { env: withNode(node) });
    console.log(`${ok ? 'ok    ' : 'failed'}  ${name} (${seconds.toFixed(1)} s)`);
    if (ok) continue;
    console.log(output.trimEnd());
    failed += 1;
  }
  return failed === 0 ? 0 : 1;
}
