import { defineConfig } from 'vitest/config';

const isDrill = process.env['DRILL'] === '1';

const server = ['src/{server,app/server}/**/*.test.ts', 'src/rooms/*/server/**/*.test.ts'];
/** The same files on both engines: scripts/test.mjs fails when they do not run the same tests. */
const http = [...server, 'test/http/**/*.test.ts', 'test/drills/**/*.test.ts'];
/** What a volunteer does, run a second time at schools that verify hours: its heart in `npm test`, all of it as a drill. */
const volunteers = ['main-job', 'log-time', 'messages'].map((name) => `test/e2e/${name}.spec.ts`);
/** The screens in another language: some of them in `npm test`, all of them as a drill. */
const languages = ['test/e2e/languages/*.spec.ts'];
const testTimeout = isDrill ? 3_600_000 : 30_000;

export default defineConfig({
  test: {
    maxWorkers: 2,
    setupFiles: ['test/loopback-only.ts', 'test/each-file.ts'],
    // Files share a process, with what they import: to load the product anew for each took a third of the time.
    isolate: false,
    hookTimeout: 60_000,
    testTimeout: 30_000,
    // As long as a browser is waited for.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'test/architecture.test.ts',
            'test/{pictures,files,reading,sqlite,standby,start}/**/*.test.ts',
          ],
          exclude: server,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-dom',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['test/dom-rest.ts'],
          // A page of its own for each file: what the product keeps beside the page would outlive it.
          isolate: true,
        },
      },
      {
        extends: true,
        test: { name: 'sqlite', include: http, env: { TEST_ENGINE: 'sqlite' }, testTimeout },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: http,
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: 'test/postgres.ts',
          testTimeout,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e-verifying',
          include: isDrill ? volunteers : volunteers.slice(0, 1),
          setupFiles: ['test/e2e/each-file.ts'],
          env: { TEST_ENGINE: 'sqlite', VERIFYING: '1' },
          testTimeout: 120_000,
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e-spanish',
          include: languages,
          setupFiles: ['test/e2e/each-file.ts'],
          // Another language is walked when a test adds one.
          env: { TEST_ENGINE: 'sqlite', SPOKEN: process.env['SPOKEN'] ?? 'es' },
          testTimeout: isDrill ? testTimeout : 120_000,
          retry: 1,
        },
      },
      {
        extends: true,
        // A whole cluster whose parts fail: a drill alone.
        test: { name: 'cluster', include: ['test/cluster/*.test.ts'], testTimeout: 3_600_000 },
      },
      {
        extends: true,
        // The main job in another browser, driven by the standard protocol: a drill alone.
        test: {
          name: 'firefox',
          include: ['test/firefox/*.spec.ts'],
          env: { TEST_ENGINE: 'sqlite' },
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          exclude: [...languages, ...(isDrill ? volunteers : [])],
          setupFiles: ['test/e2e/each-file.ts'],
          env: { TEST_ENGINE: 'sqlite' },
          testTimeout: 120_000,
          // A browser on a busy machine misses a moment now and then. A test that needed its second try is named in the summary.
          retry: 1,
        },
      },
    ],
  },
});
