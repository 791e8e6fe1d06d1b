import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildBrowser } from './browser-build.mjs';
import { lighthouse } from './lighthouse.mjs';
import { ROOT, run, runInFront, withNode } from './process.mjs';
import { CLUSTER_NEEDS, installTestNeeds } from './test-needs.mjs';

/** So many tests may be about one engine alone. A suite that silently skipped one would have more. */
const MOST_ON_ONE_ENGINE = 15;
/** A second try is a defect of the test; this share of the browser's tests is put down to a busy machine. */
const MOST_SECOND_TRIES = 0.01;
const VITEST = 'node_modules/vitest/vitest.mjs';
/** One worker more than two cores, for steps that often wait: for the browser's next frame, or for a process to end. */
const THREE = ['--maxWorkers=3'];
/** Drills that stand elsewhere, by their name. */
const LONG_FORMS = {
  pictures: ['test/pictures/'],
  gallery: ['test/e2e/long-gallery.spec.ts'],
  list: ['test/e2e/long-list.spec.ts'],
  effort: ['test/e2e/verifier-desk.spec.ts', 'test/e2e/effort-'],
  verifying: ['main-job', 'log-time', 'messages'].map((name) => `test/e2e/${name}.spec.ts`),
  spanish: ['test/e2e/languages/'],
  firefox: ['test/firefox/'],
  cluster: ['test/cluster/'],
  accessibility: ['test/e2e/walk.spec.ts', 'test/e2e/trees.spec.ts'],
};

/** What only these drills need, and what any other one may. */
const NEEDS_OF = { firefox: ['firefox'], cluster: CLUSTER_NEEDS };
const NEEDED = ['postgresql', 'strace', 'chromium', 'firefox'];

/** What `npm test` runs, in this order. `npm test -- sqlite` runs one step, `npm test -- sqlite users` the files of it that match. */
const STEPS = [
  { name: 'check', run: (node) => script(node, ['scripts/run.mjs', 'check']) },
  { name: 'build', run: (node) => buildBrowser(node, { quiet: true }) },
  {
    name: 'unit',
    needs: ['swift', 'nginx', 'caddy'],
    run: (node, files) => suite(node, 'unit*', files, THREE),
  },
  {
    name: 'sqlite',
    needs: ['postgresql', 'strace', 'swift'],
    run: (node, files) => suite(node, 'sqlite', files),
  },
  {
    name: 'postgres',
    needs: ['postgresql', 'strace', 'swift'],
    run: (node, files) => suite(node, 'postgres', files),
  },
  { name: 'e2e', needs: ['chromium'], run: (node, files) => suite(node, 'e2e*', files, THREE) },
  { name: 'sizes', run: (node) => script(node, ['scripts/size-budgets.mjs']) },
];

export async function test(node, [only, ...files]) {
  const chosen = only ? STEPS.filter((step) => step.name === only) : STEPS;
  if (chosen.length === 0) {
    console.error(`No step '${only}'. The steps: ${STEPS.map((step) => step.name).join(', ')}`);
    return 1;
  }
  // What later steps need arrives while the first ones run, which need nothing.
  const arriving = installTestNeeds(chosen.flatMap((step) => step.needs ?? []));

  const results = [];
  for (const step of chosen) {
    if (step.needs && !(await arriving)) return 1;
    results.push(await perform(step, node, files));
  }
  return summarize(results);
}

/** The long form of test/drills, of the damaged pictures, of the long gallery and of the long list, with what it prints shown as it goes. */
export async function drill(node, names) {
  const needs = NEEDS_OF[names[0]] ?? (names.length === 0 ? [...NEEDED, ...CLUSTER_NEEDS] : NEEDED);
  if (!(await installTestNeeds(needs))) return 1;
  const { ok, output } = await buildBrowser(node, { quiet: true });
  if (!ok) {
    console.error(output.trim());
    return 1;
  }
  if (names[0] === 'lighthouse') return lighthouse(node);
  const [named, counts] = withCounts(names.filter((name) => name !== '-u'));
  const chosen = named.length > 0 ? named : ['', ...Object.keys(LONG_FORMS)];
  const files = chosen.flatMap((name) => LONG_FORMS[name] ?? [`test/drills/${name}`]);
  const projects = [
    'sqlite',
    'postgres',
    'unit',
    'e2e',
    'e2e-verifying',
    'e2e-spanish',
    'firefox',
    'cluster',
  ].flatMap((project) => ['--project', project]);
  // What is kept as text is written anew.
  const update = names.includes('-u') ? ['-u'] : [];
  return runInFront(node, [[VITEST, 'run', ...projects, ...update, ...files]], { ...counts, DRILL: '1' });
}

/** The names of drills, and what `--entries 1000` and the like set for them. */
function withCounts(args) {
  const [names, counts] = [[], {}];
  for (let at = 0; at < args.length; at += 1) {
    if (args[at].startsWith('--')) counts[`DRILL_${args[at].slice(2).toUpperCase()}`] = args[++at] ?? '';
    else names.push(args[at]);
  }
  return [names, counts];
}

async function perform(step, node, files) {
  process.stdout.write(`${step.name} ... `);
  const began = performance.now();
  const result = await step.run(node, files);
  const seconds = (performance.now() - began) / 1000;
  console.log(result.ok ? `${seconds.toFixed(1)} s` : 'failed');
  if (!result.ok) console.log(result.output.trimEnd());
  return { name: step.name, seconds, ...result };
}

function script(node, args) {
  return run(node, args, { env: withNode(node) });
}

/** Runs one Vitest project and counts what ran. */
async function suite(node, project, files, options = []) {
  const report = join(ROOT, `.cache/tests-${project.replace('*', '')}.json`);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { ok, output } = await run(
    node,
    [VITEST, 'run', '--project', project, ...options, ...reporters, ...files],
    {
      env: withNode(node),
    },
  );
  const counted = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0 };
  // A file that does not load, or an error outside a test, fails the run without failing any test.
  const tests = (counted.testResults ?? []).flatMap((file) => file.assertionResults);
  const secondTries = tests.filter((one) => one.status === 'passed' && one.failureMessages.length > 0);
  return {
    ok,
    output,
    secondTries,
    ran: tests.filter((one) => ['passed', 'failed'].includes(one.status)).map((one) => one.fullName),
    passed: counted.numPassedTests,
    failed: counted.numFailedTests || (ok ? 0 : 1),
  };
}

function summarize(results) {
  console.log('');
  for (const { name, ok, seconds, passed, failed } of results) {
    const tests = passed === undefined ? '' : `${passed} passed${failed ? `, ${failed} failed` : ''}`;
    console.log(
      `${ok ? 'ok    ' : 'failed'}  ${name.padEnd(8)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${tests}`.trimEnd(),
    );
  }
  const passed = total(results.map((result) => result.passed ?? 0));
  const failed =
    total(results.map((result) => result.failed ?? (result.ok ? 0 : 1))) +
    (enginesAgree(results) ? 0 : 1) +
    (fewSecondTries(results) ? 0 : 1);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Both engines must have run the same tests, but for the few that are about one of them. */
function enginesAgree(results) {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map((name) =>
    results.find((result) => result.name === name),
  );
  if (!sqlite || !postgres) return true;
  const onlyIn = (one, other) => {
    const elsewhere = new Set(other.ran);
    return one.ran.filter((name) => !elsewhere.has(name));
  };
  const alone = [...onlyIn(sqlite, postgres), ...onlyIn(postgres, sqlite)];
  const counts = `${sqlite.ran.length} on SQLite, ${postgres.ran.length} on PostgreSQL`;
  console.log(`HTTP tests: ${counts}, ${alone.length} of them about one engine`);
  if (alone.length <= MOST_ON_ONE_ENGINE && sqlite.ran.length > 0) return true;
  for (const name of alone) console.log(`only on one engine  ${name}`);
  console.log(`failed  at most ${MOST_ON_ONE_ENGINE} tests may run on one engine only`);
  return false;
}

function fewSecondTries(results) {
  const tries = results.flatMap((result) => result.secondTries ?? []);
  for (const { fullName, failureMessages } of tries) {
    console.log(`second try  ${fullName}: ${failureMessages[0].split('\n')[0]}`);
  }
  const inBrowser = results.find((result) => result.name === 'e2e')?.passed ?? 0;
  const most = Math.ceil(inBrowser * MOST_SECOND_TRIES);
  if (tries.length <= most) return true;
  console.log(`failed  ${tries.length} tests needed a second try, and at most ${most} may`);
  return false;
}

function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
