import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, runInFront, withNode } from './process.mjs';

/** Where Stryker is installed and works. Not a development dependency: 177 packages that only this drill needs. */
const PLACE = '.cache/mutants';
const STRYKER = `${PLACE}/node_modules/@stryker-mutator`;

/**
 * The code that holds rules, in two parts. Contracts are built as they load, so that each of their mutants has to run
 * every test there is: those are the unit tests beside them, which take no time. The shapes in them are left out, since
 * an emptied one is an error of types. The rest is run by the tests on SQLite
 * that reach the very place; what it builds as it loads is left out.
 */
const PARTS = [
  {
    name: 'contracts',
    files: ['src/rooms/*/*contract.ts'],
    tests: '*.test.ts',
    always: ['src/app/endpoints.test.ts'],
    ignoreStatic: false,
    leftOut: ['ObjectLiteral'],
  },
  {
    name: 'server',
    files: ['src/rooms/*/server/**/*.ts', 'src/server/http/*.ts'],
    tests: '**/*.test.ts',
    always: [],
    ignoreStatic: true,
    leftOut: [],
  },
];
const TESTS = '--tests=';
const POSTGRES = '--postgres';
const LINES = /:[\d:-]+$/;
const OTHERS = /\.test\.ts$|-worker\.ts$/;
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/**
 * Changes the rule-bearing code piece by piece and sees whether a test beside it notices. `args` are files, lines of a
 * file (`file.ts:10-80`) or folders; all of it without any. `--tests=a.test.ts,b.test.ts` runs these tests in place of
 * all that stand beside the code, `--postgres` runs them on PostgreSQL. The reports stand in .cache/mutants, and how many
 * were noticed is printed by file.
 */
export async function mutants(node, args) {
  if (!(await installStryker(node))) return 1;
  const paths = args.filter((arg) => !arg.startsWith('--'));
  const tests = args.find((arg) => arg.startsWith(TESTS))?.slice(TESTS.length);
  const parts = PARTS.map((part) => ({ ...part, files: filesIn(part, paths) }));
  const chosen = parts.filter(({ files }) => files.length > 0);
  if (chosen.length === 0) {
    console.error(`No code with rules in ${paths.join(' ')}.`);
    return 1;
  }
  for (const part of chosen) {
    const settings = join(ROOT, PLACE, 'stryker.json');
    writeFileSync(settings, JSON.stringify(settingsFor(part)));
    const code = await runInFront(node, [[`${STRYKER}/core/bin/stryker.js`, 'run', settings]], {
      MUTANT_TESTS: tests ?? testsFor(part).join(','),
      MUTANT_ENGINE: args.includes(POSTGRES) ? 'postgres' : 'sqlite',
      // Every mutant loads the product anew.
      NODE_COMPILE_CACHE: join(ROOT, PLACE, 'compiled'),
    });
    if (code !== 0) return code;
  }
  for (const { name } of chosen) printScores(join(ROOT, PLACE, `${name}.json`));
  return 0;
}

function filesIn({ files }, paths) {
  const asked = paths.map((path) => path.replace(/\/$/, ''));
  const patterns = files.map(patternOf);
  return readdirSync(join(ROOT, 'src'), { recursive: true })
    .map((path) => `src/${path}`)
    .filter((path) => patterns.some((pattern) => pattern.test(path)))
    .filter((path) => !OTHERS.test(path))
    .flatMap((path) => (asked.length === 0 ? [path] : asked.flatMap((one) => partOf(path, one))));
}

// The file, or the lines of it that are asked for.
function partOf(path, asked) {
  if (asked.replace(LINES, '') === path) return [asked];
  return path.startsWith(`${asked}/`) ? [path] : [];
}

// '*' is a part of a name, '**/' any folders: Node finds files by such patterns from 22 on only.
function patternOf(glob) {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll('.', '\\.');
  });
  return new RegExp(`^${parts.join('')}$`);
}

// The tests beside the code: what only a test of another room notices counts as not noticed.
function testsFor({ files, tests, always }) {
  const places = new Set(files.map(placeOf));
  return [...always, ...[...places].map((place) => `${place}/${tests}`)];
}

const placeOf = (path) => /^src\/(?:rooms|server)\/[^/]+/.exec(path)[0];

function settingsFor({ name, files, ignoreStatic, leftOut }) {
  return {
    testRunner: 'vitest',
    plugins: [join(ROOT, STRYKER, 'vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false, pool: 'threads' },
    coverageAnalysis: 'perTest',
    ignoreStatic,
    mutate: files,
    // Texts stand in the catalogue, whose own tests hold them; conditions on them are changed as conditions.
    mutator: { excludedMutations: ['StringLiteral', ...leftOut] },
    tempDirName: `${PLACE}/work`,
    ignorePatterns: ['dist', '.cache', 'data', 'demo-data', 'docs', 'bench'],
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { reportTests: false, allowColor: false },
    jsonReporter: { fileName: `${PLACE}/${name}.json` },
    concurrency: 1,
    // Beside other work a test takes several times as long as in the first run: that is no notice.
    timeoutFactor: 6,
    timeoutMS: 45_000,
    allowConsoleColors: false,
    warnings: { slow: false },
  };
}

function printScores(report) {
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  for (const [path, { mutants: all }] of Object.entries(files)) {
    const count = (...statuses) => all.filter(({ status }) => statuses.includes(status)).length;
    const [noticed, left] = [count(...NOTICED), count(...UNNOTICED)];
    const share = ((100 * noticed) / (noticed + left || 1)).toFixed(1);
    console.log(
      `${path}: ${share} % of ${noticed + left} noticed (${count('Timeout')} by the time), ${left} not`,
    );
  }
}

async function installStryker(node) {
  const [wanted, there] = ['scripts/mutants', PLACE].map((folder) => join(ROOT, folder, 'package-lock.json'));
  const isThere = existsSync(join(ROOT, STRYKER)) && existsSync(there);
  if (isThere && readFileSync(wanted, 'utf8') === readFileSync(there, 'utf8')) return true;
  mkdirSync(join(ROOT, PLACE), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(ROOT, 'scripts/mutants', name), join(ROOT, PLACE, name));
  }
  copyFileSync(join(ROOT, '.npmrc'), join(ROOT, PLACE, '.npmrc'));
  // Without a Vitest of its own: it runs the product's.
  const args = ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, output } = await run('npm', ['--prefix', join(ROOT, PLACE), ...args], {
    progress: 'Installing Stryker',
    env: withNode(node),
  });
  if (!ok) console.error(output.trim());
  return ok;
}
