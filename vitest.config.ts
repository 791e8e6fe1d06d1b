import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { BROWSER_WAIT_MS, IS_FULL, IS_LONG } from './test/test-level.ts';

/** Tests of engine-specific behavior and of every store with raw SQL. The gate runs them on both engines. */
const engines = ['{src,test}/**/*.engines.test.ts'];
/** Tests of the server over HTTP, or of a server module with a database. */
const http = ['src/**/*.http.test.ts', 'test/http/**/*.test.ts'];
/** Tests that are too slow for the gate or need a system package; they run on both engines. */
const slow = ['{src,test}/**/*.full.test.ts', 'test/stress/**/*.test.ts'];
/** A volunteer's tasks, run a second time at schools that verify hours. */
const volunteers = ['log-hours', 'log-time', 'messages'].map((name) => `test/e2e/{,full/}${name}.spec.ts`);

/** Files that take longer than their size suggests, by which Vitest orders files that it has not run yet. */
const LONG = /axe-|images\.test/;

/** Starts the longest files first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLater = ({ moduleId }: TestSpecification) => Number(!LONG.test(moduleId));
    return (await super.sort(files)).sort((one, other) => isLater(one) - isLater(other));
  }
}

const HOUR_MS = 3_600_000;
const sqlite = { TEST_ENGINE: 'sqlite' };
const postgres = {
  env: { TEST_ENGINE: 'postgres' },
  globalSetup: 'test/postgres-server.ts',
};
const browser = {
  setupFiles: ['test/e2e/test-setup.ts'],
  testTimeout: IS_FULL ? HOUR_MS : 240_000,
  expect: { poll: { timeout: BROWSER_WAIT_MS } },
};
const stress = { include: slow, testTimeout: IS_LONG ? HOUR_MS : 240_000 };

const projects = [
  {
    name: 'unit',
    include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/images/*.test.ts'],
    exclude: [...http, ...engines, ...slow],
  },
  {
    name: 'dom',
    environment: 'jsdom',
    include: ['src/**/*.test.tsx'],
    setupFiles: ['test/dom-setup.ts'],
    // Each file has its own page, because stored data would outlive it, but shares the process, which takes longer to start.
    pool: 'vmForks',
    // Old pages stay in memory; a process that has reached this ends after its file.
    vmMemoryLimit: '256MB',
  },
  { name: 'http', include: [...http, ...engines], exclude: slow, env: sqlite },
  { name: 'engines', include: engines, ...postgres },
  { name: 'browser', include: ['test/e2e/*.spec.ts'], env: sqlite, ...browser },
  // The rest runs only in `npm run test:full`.
  { name: 'postgres', include: http, exclude: [...engines, ...slow], ...postgres },
  { name: 'stress-sqlite', ...stress, env: sqlite },
  { name: 'stress-postgres', ...stress, ...postgres },
  { name: 'system', include: ['test/system/**/*.test.ts'], testTimeout: 240_000 },
  { name: 'browser-full', include: ['test/e2e/full/*.spec.ts'], env: sqlite, ...browser },
  { name: 'browser-verifying', include: volunteers, env: { ...sqlite, VERIFYING: '1' }, ...browser },
  {
    name: 'browser-spanish',
    include: ['test/e2e/languages/*.spec.ts'],
    // third-language.spec.ts sets another language.
    env: { ...sqlite, SPOKEN: process.env['SPOKEN'] ?? 'es' },
    ...browser,
  },
  // Logging hours in a second browser, driven by WebDriver BiDi.
  { name: 'firefox', include: ['test/firefox/*.spec.ts'], env: sqlite, testTimeout: 180_000 },
  { name: 'cluster', include: ['test/cluster/*.test.ts'], testTimeout: HOUR_MS },
];

export default defineConfig({
  test: {
    // One more than two cores, because tests often wait for a disk, a frame or another process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/loopback-only.ts', 'test/test-setup.ts'],
    // Files share a process and their modules, because loading the product for each file took a third of the time.
    isolate: false,
    fsModuleCache: true,
    fsModuleCachePath: '.cache/modules',
    // They end what hangs; a busy machine needs several times longer than a quiet one.
    hookTimeout: 120_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: projects.map((test) => ({ extends: true as const, test })),
  },
});
