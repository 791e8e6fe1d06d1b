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
    ignoreStatic: false,
    leftOut: ['ObjectLiteral'],
  },
  {
    name: 'server',
    files: ['src/rooms/*/server/**/*.ts', 'src/server/http/*.ts'],
    tests: '**/*.test.ts',
    ignoreStatic: true,
    leftOut: [],
  },
];
const OTHERS = /\.test\.ts$|-worker\.ts$/;
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/**
 * Changes the rule-bearing code piece by piece and sees whether a test beside it notices. `paths` are files or folders;
 * all of it without any. The reports stand in .cache/mutants, and how many were noticed is printed by folder.
 */
export async function mutants(node, paths) {
  if (!(await installStryker(node))) return 1;
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
      MUTANT_TESTS: testsFor(part).join(','),
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
    .filter((path) => asked.length === 0 || asked.some((one) => path === one || path.startsWith(`${one}/`)));
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
function testsFor({ files, tests }) {
  const places = new Set(files.map(placeOf));
  return [...places].map((place) => `${place}/${tests}`);
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
    // Beside other work a test takes several times as long as in the first run.
    timeoutMS: 30_000,
    allowConsoleColors: false,
    warnings: { slow: false },
  };
}

function printScores(report) {
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  const folders = Map.groupBy(Object.entries(files), ([path]) => placeOf(path));
  for (const [folder, found] of folders) {
    const all = found.flatMap(([, file]) => file.mutants);
    const count = (statuses) => all.filter(({ status }) => statuses.includes(status)).length;
    const [noticed, left] = [count(NOTICED), count(UNNOTICED)];
    const share = ((100 * noticed) / (noticed + left || 1)).toFixed(1);
    console.log(`${folder}: ${share} % of ${noticed + left} noticed, ${left} not`);
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
