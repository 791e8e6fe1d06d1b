import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildBrowser } from './browser-build.mjs';
import { ROOT, run, runInFront, withNode } from './process.mjs';
import { CLUSTER_NEEDS, installTestNeeds } from './test-dependencies.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
const SLOWEST_SHOWN = 10;
/** For tests that measure how the server behaves under load. */
const TWO_WORKERS = ['--maxWorkers=2'];

const CHECK = { name: 'check', run: (node) => script(node, ['scripts/check.mjs']) };
const BUILD = { name: 'build', run: (node) => buildBrowser(node, { quiet: true }) };
const UNIT = step('unit', ['unit', 'dom']);
const HTTP = step('http', ['http']);
const BROWSER = step('browser', ['browser'], { needs: ['browser'] });
const SIZES = { name: 'sizes', run: (node) => script(node, ['scripts/size-budgets.mjs']) };

/** What `npm test` runs, in this order. */
const GATE = [CHECK, BUILD, UNIT, HTTP, step('engines', ['engines']), BROWSER, SIZES];

/** What `npm run test:full` runs: the gate, and what is too slow or needs too many system packages for it. */
const FULL = [
  CHECK,
  BUILD,
  UNIT,
  HTTP,
  step('postgres', ['engines', 'postgres'], { needs: ['postgresql'] }),
  step('system', ['system'], { needs: ['postgresql', 'swift', 'nginx', 'caddy', 'browser'] }),
  step('stress', ['stress-sqlite', 'stress-postgres'], {
    needs: ['postgresql', 'strace', 'swift'],
    options: TWO_WORKERS,
  }),
  step('browser', ['browser', 'browser-full', 'browser-verifying', 'browser-spanish'], {
    needs: ['browser'],
  }),
  step('firefox', ['firefox'], { needs: ['firefox'] }),
  step('cluster', ['cluster'], { needs: CLUSTER_NEEDS }),
  SIZES,
];

/** Tests in `test:full` that have a long form, which starts by this name. Those in test/stress go by their file name. */
const LONG_FORMS = {
  images: ['test/images/'],
  gallery: ['test/e2e/full/long-gallery.spec.ts'],
  list: ['test/e2e/full/long-list.spec.ts'],
  effort: ['test/e2e/full/verification-queue.spec.ts', 'test/e2e/full/effort-'],
  accessibility: ['test/e2e/full/accessibility.spec.ts', 'test/e2e/full/accessibility-trees.spec.ts'],
};

/**
 * Runs the gate, or everything with --full. `npm test -- http` runs one step, `npm test -- http users` its files that match.
 * With --full any other name is a stress test, which runs in its long form with its output shown:
 * `npm run test:full -- kill-server --cycles 50` sets STRESS_CYCLES.
 */
function main(node, args) {
  if (args[0] !== '--full') return runSteps(node, GATE, args);
  process.env.TEST_FULL = '1';
  const [, ...given] = args;
  const isStep = given.length === 0 || FULL.some(({ name }) => name === given[0]);
  return isStep ? runSteps(node, FULL, given) : runLongForm(node, given);
}

async function runLongForm(node, args) {
  const [names, counts] = parseCounts(args.filter((arg) => arg !== '-u'));
  const needs = ['postgresql', 'strace', 'swift', 'browser'];
  if (!(await installTestNeeds(needs))) return 1;
  const { ok, output } = await buildBrowser(node, { quiet: true });
  if (!ok) {
    console.error(output.trim());
    return 1;
  }
  if (names[0] === 'lighthouse') return runInFront(node, [['bench/lighthouse.ts']]);
  const files = names.flatMap((name) => LONG_FORMS[name] ?? [`test/stress/${name}`]);
  const update = args.includes('-u') ? ['-u'] : [];
  return runInFront(node, [[VITEST, 'run', ...update, ...files]], { ...counts, TEST_LONG: '1' });
}

/** Splits arguments into names of stress tests and their settings: `--entries 1000` sets STRESS_ENTRIES. */
function parseCounts(args) {
  const [names, counts] = [[], {}];
  for (let at = 0; at < args.length; at += 1) {
    if (args[at].startsWith('--')) counts[`STRESS_${args[at].slice(2).toUpperCase()}`] = args[++at] ?? '';
    else names.push(args[at]);
  }
  return [names, counts];
}

async function runSteps(node, steps, [only, ...files]) {
  const named = steps.filter(({ name }) => name === only);
  // A step that opens the pages builds them first. That takes no time when nothing changed.
  const chosen = only ? [...(named[0]?.needs?.includes('browser') ? [BUILD] : []), ...named] : steps;
  if (chosen.length === 0) {
    console.error(`No step '${only}'. The steps: ${steps.map(({ name }) => name).join(', ')}`);
    return 1;
  }
  // Installs what later steps need while the first ones run.
  const installing = installTestNeeds(chosen.flatMap(({ needs = [] }) => needs));
  const results = [];
  for (const one of chosen) {
    if (one.needs && !(await installing)) return 1;
    results.push(await runStep(one, node, files));
  }
  return summarize(results);
}

// Fields 16 and 17 of /proc/self/stat count clock ticks, 100 a second on every Linux that Node supports (`man 5 proc`).
const TICKS_PER_SECOND = 100;

// CPU seconds used by this process's ended children and their descendants. 0 without /proc.
function childCpuSeconds() {
  try {
    // The process name before it, in parentheses, may contain spaces.
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=[A-Z] )/);
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

async function runStep({ name, run: work }, node, files) {
  process.stdout.write(`${name} ... `);
  const [began, cpuBefore] = [performance.now(), childCpuSeconds()];
  const result = await work(node, files);
  const seconds = (performance.now() - began) / 1000;
  const cpu = childCpuSeconds() - cpuBefore;
  console.log(result.ok ? `${seconds.toFixed(1)} s` : 'failed');
  if (!result.ok) console.log(result.output.trimEnd());
  return { name, seconds, cpu, ...result };
}

function script(node, args) {
  return run(node, args, { env: withNode(node) });
}

/** A step that runs Vitest projects. */
function step(name, projects, { needs, options = [] } = {}) {
  return { name, needs, run: (node, files) => suite(node, { name, projects, files, options }) };
}

async function suite(node, { name, projects, files, options }) {
  const report = join(ROOT, `.cache/tests-${name}.json`);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const { ok, output } = await run(
    node,
    [
      VITEST,
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...options,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { env: withNode(node) },
  );
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    testResults = [],
  } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  return {
    ok,
    output,
    passed: numPassedTests,
    // A file that does not load, or an error outside a test, fails the run without failing any test.
    failed: numFailedTests || (ok ? 0 : 1),
    files: testResults.map((file) => ({
      path: relative(ROOT, file.name),
      seconds: (file.endTime - file.startTime) / 1000,
    })),
  };
}

function summarize(results) {
  const slowest = results
    .flatMap(({ name, files = [] }) => files.map((file) => ({ ...file, name })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_SHOWN);
  if (slowest.length > 0) console.log('\nThe slowest files:');
  for (const { path, name, seconds } of slowest) console.log(`${inSeconds(seconds)}  ${name}  ${path}`);
  console.log('');
  for (const { name, ok, seconds, cpu, passed, failed } of results) {
    const tests = passed === undefined ? '' : `${passed} passed${failed ? `, ${failed} failed` : ''}`;
    const times = `${inSeconds(seconds)} ${inSeconds(cpu)} CPU`;
    console.log(`${ok ? 'ok    ' : 'failed'}  ${name.padEnd(8)} ${times}  ${tests}`.trimEnd());
  }
  const sum = (of) => results.reduce((total, result) => total + of(result), 0);
  console.log(`total ${inSeconds(sum((one) => one.seconds))}, ${inSeconds(sum((one) => one.cpu))} CPU`);
  const failed = sum((one) => one.failed ?? (one.ok ? 0 : 1));
  console.log(`${sum((one) => one.passed ?? 0)} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

const inSeconds = (seconds) => `${seconds.toFixed(1)} s`.padStart(8);

process.exitCode = await main(process.execPath, process.argv.slice(2));
